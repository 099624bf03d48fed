package org.droidtest.probe;

import android.graphics.Bitmap;
import android.graphics.BitmapFactory;
import android.graphics.ImageFormat;
import android.graphics.SurfaceTexture;
import android.hardware.camera2.CameraAccessException;
import android.hardware.camera2.CameraCaptureSession;
import android.hardware.camera2.CameraDevice;
import android.hardware.camera2.CameraManager;
import android.hardware.camera2.CaptureRequest;
import android.hardware.camera2.CaptureResult;
import android.hardware.camera2.TotalCaptureResult;
import android.hardware.camera2.params.OutputConfiguration;
import android.hardware.camera2.params.SessionConfiguration;
import android.media.Image;
import android.media.ImageReader;
import android.view.Surface;
import android.view.TextureView;
import android.widget.LinearLayout;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;

/** What a camera delivers through camera2: pictures, frames to look at, frames to analyse, results. */
public final class CameraActivity extends Screen {
    private final Executor elsewhere = Executors.newSingleThreadExecutor();
    private CameraDevice camera;
    private String order = "";
    private Image kept;
    private int frames;
    private int results;
    private int updates;

    @Override
    void fill() {
        button(R.id.still, this::still);
        button(R.id.burst, this::burst);
        button(R.id.analyse, this::analyse);
        button(R.id.close_image, this::closeImage);
        button(R.id.counts, () -> result(frames + " frames, results " + (results > frames)));
        button(R.id.preview, this::preview);
        button(R.id.after_close, this::afterClose);
    }

    private void step(String what) {
        main.post(
                () -> {
                    order = order.isEmpty() ? what : order + ", " + what;
                    result(order);
                });
    }

    private interface Ready {
        void ready(CameraCaptureSession session) throws CameraAccessException;
    }

    /** Opens a camera with a session for these surfaces. */
    private void open(String id, List<Surface> surfaces, Ready ready) {
        order = "";
        if (camera != null) {
            camera.close();
        }
        try {
            getSystemService(CameraManager.class).openCamera(id, new Opened(surfaces, ready), main);
        } catch (CameraAccessException e) {
            result(e.toString());
        }
    }

    private final class Opened extends CameraDevice.StateCallback {
        private final List<Surface> surfaces;
        private final Ready ready;

        Opened(List<Surface> surfaces, Ready ready) {
            this.surfaces = surfaces;
            this.ready = ready;
        }

        @Override
        public void onOpened(CameraDevice opened) {
            camera = opened;
            OutputConfiguration[] outputs =
                    surfaces.stream().map(OutputConfiguration::new).toArray(OutputConfiguration[]::new);
            try {
                opened.createCaptureSession(
                        new SessionConfiguration(
                                SessionConfiguration.SESSION_REGULAR, Arrays.asList(outputs), elsewhere,
                                new Configured(ready)));
            } catch (CameraAccessException e) {
                result(e.toString());
            }
        }

        @Override
        public void onDisconnected(CameraDevice opened) {
            step("disconnected");
        }

        @Override
        public void onError(CameraDevice opened, int error) {
            step("error " + error);
        }
    }

    private final class Configured extends CameraCaptureSession.StateCallback {
        private final Ready ready;

        Configured(Ready ready) {
            this.ready = ready;
        }

        @Override
        public void onConfigured(CameraCaptureSession session) {
            try {
                ready.ready(session);
            } catch (CameraAccessException e) {
                step(e.toString());
            }
        }

        @Override
        public void onConfigureFailed(CameraCaptureSession session) {
            step("failed");
        }

        @Override
        public void onReady(CameraCaptureSession session) {
            step("ready");
        }

        @Override
        public void onClosed(CameraCaptureSession session) {
            step("closed");
        }
    }

    private CaptureRequest request(int template, Surface target) throws CameraAccessException {
        CaptureRequest.Builder made = camera.createCaptureRequest(template);
        made.addTarget(target);
        return made.build();
    }

    private final class Told extends CameraCaptureSession.CaptureCallback {
        @Override
        public void onCaptureStarted(CameraCaptureSession session, CaptureRequest request, long time, long frame) {
            step("started " + (time > 0));
        }

        @Override
        public void onCaptureCompleted(
                CameraCaptureSession session, CaptureRequest request, TotalCaptureResult result) {
            step(
                    "completed " + result.get(CaptureResult.CONTROL_AF_STATE)
                            + " " + result.get(CaptureResult.CONTROL_AE_STATE)
                            + " " + (result.getRequest() == request));
        }

        @Override
        public void onCaptureSequenceCompleted(CameraCaptureSession session, int sequence, long frame) {
            step("sequence of " + frame);
        }

        @Override
        public void onCaptureSequenceAborted(CameraCaptureSession session, int sequence) {
            step("aborted");
        }
    }

