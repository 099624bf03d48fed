package droidtest.app;

import android.content.ContentResolver;
import android.provider.Settings;
import droidtest.host.Host;

/** The system settings and the storage of a phone fresh from its box; Robolectric's start out empty, which no device's are. */
final class FreshSettings {
  private static final String KEYBOARD = "com.android.inputmethod.latin/.LatinIME";

  private FreshSettings() {}

  static void put(ContentResolver to) {
    Storage.fill(false);
    secure(to, Settings.Secure.ANDROID_ID, String.format("%016x", 0x9e3779b97f4a7c15L * (Host.options().seed() + 1)));
    secure(to, Settings.Secure.DEFAULT_INPUT_METHOD, KEYBOARD);
    secure(to, Settings.Secure.ENABLED_INPUT_METHODS, KEYBOARD);
    system(to, Settings.System.SCREEN_BRIGHTNESS, 102);
    system(to, Settings.System.SCREEN_BRIGHTNESS_MODE, 0);
    system(to, Settings.System.SCREEN_OFF_TIMEOUT, 60_000);
    system(to, Settings.System.ACCELEROMETER_ROTATION, 1);
    system(to, Settings.System.HAPTIC_FEEDBACK_ENABLED, 1);
    system(to, Settings.System.SOUND_EFFECTS_ENABLED, 1);
    global(to, Settings.Global.AIRPLANE_MODE_ON, 0);
    global(to, Settings.Global.AUTO_TIME, 1);
    global(to, Settings.Global.AUTO_TIME_ZONE, 1);
    global(to, Settings.Global.ADB_ENABLED, 0);
    global(to, Settings.Global.WIFI_ON, 1);
    global(to, Settings.Global.BLUETOOTH_ON, 0);
    // As on every test device: animators end immediately, so an event has settled when it returns.
    Settings.Global.putFloat(to, Settings.Global.ANIMATOR_DURATION_SCALE, 0);
    Settings.Global.putFloat(to, Settings.Global.TRANSITION_ANIMATION_SCALE, 0);
    Settings.Global.putFloat(to, Settings.Global.WINDOW_ANIMATION_SCALE, 0);
  }

  /** What an app has changed stays unchanged. */
  private static void secure(ContentResolver to, String name, String value) {
    if (Settings.Secure.getString(to, name) == null) {
      Settings.Secure.putString(to, name, value);
    }
  }

  private static void system(ContentResolver to, String name, int value) {
    if (Settings.System.getInt(to, name, Integer.MIN_VALUE) == Integer.MIN_VALUE) {
      Settings.System.putInt(to, name, value);
    }
  }

  private static void global(ContentResolver to, String name, int value) {
    if (Settings.Global.getInt(to, name, Integer.MIN_VALUE) == Integer.MIN_VALUE) {
      Settings.Global.putInt(to, name, value);
    }
  }
}
