package org.droidtest.probe;

import android.content.ContentResolver;
import android.content.ContextWrapper;
import android.content.SyncRequest;
import android.content.pm.PackageInfo;
import android.content.pm.PackageManager;
import android.content.res.Resources;
import android.graphics.Bitmap;
import android.graphics.BitmapFactory;
import android.graphics.HardwareRenderer;
import android.graphics.ImageFormat;
import android.graphics.Movie;
import android.graphics.PixelFormat;
import android.graphics.pdf.PdfDocument;
import android.hardware.Camera;
import android.hardware.camera2.CameraAccessException;
import android.hardware.camera2.CameraCharacteristics;
import android.hardware.camera2.CameraManager;
import android.media.ImageReader;
import android.media.MediaScannerConnection;
import android.media.SoundPool;
import android.media.metrics.MediaMetricsManager;
import android.os.Bundle;
import android.os.Handler;
import android.os.Looper;
import android.os.Message;
import android.os.storage.StorageManager;
import android.renderscript.Allocation;
import android.renderscript.Element;
import android.renderscript.RenderScript;
import android.renderscript.ScriptIntrinsicBlur;
import android.webkit.ServiceWorkerController;
import android.webkit.TracingController;
import android.webkit.WebSettings;
import android.webkit.WebStorage;
import android.webkit.WebView;
import android.webkit.WebViewClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.nio.channels.ServerSocketChannel;

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
        button(R.id.web_provider, this::webProvider);
        button(R.id.unsafe, this::unsafe);
        button(R.id.metrics, this::metrics);
        button(R.id.no_service, PartsActivity::cancelSync);
        button(R.id.no_service_said, this::cancelSyncOrSay);
        button(R.id.no_renderer, PartsActivity::renderOffscreen);
        button(R.id.no_native_half, PartsActivity::writeDocument);
        button(R.id.message_in_use, () -> {
            Handler handler = new Handler(Looper.getMainLooper());
            Message message = handler.obtainMessage();
            handler.sendMessage(message);
            handler.sendMessage(message);
        });
        // What AndroidX's ResourcesCompat throws where nothing provides the font.
        button(R.id.no_font, () -> {
            String id = Integer.toHexString(R.font.remote);
            throw new Resources.NotFoundException("Font resource ID #0x" + id + " could not be retrieved.");
        });
        button(R.id.endless_causes, () -> {
            throw new Endless();
        });
        button(R.id.no_native_result, () -> Movie.decodeByteArray(new byte[8], 0, 8).duration());
        button(R.id.no_channel, PartsActivity::openServer);
        button(R.id.no_context, () -> new ContextWrapper(null).getPackageName());
    }

    /** What hybrid frameworks ask before they show a page. */
    private void webProvider() {
        String version = WebView.getCurrentWebViewPackage().versionName;
        boolean files = ServiceWorkerController.getInstance().getServiceWorkerWebSettings().getAllowFileAccess();
        String agent = WebSettings.getDefaultUserAgent(this);
        boolean same = agent.equals(new WebView(this).getSettings().getUserAgentString());
        boolean tracing = TracingController.getInstance().isTracing();
        WebStorage.getInstance().deleteAllData();
        result(version.split("\\.")[0] + " " + files + " " + agent.contains("Android") + " " + same + " " + tracing);
    }

    private static final class Layout {
        long number = 7;
        Object text = "text";
    }

    /** As serializers, queues and libraries that lift the restriction of hidden API use it. */
    private void unsafe() {
        try {
            Class<?> type = Class.forName("sun.misc.Unsafe");
            Object unsafe = type.getDeclaredMethod("getUnsafe").invoke(null);
            Field field = type.getDeclaredField("theUnsafe");
            field.setAccessible(true);
            Method offset = type.getMethod("objectFieldOffset", Field.class);
            Object number = offset.invoke(unsafe, Layout.class.getDeclaredField("number"));
            Object text = offset.invoke(unsafe, Layout.class.getDeclaredField("text"));
            Method get = type.getMethod("getLong", Object.class, long.class);
            Method swap = type.getMethod("compareAndSwapObject", Object.class, long.class, Object.class, Object.class);
            Layout layout = new Layout();
            StringBuilder said = new StringBuilder();
            said.append(unsafe == field.get(null)).append(' ').append(get.invoke(unsafe, layout, number));
            said.append(' ').append(swap.invoke(unsafe, layout, text, "text", "other")).append(layout.text);
            // An object of another class, and of the system, has nothing there.
            said.append(' ').append(get.invoke(unsafe, this, number));
            said.append(' ').append(get.invoke(unsafe, getClass().getClassLoader(), number));
            int base = (Integer) type.getMethod("arrayBaseOffset", Class.class).invoke(unsafe, long[].class);
            said.append(' ').append(get.invoke(unsafe, new long[] {5, 6}, base + 8L));
            said.append(' ').append(get.invoke(unsafe, new long[] {5, 6}, base + 16L));
            Layout bare = (Layout) type.getMethod("allocateInstance", Class.class).invoke(unsafe, Layout.class);
            said.append(' ').append(bare.number);
            result(said.toString());
        } catch (ReflectiveOperationException e) {
            result(e.toString());
        }
    }

    /** Of a service that a phone has, and this device does not. */
    private static void cancelSync() {
        ContentResolver.cancelSync(
                new SyncRequest.Builder().syncOnce().setSyncAdapter(null, "org.droidtest.none").setExtras(new Bundle()).build());
    }

    private void cancelSyncOrSay() {
        try {
            cancelSync();
        } catch (RuntimeException e) {
            throw new IllegalStateException("no sync: " + e);
        }
    }

    private void metrics() {
        MediaMetricsManager metrics = getSystemService(MediaMetricsManager.class);
        String one = metrics.createPlaybackSession().getSessionId().getStringId();
        String other = metrics.createPlaybackSession().getSessionId().getStringId();
        result(!one.isEmpty() + " " + one.equals(other));
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
            CameraCharacteristics back = manager.getCameraCharacteristics("0");
            boolean known = back.getKeys().contains(CameraCharacteristics.LENS_FACING)
                    && !back.getAvailableCaptureRequestKeys().isEmpty()
                    && back.getPhysicalCameraIds().isEmpty();
            result(old + " cameras, " + all + ", " + front.orientation + ", " + (sizes > 0) + ", " + known);
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

    /** As a server in the app does, on its own thread, without a handler for what cannot happen on a phone. */
    private static void openServer() {
        new Thread(() -> {
            try {
                ServerSocketChannel.open().close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }, "server").start();
    }

    /** As an app does that blurs its background by the graphics processor. */
    private static void renderOffscreen() {
        ImageReader reader = ImageReader.newInstance(8, 8, PixelFormat.RGBA_8888, 1);
        new HardwareRenderer().setSurface(reader.getSurface());
    }

    private static void writeDocument() {
        PdfDocument document = new PdfDocument();
        document.startPage(new PdfDocument.PageInfo.Builder(8, 8, 1).create());
    }

    /** Each has another one as its cause. */
    private static final class Endless extends RuntimeException {
        @Override
        public synchronized Throwable getCause() {
            return new Endless();
        }
    }
}