    /** As many apps do: the frames stop before the picture is taken. */
    private void still() {
        ImageReader reader = ImageReader.newInstance(640, 480, ImageFormat.JPEG, 2);
        reader.setOnImageAvailableListener(
                from -> {
                    try (Image image = from.acquireNextImage()) {
                        ByteBuffer bytes = image.getPlanes()[0].getBuffer();
                        byte[] data = new byte[bytes.remaining()];
                        bytes.get(data);
                        Bitmap picture = BitmapFactory.decodeByteArray(data, 0, data.length);
                        step("picture " + picture.getWidth() + "x" + picture.getHeight());
                    }
                },
                main);
        open(
                "0",
                Collections.singletonList(reader.getSurface()),
                session -> {
                    CaptureRequest request = request(CameraDevice.TEMPLATE_STILL_CAPTURE, reader.getSurface());
                    session.setRepeatingRequest(request, null, null);
                    session.stopRepeating();
                    session.abortCaptures();
                    session.capture(request, new Told(), main);
                });
    }

    /** On a thread without a looper. */
    private void burst() {
        ImageReader reader = ImageReader.newInstance(640, 480, ImageFormat.JPEG, 2);
        open(
                "1",
                Collections.singletonList(reader.getSurface()),
                session -> {
                    CaptureRequest request = request(CameraDevice.TEMPLATE_STILL_CAPTURE, reader.getSurface());
                    session.captureBurstRequests(Arrays.asList(request, request), elsewhere, new Told());
                });
    }

    /** The reader has room for one image, which is not closed. */
    private void analyse() {
        ImageReader reader = ImageReader.newInstance(320, 240, ImageFormat.YUV_420_888, 1);
        frames = 0;
        results = 0;
        reader.setOnImageAvailableListener(
                from -> {
                    kept = from.acquireNextImage();
                    frames++;
                    Image.Plane[] planes = kept.getPlanes();
                    step(
                            planes.length + " planes " + planes[0].getBuffer().remaining()
                                    + " " + planes[1].getBuffer().remaining()
                                    + " " + (planes[0].getBuffer().get(0) & 0xff));
                },
                main);
        CameraCaptureSession.CaptureCallback count =
                new CameraCaptureSession.CaptureCallback() {
                    @Override
                    public void onCaptureCompleted(
                            CameraCaptureSession session, CaptureRequest request, TotalCaptureResult result) {
                        results++;
                        if (kept != null && kept.getTimestamp() != result.get(CaptureResult.SENSOR_TIMESTAMP)) {
                            step("another time");
                        }
                    }
                };
        open(
                "0",
                Collections.singletonList(reader.getSurface()),
                session ->
                        session.setRepeatingRequest(
                                request(CameraDevice.TEMPLATE_PREVIEW, reader.getSurface()), count, main));
    }

    private void closeImage() {
        order = "";
        kept.close();
        kept = null;
    }

    private void preview() {
        TextureView view = new TextureView(this);
        order = "";
        updates = 0;
        view.setSurfaceTextureListener(
                new TextureView.SurfaceTextureListener() {
                    @Override
                    public void onSurfaceTextureAvailable(SurfaceTexture texture, int width, int height) {
                        Surface surface = new Surface(texture);
                        open(
                                "0",
                                Collections.singletonList(surface),
                                session ->
                                        session.setRepeatingRequest(
                                                request(CameraDevice.TEMPLATE_PREVIEW, surface), null, null));
                        step("available " + height + " " + view.isAvailable());
                    }

                    @Override
                    public void onSurfaceTextureSizeChanged(SurfaceTexture texture, int width, int height) {
                        step("size");
                    }

                    @Override
                    public boolean onSurfaceTextureDestroyed(SurfaceTexture texture) {
                        step("destroyed");
                        return true;
                    }

                    @Override
                    public void onSurfaceTextureUpdated(SurfaceTexture texture) {
                        if (++updates == 3) {
                            step("updated");
                        }
                        if (updates == 4) {
                            ((LinearLayout) view.getParent()).removeView(view);
                        }
                    }
                });
        add(view);
        view.getLayoutParams().height = 100;
    }

    private void afterClose() {
        ImageReader reader = ImageReader.newInstance(640, 480, ImageFormat.JPEG, 2);
        open(
                "0",
                Collections.singletonList(reader.getSurface()),
                session -> {
                    CaptureRequest request = request(CameraDevice.TEMPLATE_STILL_CAPTURE, reader.getSurface());
                    session.close();
                    try {
                        session.capture(request, null, null);
                    } catch (IllegalStateException e) {
                        step("refused");
                    }
                    reader.close();
                    step("" + reader.acquireNextImage());
                });
    }
}
