package droidtest.app;

import android.content.ComponentName;
import android.content.Context;
import android.content.Intent;
import android.content.IntentFilter;
import android.content.pm.ActivityInfo;
import android.content.pm.ApplicationInfo;
import android.content.pm.LauncherActivityInfo;
import android.content.pm.PackageInfo;
import android.content.pm.ResolveInfo;
import android.content.res.AssetManager;
import android.content.res.XmlResourceParser;
import android.os.Build;
import android.os.Process;
import android.os.UserHandle;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.robolectric.Shadows;
import org.robolectric.shadows.ShadowPackageManager;
import org.robolectric.util.ReflectionHelpers;
import org.robolectric.util.ReflectionHelpers.ClassParameter;
import org.xmlpull.v1.XmlPullParser;
import org.xmlpull.v1.XmlPullParserException;

/**
 * The apps that a new phone's home screen shows: launchers, and apps that list apps, find more than themselves there.
 * Who may see them is Android's rule of package visibility, as far as it concerns all of them.
 */
final class StockApps {
  /** Package, activity and name, as in Android's sources; in the order of the names. */
  private static final String[][] APPS = {
    {"com.android.calculator2", "com.android.calculator2.Calculator", "Calculator"},
    {"com.android.calendar", "com.android.calendar.AllInOneActivity", "Calendar"},
    {"com.android.camera2", "com.android.camera.CameraLauncher", "Camera"},
    {"com.android.deskclock", "com.android.deskclock.DeskClock", "Clock"},
    {"com.android.contacts", "com.android.contacts.activities.PeopleActivity", "Contacts"},
    {"com.android.documentsui", "com.android.documentsui.LauncherActivity", "Files"},
    {"com.android.gallery3d", "com.android.gallery3d.app.GalleryActivity", "Gallery"},
    {"com.android.messaging", "com.android.messaging.ui.conversationlist.ConversationListActivity", "Messaging"},
    {"com.android.dialer", "com.android.dialer.main.impl.MainActivity", "Phone"},
    {"com.android.settings", "com.android.settings.Settings", "Settings"},
  };
  /** The first user id of theirs, above those that the system uses itself. */
  private static final int FIRST_UID = 10_050;
  /** 2009-01-01, as of everything in an image of the system. */
  private static final long MADE_MS = 1_230_768_000_000L;
  private static final String ANDROID = "http://schemas.android.com/apk/res/android";

  private StockApps() {}

  /** Makes them known, once for all lives of the process. */
  static void install(Context context, PackageInfo own) {
    if (!visible(context, own)) {
      return;
    }
    ShadowPackageManager packages = Shadows.shadowOf(context.getPackageManager());
    for (int ix = 0; ix < APPS.length; ix++) {
      String[] app = APPS[ix];
      if (packages.getInternalMutablePackageInfo(app[0]) != null) {
        continue;
      }
      PackageInfo info = describe(app, FIRST_UID + ix);
      packages.installPackage(info);
      IntentFilter home = new IntentFilter(Intent.ACTION_MAIN);
      home.addCategory(Intent.CATEGORY_LAUNCHER);
      home.addCategory(Intent.CATEGORY_DEFAULT);
      ComponentName component = new ComponentName(app[0], app[1]);
      packages.addOrUpdateActivity(activity(app, info.applicationInfo));
      packages.addIntentFilterForActivity(component, home);
    }
  }

  /** What {@code LauncherApps} answers: the activities of a package, or of all that the app sees, on the home screen. */
  static List<LauncherActivityInfo> onHomeScreen(String packageName) {
    Context context = AppProcess.application();
    Intent home = new Intent(Intent.ACTION_MAIN).addCategory(Intent.CATEGORY_LAUNCHER).setPackage(packageName);
    List<LauncherActivityInfo> found = new ArrayList<>();
    for (ResolveInfo resolved : context.getPackageManager().queryIntentActivities(home, 0)) {
      found.add(onHomeScreen(context, resolved.activityInfo));
    }
    return found;
  }

