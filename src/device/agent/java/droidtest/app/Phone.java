package droidtest.app;

import android.content.Context;
import android.content.pm.FeatureInfo;
import android.content.pm.PackageManager;
import android.hardware.camera2.CameraManager;
import android.os.Environment;
import android.os.Process;
import android.os.storage.StorageManager;
import android.os.storage.StorageVolume;
import java.io.File;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.robolectric.Shadows;
import org.robolectric.shadows.ShadowCameraManager;
import org.robolectric.shadows.ShadowPackageManager;
import org.robolectric.shadows.ShadowStorageManager;
import org.robolectric.util.ReflectionHelpers;

/** The hardware of a typical phone. Robolectric's device has almost none, and an app that needs some gives up. */
final class Phone {
  private static final Set<String> FEATURES =
      Set.of(
          PackageManager.FEATURE_CAMERA, PackageManager.FEATURE_CAMERA_ANY, PackageManager.FEATURE_CAMERA_FRONT,
          PackageManager.FEATURE_CAMERA_AUTOFOCUS, PackageManager.FEATURE_CAMERA_FLASH,
          PackageManager.FEATURE_BLUETOOTH, PackageManager.FEATURE_BLUETOOTH_LE, PackageManager.FEATURE_LOCATION,
          PackageManager.FEATURE_LOCATION_GPS, PackageManager.FEATURE_LOCATION_NETWORK,
          PackageManager.FEATURE_MICROPHONE, PackageManager.FEATURE_SENSOR_ACCELEROMETER,
          PackageManager.FEATURE_SENSOR_COMPASS, PackageManager.FEATURE_SENSOR_GYROSCOPE,
          PackageManager.FEATURE_SENSOR_LIGHT, PackageManager.FEATURE_SENSOR_PROXIMITY,
          PackageManager.FEATURE_TELEPHONY, PackageManager.FEATURE_TELEPHONY_GSM, PackageManager.FEATURE_WIFI,
          PackageManager.FEATURE_TOUCHSCREEN, PackageManager.FEATURE_TOUCHSCREEN_MULTITOUCH,
          PackageManager.FEATURE_TOUCHSCREEN_MULTITOUCH_DISTINCT,
          PackageManager.FEATURE_TOUCHSCREEN_MULTITOUCH_JAZZHAND, PackageManager.FEATURE_FAKETOUCH,
          PackageManager.FEATURE_SCREEN_PORTRAIT, PackageManager.FEATURE_SCREEN_LANDSCAPE,
          PackageManager.FEATURE_APP_WIDGETS, PackageManager.FEATURE_HOME_SCREEN,
          PackageManager.FEATURE_LIVE_WALLPAPER, PackageManager.FEATURE_AUDIO_OUTPUT, PackageManager.FEATURE_PRINTING,
          PackageManager.FEATURE_WEBVIEW, PackageManager.FEATURE_USB_HOST);
  /** OpenGL ES 3.2. */
  static final int GRAPHICS = 0x30002;
  private static final long NO_LIMIT = 0;

  private Phone() {}

  /** Installs everything; replaces what an earlier process life left. */
  static void install() {
    Context context = AppProcess.application();
    features(Shadows.shadowOf(context.getPackageManager()));
    ShadowCameraManager cameras = Shadows.shadowOf(context.getSystemService(CameraManager.class));
    for (String known : new String[] {"registeredCallbacks", "torchCallbacks"}) {
      ReflectionHelpers.<Set<?>>getStaticField(ShadowCameraManager.class, known).clear();
    }
    ReflectionHelpers.<Map<?, ?>>getStaticField(ShadowCameraManager.class, "cameraIdToCharacteristics").clear();
    for (int id = 0; id < Lenses.COUNT; id++) {
      cameras.addCamera(Integer.toString(id), Lenses.characteristics(id));
    }
    ShadowStorageManager storage = Shadows.shadowOf(context.getSystemService(StorageManager.class));
    storage.resetStorageVolumeList();
    storage.addStorageVolume(shared());
  }

  private static void features(ShadowPackageManager packages) {
    packages.clearSystemAvailableFeatures();
    // In an order that is the same in every process, which that of a set is not.
    for (String name : new TreeSet<>(FEATURES)) {
      packages.setSystemFeature(name, true);
      FeatureInfo feature = new FeatureInfo();
      feature.name = name;
      packages.addSystemAvailableFeature(feature);
    }
    // The graphics version is in the same list, without a name.
    FeatureInfo graphics = new FeatureInfo();
    graphics.reqGlEsVersion = GRAPHICS;
    packages.addSystemAvailableFeature(graphics);
  }

  /** The storage that every phone has, in the same memory as the rest. */
  private static StorageVolume shared() {
    File path = Environment.getExternalStorageDirectory();
    return new StorageVolume(
        "emulated;0", path, path, "Internal shared storage", true, false, true, false, false, NO_LIMIT,
        Process.myUserHandle(), StorageManager.UUID_DEFAULT, null, Environment.MEDIA_MOUNTED);
  }
}
