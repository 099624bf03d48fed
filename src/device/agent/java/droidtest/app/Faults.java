package droidtest.app;

import android.app.AlarmManager;
import android.content.ComponentCallbacks;
import android.content.ComponentCallbacks2;
import android.content.Intent;
import android.content.pm.ActivityInfo;
import android.content.res.Configuration;
import android.content.res.Resources;
import droidtest.host.Host;
import droidtest.host.box.Clock;
import droidtest.host.box.Space;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TimeZone;
import java.util.concurrent.CopyOnWriteArrayList;
import org.robolectric.shadows.ShadowAlarmManager;
import org.robolectric.util.ReflectionHelpers;
import org.robolectric.util.ReflectionHelpers.ClassParameter;

/** Faults and changes around the app. {@link Survivors} handles the end of the process. */
final class Faults {
  private static final float LARGER = 1.3f;
  private static final String FAR = "Pacific/Auckland";
  private static final String REVOKED = "permission-revoked";
  private static final long DAY_MS = 86_400_000;
  /** From Android 8 on, a receiver in the manifest does not get most broadcasts that are sent to all. */
  private static final int QUIET_SDK = 26;
  private static final int ALARM_BY_DATE = AlarmManager.RTC;

  /** Alarms by date follow the date. */
  static final List<ShadowAlarmManager> ALARMS = new CopyOnWriteArrayList<>();

  private final SystemServer system;
  private final Locale first = Resources.getSystem().getConfiguration().getLocales().get(0);

  Faults(SystemServer system) {
    this.system = system;
  }

  /** Every life starts at the same place. */
  static void forget() {
    if (TimeZone.getDefault().getID().equals(FAR)) {
      TimeZone.setDefault(TimeZone.getTimeZone("UTC"));
    }
    Clock.moveDate(0);
    ALARMS.clear();
    Connectivity.forget();
  }

  /** Whether it ends the process. A permission that was not granted cannot be revoked. */
  static boolean endsProcess(Object name) {
    return "process-death".equals(name) || REVOKED.equals(name) && AppProcess.permissions().revocable() != null;
  }

  /** What happens while the app is in the background, before its process ends. */
  static void beforeTheEnd(Object name) throws IOException {
    if (REVOKED.equals(name)) {
      AppProcess.permissions().revoke(AppProcess.permissions().revocable());
    }
  }

  /** Null when done, else why not. */
  String bring(String name) {
    Configuration now = Resources.getSystem().getConfiguration();
    switch (name) {
      case "low-memory":
        lowMemory();
        return null;
      case "night-mode":
        boolean night = (now.uiMode & Configuration.UI_MODE_NIGHT_MASK) == Configuration.UI_MODE_NIGHT_YES;
        system.rotation.configure(night ? "+notnight" : "+night", now.fontScale, ActivityInfo.CONFIG_UI_MODE);
        return null;
      case "font-scale":
        system.rotation.configure(null, now.fontScale == 1 ? LARGER : 1, ActivityInfo.CONFIG_FONT_SCALE);
        return null;
      case "locale":
        language(now.getLocales().get(0));
        return null;
      case "time-zone":
        boolean far = TimeZone.getDefault().getID().equals(FAR);
        TimeZone.setDefault(TimeZone.getTimeZone(far ? "UTC" : FAR));
        tell(new Intent(Intent.ACTION_TIMEZONE_CHANGED).putExtra("time-zone", TimeZone.getDefault().getID()));
        return null;
      case "low-storage":
        storage();
        return null;
      case "date-change":
        nextDay();
        return null;
      case "screen-size":
        system.rotation.resize();
        return null;
      case "offline":
        if (Connectivity.toggle()) {
          tellRegistered(Connectivity.change(), false);
        }
        return null;
      case REVOKED:
        // There is none to take back.
        return null;
      default:
        return "bad fault " + name;
    }
  }

  private void language(Locale now) {
    Locale other = first.getLanguage().equals("de") ? Locale.US : Locale.GERMANY;
    Locale next = now.equals(first) ? other : first;
    String region = next.getCountry().isEmpty() ? "" : "-r" + next.getCountry();
    float scale = Resources.getSystem().getConfiguration().fontScale;
    Locale.setDefault(next);
    system.rotation.configure(
        "+" + next.getLanguage() + region, scale, ActivityInfo.CONFIG_LOCALE | ActivityInfo.CONFIG_LAYOUT_DIRECTION);
    tell(new Intent(Intent.ACTION_LOCALE_CHANGED));
  }

  private void storage() {
    Storage.fill(!Space.full());
    String low = Intent.ACTION_DEVICE_STORAGE_LOW;
    if (!Space.full()) {
      system.broadcasts.unstick(low);
    }
    tellRegistered(new Intent(Space.full() ? low : Intent.ACTION_DEVICE_STORAGE_OK), Space.full());
  }

  private void nextDay() {
    Clock.moveDate(Clock.movedDate() + DAY_MS);
    for (ShadowAlarmManager alarms : ALARMS) {
      for (ShadowAlarmManager.ScheduledAlarm alarm : alarms.getScheduledAlarms()) {
        if (alarm.getType() <= ALARM_BY_DATE) {
          ReflectionHelpers.callInstanceMethod(alarm, "deschedule");
          ReflectionHelpers.callInstanceMethod(alarm, "schedule");
        }
      }
    }
    tell(new Intent(Intent.ACTION_TIME_CHANGED));
    tellRegistered(new Intent(Intent.ACTION_DATE_CHANGED), false);
  }

  /** Broadcasts for receivers registered at run time; for older apps also for those of the manifest. */
  private void tellRegistered(Intent intent, boolean sticky) {
    if (Host.options().targetSdk() >= QUIET_SDK) {
      intent.addFlags(Intent.FLAG_RECEIVER_REGISTERED_ONLY);
    }
    system.broadcasts.send(intent.setPackage(AppProcess.packageName()), null, null, 0, null, null, false, sticky);
  }

  private void tell(Intent intent) {
    system.broadcasts.send(intent.setPackage(AppProcess.packageName()), null, null, 0, null, null, false, false);
  }

  private static void lowMemory() {
    List<ComponentCallbacks> all =
        ReflectionHelpers.callInstanceMethod(
            SystemServer.thread(), "collectComponentCallbacks", ClassParameter.from(boolean.class, true));
    for (ComponentCallbacks one : new ArrayList<>(all)) {
      if (one instanceof ComponentCallbacks2) {
        ((ComponentCallbacks2) one).onTrimMemory(ComponentCallbacks2.TRIM_MEMORY_RUNNING_CRITICAL);
      }
    }
    for (ComponentCallbacks one : new ArrayList<>(all)) {
      one.onLowMemory();
    }
  }
}
