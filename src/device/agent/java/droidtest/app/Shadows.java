package droidtest.app;

import android.app.ActivityTaskManager;
import android.app.AlarmManager;
import android.app.IActivityTaskManager;
import android.app.LoadedApk;
import android.app.PendingIntent;
import android.app.SearchManager;
import android.app.SearchableInfo;
import android.appwidget.AppWidgetManager;
import android.content.ComponentName;
import android.content.Context;
import android.content.Intent;
import android.content.pm.ActivityInfo;
import android.content.pm.LauncherActivityInfo;
import android.content.pm.LauncherApps;
import android.content.pm.PackageManager;
import android.content.pm.ShortcutInfo;
import android.graphics.Point;
import android.graphics.Rect;
import android.location.LocationManager;
import android.net.Uri;
import android.os.Bundle;
import android.os.Environment;
import android.os.Handler;
import android.os.Looper;
import android.os.Message;
import android.os.SystemClock;
import android.os.UserHandle;
import android.os.UserManager;
import android.provider.Settings;
import android.speech.tts.TextToSpeech;
import android.telephony.TelephonyManager;
import android.widget.Magnifier;
import android.widget.RemoteViews;
import droidtest.host.box.Clock;
import java.io.File;
import java.util.List;
import java.util.Locale;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.annotation.RealObject;
import org.robolectric.shadows.ShadowActivityTaskManager;
import org.robolectric.shadows.ShadowAlarmManager;
import org.robolectric.shadows.ShadowAppWidgetManager;
import org.robolectric.shadows.ShadowEnvironment;
import org.robolectric.shadows.ShadowLauncherApps;
import org.robolectric.shadows.ShadowLoadedApk;
import org.robolectric.shadows.ShadowLocationManager;
import org.robolectric.shadows.ShadowPendingIntent;
import org.robolectric.shadows.ShadowSearchManager;
import org.robolectric.shadows.ShadowTelephonyManager;
import org.robolectric.shadows.ShadowTextToSpeech;
import org.robolectric.shadows.ShadowUserManager;
import org.robolectric.util.ReflectionHelpers;
import org.robolectric.util.ReflectionHelpers.ClassParameter;

/** The points where the framework accesses the system and the app's classes. */
public final class Shadows {
  private Shadows() {}

  /** Gives the framework our activity task manager. */
  @Implements(value = ActivityTaskManager.class, isInAndroidSdk = false)
  public static class OfActivityTaskManager extends ShadowActivityTaskManager {
    @Implementation
    protected static IActivityTaskManager getService() {
      return SystemServer.activityTaskManager();
    }
  }

  /** Gives the framework the app's class loader of this process life. */
  @Implements(value = LoadedApk.class, isInAndroidSdk = false)
  public static class OfLoadedApk extends ShadowLoadedApk {
    @Override
    @Implementation
    public ClassLoader getClassLoader() {
      return AppProcess.loaderOrBoot();
    }

    @Override
    @Implementation
    public ClassLoader getSplitClassLoader(String splitName) {
      return AppProcess.loaderOrBoot();
    }
  }

  /** The user has unlocked the device, whichever way the framework asks. */
  @Implements(UserManager.class)
  public static class OfUserManager extends ShadowUserManager {
    @Implementation
    protected boolean isUserUnlocked(int user) {
      return true;
    }

    @Implementation
    protected boolean isUserUnlockingOrUnlocked(int user) {
      return true;
    }
  }

  /** The shared storage is there whichever way it is asked about, not only as a whole. */
  @Implements(Environment.class)
  public static class OfEnvironment extends ShadowEnvironment {
    @Implementation
    protected static String getExternalStorageState(File path) {
      return shared(path) ? Environment.MEDIA_MOUNTED : Environment.MEDIA_UNKNOWN;
    }

    @Implementation
    protected static String getStorageState(File path) {
      return getExternalStorageState(path);
    }

    @Implementation
    protected static boolean isExternalStorageEmulated(File path) {
      return shared(path);
    }

    private static boolean shared(File path) {
      return path.toPath().normalize().startsWith(AppProcess.sdcard());
    }
  }

  /** A pending intent acts as the app itself. */
  @Implements(PendingIntent.class)
  public static class OfPendingIntent extends ShadowPendingIntent {
    @Override
    @Implementation
    protected void send(
        Context context, int code, Intent fillIn, PendingIntent.OnFinished finished, Handler handler, String permission,
        Bundle options)
        throws PendingIntent.CanceledException {
      if (isCanceled()) {
        throw new PendingIntent.CanceledException();
      }
      PendingIntents.send(this, code, fillIn);
      if ((getFlags() & PendingIntent.FLAG_ONE_SHOT) != 0) {
        cancel();
      }
      if (finished != null) {
        Runnable tell = () -> finished.onSendFinished(pending, getSavedIntent(), code, null, null);
        (handler != null ? handler : new Handler(Looper.getMainLooper())).post(tell);
      }
    }

    @RealObject private PendingIntent pending;
  }

