package droidtest.app;

import android.content.ComponentCallbacks;
import android.content.ComponentCallbacks2;
import android.content.Intent;
import android.content.pm.ActivityInfo;
import android.content.res.Configuration;
import android.content.res.Resources;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TimeZone;
import org.robolectric.util.ReflectionHelpers;
import org.robolectric.util.ReflectionHelpers.ClassParameter;

/** What goes wrong around the app, or changes under it. The end of the process is {@link Survivors}' business. */
final class Faults {
  private static final float LARGER = 1.3f;
  private static final String FAR = "Pacific/Auckland";

  private final SystemServer system;
  private final Locale first = Resources.getSystem().getConfiguration().getLocales().get(0);

  Faults(SystemServer system) {
    this.system = system;
  }

  /** Every life begins at the same place. */
  static void forget() {
    if (TimeZone.getDefault().getID().equals(FAR)) {
      TimeZone.setDefault(TimeZone.getTimeZone("UTC"));
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