  private static LauncherActivityInfo onHomeScreen(Context context, ActivityInfo activity) {
    ClassParameter<Context> in = ClassParameter.from(Context.class, context);
    ClassParameter<ActivityInfo> of = ClassParameter.from(ActivityInfo.class, activity);
    ClassParameter<UserHandle> user = ClassParameter.from(UserHandle.class, Process.myUserHandle());
    if (Build.VERSION.SDK_INT < Build.VERSION_CODES.S) {
      return ReflectionHelpers.callConstructor(LauncherActivityInfo.class, in, of, user);
    }
    try {
      Class<?> states = Class.forName("android.content.pm.IncrementalStatesInfo");
      Class<?> inner = Class.forName("android.content.pm.LauncherActivityInfoInternal");
      boolean named = Build.VERSION.SDK_INT >= Build.VERSION_CODES.UPSIDE_DOWN_CAKE;
      ClassParameter<Boolean> loading = ClassParameter.from(boolean.class, false);
      ClassParameter<Float> progress = ClassParameter.from(float.class, 1f);
      Object installed =
          named
              ? ReflectionHelpers.callConstructor(states, loading, progress, ClassParameter.from(long.class, 0L))
              : ReflectionHelpers.callConstructor(states, loading, progress);
      Object info =
          named
              ? ReflectionHelpers.callConstructor(inner, of, new ClassParameter<>(states, installed), user)
              : ReflectionHelpers.callConstructor(inner, of, new ClassParameter<>(states, installed));
      return named
          ? ReflectionHelpers.callConstructor(LauncherActivityInfo.class, in, new ClassParameter<>(inner, info))
          : ReflectionHelpers.callConstructor(LauncherActivityInfo.class, in, user, new ClassParameter<>(inner, info));
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(e);
    }
  }

  private static PackageInfo describe(String[] app, int uid) {
    PackageInfo info = new PackageInfo();
    info.packageName = app[0];
    info.versionName = Build.VERSION.RELEASE;
    info.setLongVersionCode(Build.VERSION.SDK_INT);
    info.firstInstallTime = MADE_MS;
    info.lastUpdateTime = MADE_MS;
    ApplicationInfo application = new ApplicationInfo();
    application.packageName = app[0];
    application.processName = app[0];
    application.name = "android.app.Application";
    application.nonLocalizedLabel = app[2];
    application.uid = uid;
    application.enabled = true;
    application.flags = ApplicationInfo.FLAG_SYSTEM | ApplicationInfo.FLAG_INSTALLED | ApplicationInfo.FLAG_HAS_CODE;
    application.targetSdkVersion = Build.VERSION.SDK_INT;
    application.minSdkVersion = Build.VERSION.SDK_INT;
    application.sourceDir = "/system/app/" + app[2] + "/" + app[2] + ".apk";
    application.publicSourceDir = application.sourceDir;
    application.dataDir = "/data/user/0/" + app[0];
    application.nativeLibraryDir = "/system/app/" + app[2] + "/lib";
    info.applicationInfo = application;
    return info;
  }

  private static ActivityInfo activity(String[] app, ApplicationInfo application) {
    ActivityInfo activity = new ActivityInfo();
    activity.packageName = app[0];
    activity.processName = app[0];
    activity.name = app[1];
    activity.nonLocalizedLabel = app[2];
    activity.exported = true;
    activity.enabled = true;
    activity.applicationInfo = application;
    return activity;
  }

  /** Apps for Android 10 and older see all; newer ones say what they ask for. */
  private static boolean visible(Context context, PackageInfo own) {
    if (own.applicationInfo.targetSdkVersion < Build.VERSION_CODES.R || Build.VERSION.SDK_INT < Build.VERSION_CODES.R) {
      return true;
    }
    String[] permissions = own.requestedPermissions;
    return permissions != null && Arrays.asList(permissions).contains("android.permission.QUERY_ALL_PACKAGES")
        || asksForHomeScreen(context.getAssets(), own.packageName);
  }

  /** Whether {@code <queries>} of the app's manifest has the intent of the home screen. */
  private static boolean asksForHomeScreen(AssetManager assets, String packageName) {
    // The framework's manifest has the first number, the app's one of the next.
    for (int cookie = 1; ; cookie++) {
      try (XmlResourceParser manifest = assets.openXmlResourceParser(cookie, "AndroidManifest.xml")) {
        if (manifest.next() == XmlPullParser.START_DOCUMENT) {
          manifest.next();
        }
        if (packageName.equals(manifest.getAttributeValue(null, "package"))) {
          return asksForHomeScreen(manifest);
        }
      } catch (FileNotFoundException e) {
        return false;
      } catch (IOException | XmlPullParserException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  private static boolean asksForHomeScreen(XmlPullParser manifest) throws IOException, XmlPullParserException {
    boolean queries = false;
    boolean main = false;
    boolean icons = true;
    while (manifest.next() != XmlPullParser.END_DOCUMENT) {
      boolean start = manifest.getEventType() == XmlPullParser.START_TAG;
      boolean end = manifest.getEventType() == XmlPullParser.END_TAG;
      if (!start && !end) {
        continue;
      }
      String name = start ? manifest.getAttributeValue(ANDROID, "name") : null;
      switch (manifest.getName()) {
        case "queries" -> queries = start;
        case "intent" -> {
          if (end && main && icons) {
            return true;
          }
          main = false;
          icons = true;
        }
        case "action" -> main |= queries && (Intent.ACTION_MAIN.equals(name) || "*".equals(name));
        // An intent without a category asks for all of its action.
        case "category" -> icons &= end || Intent.CATEGORY_LAUNCHER.equals(name);
        default -> {}
      }
    }
    return false;
  }
}