  /** Wall-clock alarms fire too: Robolectric interprets a date as milliseconds since the start. */
  @Implements(AlarmManager.class)
  public static class OfAlarmManager extends ShadowAlarmManager {
    public OfAlarmManager() {
      Handler byDate =
          new Handler(Looper.getMainLooper()) {
            @Override
            public boolean sendMessageAtTime(Message message, long uptime) {
              // One whose date has passed is due now; a time before the start would be none at all.
              long due = uptime >= Clock.EPOCH_MS ? uptime - Clock.epoch() : uptime;
              return super.sendMessageAtTime(message, Math.max(due, SystemClock.uptimeMillis()));
            }
          };
      ReflectionHelpers.setField(ShadowAlarmManager.class, this, "schedulingHandler", byDate);
      Faults.ALARMS.add(this);
    }
  }

  /** No magnifying glass: it copies pixels from a surface, and is not visible. */
  @Implements(Magnifier.class)
  public static class OfMagnifier {
    @Implementation
    protected void show(float x, float y) {
      // Nothing is shown.
    }

    @Implementation
    protected void show(float x, float y, float atX, float atY) {
      // Nothing is shown.
    }

    @Implementation
    protected Point getPosition() {
      return null;
    }
  }

  /** Known by those who deliver places. */
  @Implements(LocationManager.class)
  public static class OfLocationManager extends ShadowLocationManager {
    public OfLocationManager() {
      Senses.PLACES.add(this);
    }

    @Implementation
    protected void addProximityAlert(
        double latitude, double longitude, float radius, long expiration, PendingIntent intent) {
      Alert.add(latitude, longitude, radius, expiration, intent);
    }

    @Implementation
    protected void removeProximityAlert(PendingIntent intent) {
      Alert.remove(intent);
    }
  }

  /** Known by those who query its listeners. */
  @Implements(TelephonyManager.class)
  public static class OfTelephonyManager extends ShadowTelephonyManager {
    public OfTelephonyManager() {
      Senses.PHONES.add(this);
    }
  }

  /** The app is not the home screen, so that other apps' shortcuts are not its business. */
  @Implements(LauncherApps.class)
  public static class OfLauncherApps extends ShadowLauncherApps {
    @Override
    @Implementation
    protected List<ShortcutInfo> getShortcuts(LauncherApps.ShortcutQuery query, UserHandle user) {
      throw new SecurityException("Caller can't access shortcut information");
    }

    @Override
    @Implementation
    protected List<LauncherActivityInfo> getActivityList(String packageName, UserHandle user) {
      return StockApps.onHomeScreen(packageName);
    }

    @Override
    @Implementation
    protected void startAppDetailsActivity(ComponentName component, UserHandle user, Rect bounds, Bundle options) {
      Uri app = Uri.fromParts("package", component.getPackageName(), null);
      Intent details = new Intent(Settings.ACTION_APPLICATION_DETAILS_SETTINGS, app);
      AppProcess.application().startActivity(details.addFlags(Intent.FLAG_ACTIVITY_NEW_TASK));
    }
  }

  /** An activity's searchable metadata in the manifest. */
  @Implements(SearchManager.class)
  public static class OfSearchManager extends ShadowSearchManager {
    @Override
    @Implementation
    protected SearchableInfo getSearchableInfo(ComponentName component) {
      try {
        ActivityInfo activity = SystemServer.packages().getActivityInfo(component, PackageManager.GET_META_DATA);
        return ReflectionHelpers.callStaticMethod(
            SearchableInfo.class,
            "getActivityMetaData",
            ClassParameter.from(Context.class, AppProcess.application()),
            ClassParameter.from(ActivityInfo.class, activity),
            ClassParameter.from(int.class, 0));
      } catch (PackageManager.NameNotFoundException e) {
        return null;
      }
    }
  }

  /** No home screen shows the app's widgets: updates are discarded. */
  @Implements(AppWidgetManager.class)
  public static class OfAppWidgetManager extends ShadowAppWidgetManager {
    @Override
    @Implementation
    protected void updateAppWidget(int[] ids, RemoteViews views) {
      // The service drops what is for a widget it does not know.
    }

    @Override
    @Implementation
    protected void updateAppWidget(int id, RemoteViews views) {
      // The same.
    }
  }

  /** The engine that every Android has: it is ready soon, and speaks the device's language and English. */
  @Implements(TextToSpeech.class)
  public static class OfTextToSpeech extends ShadowTextToSpeech {
    @Override
    @Implementation
    protected void __constructor__(
        Context context, TextToSpeech.OnInitListener listener, String engine, String packageName, boolean fallback) {
      addLanguageAvailability(Locale.getDefault());
      addLanguageAvailability(Locale.US);
      super.__constructor__(context, listener, engine, packageName, fallback);
      if (listener != null) {
        new Handler(Looper.getMainLooper()).post(() -> listener.onInit(TextToSpeech.SUCCESS));
      }
    }
  }
}
