package org.droidtest.probe;

import android.content.pm.PackageInfo;
import android.content.pm.PackageManager;
import android.graphics.Bitmap;
import android.graphics.BitmapFactory;
import android.graphics.ImageFormat;
import android.hardware.Camera;
import android.hardware.camera2.CameraAccessException;
import android.hardware.camera2.CameraCharacteristics;
import android.hardware.camera2.CameraManager;
import android.media.MediaScannerConnection;
import android.media.SoundPool;
import android.os.storage.StorageManager;
import android.renderscript.Allocation;
import android.renderscript.Element;
import android.renderscript.RenderScript;
import android.renderscript.ScriptIntrinsicBlur;
import android.webkit.WebView;
import android.webkit.WebViewClient;

/** The parts of a phone that answer, most of them later. */
@SuppressWarnings("deprecation")
public final class PartsActivity extends Screen {
    private String order = "";

    @Override
    void fill() {
        button(R.id.web_page, this::webPage);
        button(R.id.web_error, this::webError);
        button(R.id.cameras, this::cameras);
        button(R.id.picture, this::picture);
        button(R.id.scan, this::scan);
        button(R.id.sound, this::sound);
        button(R.id.feature, this::feature);
        button(R.id.volume, this::volume);
        button(R.id.signature, this::signature);
        button(R.id.blur, this::blur);
    }

    private void step(String what) {
        order = order.isEmpty() ? what : order + ", " + what;
        result(order);
    }

    private WebView web() {
        order = "";
        WebView web = new WebView(this);
        web.setWebViewClient(
                new WebViewClient() {
                    @Override
                    public void onPageStarted(WebView view, String url, Bitmap icon) {
                        step("started");
                    }

                    @Override
                    public void onReceivedError(WebView view, int code, String said, String url) {
                        step("error " + code + " " + said);
                    }

                    @Override
                    public void onPageFinished(WebView view, String url) {
                        step("finished " + url + " " + view.getProgress());
                    }
                });
        return web;
    }

    private void webPage() {
        WebView web = web();
        web.loadDataWithBaseURL(null, "<title>A page</title>", "text/html", "utf-8", null);
        step("asked");
        web.evaluateJavascript("1", value -> step("script " + value));
    }

    private void webError() {
        web().loadUrl("https://example.org");
        step("asked");
    }

    private void cameras() {
        Camera.CameraInfo front = new Camera.CameraInfo();
        Camera.getCameraInfo(1, front);
        try {
            CameraManager manager = getSystemService(CameraManager.class);
            int sizes =
                    manager.getCameraCharacteristics("0")
                            .get(CameraCharacteristics.SCALER_STREAM_CONFIGURATION_MAP)
                            .getOutputSizes(ImageFormat.JPEG)
                            .length;
            int old = Camera.getNumberOfCameras();
            int all = manager.getCameraIdList().length;
            result(old + " cameras, " + all + ", " + front.orientation + ", " + (sizes > 0));
        } catch (CameraAccessException e) {
            result(e.toString());
        }
    }

    private void picture() {
        order = "";
        Camera camera = Camera.open();
        Camera.Parameters wanted = camera.getParameters();
        wanted.setPictureSize(640, 480);
        camera.setParameters(wanted);
        camera.startPreview();
        camera.autoFocus(
                (sharp, of) -> {
                    step("focus " + sharp);
                    camera.takePicture(() -> step("shutter"), null, (data, by) -> taken(data, by));
                });
        step("asked");
    }

    private void taken(byte[] data, Camera by) {
        Bitmap picture = BitmapFactory.decodeByteArray(data, 0, data.length);
        step("picture " + picture.getWidth() + "x" + picture.getHeight());
        by.release();
    }

    private void scan() {
        order = "";
        String[] paths = {"/sdcard/none.jpg"};
        MediaScannerConnection.scanFile(this, paths, null, (path, uri) -> main.post(() -> step(path + " " + uri)));
        step("asked");
    }

    private void sound() {
        order = "";
        SoundPool pool = new SoundPool.Builder().build();
        pool.setOnLoadCompleteListener((from, sound, status) -> step("loaded " + sound + " " + status));
        pool.load("/sdcard/some.ogg", 1);
        step("asked");
    }

    private void feature() {
        PackageManager packages = getPackageManager();
        boolean camera = packages.hasSystemFeature(PackageManager.FEATURE_CAMERA);
        boolean nfc = packages.hasSystemFeature(PackageManager.FEATURE_NFC);
        boolean all = packages.getSystemAvailableFeatures().length > 20;
        result("camera " + camera + ", nfc " + nfc + ", all " + all);
    }

    private void volume() {
        StorageManager storage = getSystemService(StorageManager.class);
        result(storage.getStorageVolumes().size() + " volume " + storage.getPrimaryStorageVolume().isEmulated());
    }

    private void signature() {
        try {
            int both = PackageManager.GET_SIGNATURES | PackageManager.GET_SIGNING_CERTIFICATES;
            PackageInfo info = getPackageManager().getPackageInfo(getPackageName(), both);
            result("signed " + info.signatures[0].equals(info.signingInfo.getApkContentsSigners()[0]));
        } catch (PackageManager.NameNotFoundException e) {
            result(e.toString());
        }
    }

    private void blur() {
        RenderScript script = RenderScript.create(this);
        Bitmap picture = Bitmap.createBitmap(8, 8, Bitmap.Config.ARGB_8888);
        picture.eraseColor(0xff123456);
        Bitmap blurred = Bitmap.createBitmap(8, 8, Bitmap.Config.ARGB_8888);
        Allocation from = Allocation.createFromBitmap(script, picture);
        Allocation to = Allocation.createTyped(script, from.getType());
        ScriptIntrinsicBlur blur = ScriptIntrinsicBlur.create(script, Element.U8_4(script));
        blur.setRadius(5);
        blur.setInput(from);
        blur.forEach(to);
        to.copyTo(blurred);
        script.destroy();
        result("blurred " + Integer.toHexString(blurred.getPixel(3, 3)));
    }
}
