package droidtest.app;

import android.Manifest;
import android.content.pm.PackageManager;
import android.hardware.Camera;
import android.os.Handler;
import android.os.Looper;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.annotation.RealObject;
import org.robolectric.shadows.ShadowCamera;
import org.robolectric.util.ReflectionHelpers;
import org.robolectric.util.ReflectionHelpers.ClassParameter;

/** The phone's cameras, as the old interface has them: they see grey, and report their results later. */
@Implements(Camera.class)
@SuppressWarnings("deprecation")
public class Cameras extends ShadowCamera {
  private static final int FOCUS_MS = 200;
  private static final int SHUTTER_MS = 50;
  private static final int PICTURE_MS = 100;

  private static final String COMMON =
      "preview-size=640x480;preview-size-values=1280x960,1280x720,640x480,320x240;"
          + "preferred-preview-size-for-video=1280x720;video-size-values=1280x720,640x480,320x240;"
          + "preview-format=yuv420sp;preview-format-values=yuv420sp,yuv420p;"
          + "preview-frame-rate=30;preview-frame-rate-values=15,30;"
          + "preview-fps-range=15000,30000;preview-fps-range-values=(15000,30000),(30000,30000);"
          + "picture-size=1600x1200;picture-size-values=1600x1200,1280x960,1280x720,640x480,320x240;"
          + "picture-format=jpeg;picture-format-values=jpeg;jpeg-quality=90;jpeg-thumbnail-quality=90;"
          + "jpeg-thumbnail-width=320;jpeg-thumbnail-height=240;jpeg-thumbnail-size-values=320x240,0x0;"
          + "whitebalance=auto;whitebalance-values=auto,incandescent,fluorescent,daylight,cloudy-daylight;"
          + "effect=none;effect-values=none,mono,negative,sepia;scene-mode=auto;scene-mode-values=auto,night,sports;"
          + "antibanding=auto;antibanding-values=off,50hz,60hz,auto;focal-length=3.5;"
          + "horizontal-view-angle=60.0;vertical-view-angle=47.0;exposure-compensation=0;"
          + "max-exposure-compensation=6;min-exposure-compensation=-6;exposure-compensation-step=0.333333;"
          + "zoom=0;max-zoom=6;zoom-ratios=100,125,150,175,200,300,400;zoom-supported=true;"
          + "smooth-zoom-supported=false;focus-distances=0.95,1.9,Infinity;max-num-metering-areas=1;"
          + "max-num-detected-faces-hw=0;max-num-detected-faces-sw=0;recording-hint=false;"
          + "video-snapshot-supported=true;video-stabilization-supported=false;auto-exposure-lock=false;"
          + "auto-exposure-lock-supported=true;auto-whitebalance-lock=false;auto-whitebalance-lock-supported=true";
  private static final String BACK =
      ";flash-mode=off;flash-mode-values=off,auto,on,torch;max-num-focus-areas=1;focus-mode=auto;"
          + "focus-mode-values=auto,infinity,macro,continuous-picture,continuous-video";
  private static final String FRONT = ";max-num-focus-areas=0;focus-mode=fixed;focus-mode-values=fixed";

  @RealObject private Camera camera;
  private String settings;
  private int focusing;

  @Implementation
  protected static int getNumberOfCameras() {
    return Lenses.COUNT;
  }

  @Implementation
  protected static void getCameraInfo(int id, Camera.CameraInfo info) {
    if (id < 0 || id >= Lenses.COUNT) {
      throw new RuntimeException("Unknown camera ID");
    }
    info.facing = id == Lenses.BACK ? Camera.CameraInfo.CAMERA_FACING_BACK : Camera.CameraInfo.CAMERA_FACING_FRONT;
    info.orientation = Lenses.orientation(id);
    info.canDisableShutterSound = true;
  }

  @Implementation
  protected static Camera open() {
    return open(Lenses.BACK);
  }

  @Implementation
  protected static Camera open(int id) {
    int allowed = AppProcess.application().checkSelfPermission(Manifest.permission.CAMERA);
    if (id < 0 || id >= Lenses.COUNT || allowed != PackageManager.PERMISSION_GRANTED) {
      throw new RuntimeException("Fail to connect to camera service");
    }
    return ShadowCamera.open(id);
  }

  /** A copy, as on Android: what is changed counts when it is set. */
  @Override
  @Implementation
  protected Camera.Parameters getParameters() {
    use();
    if (settings == null) {
      settings = COMMON + (ReflectionHelpers.<Integer>getField(this, "id") == Lenses.BACK ? BACK : FRONT);
    }
    Camera.Parameters copy =
        ReflectionHelpers.callConstructor(Camera.Parameters.class, ClassParameter.from(Camera.class, camera));
    copy.unflatten(settings);
    return copy;
  }

  @Override
  @Implementation
  protected void setParameters(Camera.Parameters parameters) {
    use();
    settings = parameters.flatten();
  }

  @Override
  @Implementation
  protected void startPreview() {
    use();
    super.startPreview();
  }

  /** Turns the preview only; Robolectric turns the camera itself. */
  @Override
  @Implementation
  protected void setDisplayOrientation(int degrees) {
    use();
  }

  @Override
  @Implementation
  protected boolean enableShutterSound(boolean enabled) {
    return true;
  }

  @Override
  @Implementation
  protected void autoFocus(Camera.AutoFocusCallback callback) {
    use();
    super.autoFocus(callback);
    int focus = ++focusing;
    later(
        FOCUS_MS,
        () -> {
          if (focus == focusing && hasRequestedAutoFocus()) {
            super.cancelAutoFocus();
            if (callback != null) {
              callback.onAutoFocus(true, camera);
            }
          }
        });
  }

  @Override
  @Implementation
  protected void takePicture(
      Camera.ShutterCallback shutter, Camera.PictureCallback raw, Camera.PictureCallback jpeg) {
    takePicture(shutter, raw, null, jpeg);
  }

  /** The preview stops, and there is no picture but the compressed one: Android gives no memory to the others. */
  @Implementation
  protected void takePicture(
      Camera.ShutterCallback shutter, Camera.PictureCallback raw, Camera.PictureCallback small,
      Camera.PictureCallback jpeg) {
    Camera.Size size = getParameters().getPictureSize();
    stopPreview();
    if (shutter != null) {
      later(SHUTTER_MS, shutter::onShutter);
    }
    for (Camera.PictureCallback none : new Camera.PictureCallback[] {raw, small}) {
      if (none != null) {
        later(SHUTTER_MS, () -> none.onPictureTaken(null, camera));
      }
    }
    if (jpeg != null) {
      later(PICTURE_MS, () -> jpeg.onPictureTaken(Jpeg.grey(size.width, size.height), camera));
    }
  }

  private void use() {
    if (isReleased()) {
      throw new RuntimeException("Camera is being used after Camera.release() was called");
    }
  }

  private void later(long ms, Runnable task) {
    new Handler(Looper.getMainLooper())
        .postDelayed(
            () -> {
              if (!isReleased()) {
                task.run();
              }
            },
            ms);
  }
}
