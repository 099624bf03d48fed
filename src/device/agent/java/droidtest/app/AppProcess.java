package droidtest.app;

import android.app.ActivityThread;
import android.app.AppComponentFactory;
import android.app.Application;
import android.app.Instrumentation;
import android.app.LoadedApk;
import android.content.Context;
import android.content.Intent;
import android.content.pm.ApplicationInfo;
import android.content.pm.PackageInfo;
import android.content.pm.PackageManager;
import android.content.pm.ProviderInfo;
import android.os.Environment;
import android.os.Process;
import android.os.StrictMode;
import android.os.UserManager;
import dalvik.system.BlockGuard;
import droidtest.host.AppClassLoader;
import droidtest.host.Host;
import droidtest.host.Options;
import droidtest.host.box.Folders;
import droidtest.sched.Hashes;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.robolectric.RuntimeEnvironment;
import org.robolectric.nativeruntime.DefaultNativeRuntimeLoader;
import org.robolectric.Shadows;
import org.robolectric.shadows.ShadowAlarmManager;
import org.robolectric.shadows.ShadowChoreographer;
import org.robolectric.shadows.ShadowEnvironment;
import org.robolectric.shadows.ShadowUserManager;
import org.robolectric.util.ReflectionHelpers;
import org.robolectric.util.ReflectionHelpers.ClassParameter;

/**
 * Brings the app's process up as {@code ActivityThread.handleBindApplication} does: class loader, application object,
 * content providers, {@code onCreate}. Robolectric has made the framework ready with a plain application before.
 */
final class AppProcess {
  /** A screen's; Robolectric's is 1 ms, at which an animation is drawn sixteen times too often. */
  private static final Duration FRAME = Duration.ofMillis(16);

  private static volatile AppClassLoader loader;
  private static Application application;
  private static Permissions permissions;
  /** Robolectric's, from before the app's. */
  private static Application plain;

  private AppProcess() {}

  static AppClassLoader loader() {
    return loader;
  }

  /** The app's loader, or the sandbox's while there is no app yet. */
  static ClassLoader loaderOrBoot() {
    return loader != null ? loader : AppProcess.class.getClassLoader();
  }

  static void end() {
    Keystore.remove();
    if (plain != null) {
      // A phone ends processes silently: nothing of the app's is called, {@code onTerminate} least of all.
      RuntimeEnvironment.application = plain;
    }
    plain = null;
    loader = null;
    application = null;
    permissions = null;
  }

  static Application application() {
    return application;
  }

  static Permissions permissions() {
    return permissions;
  }

  static String packageName() {
    return Host.options().packageName();
  }

  /** Prepares the device's folder; with {@code clear} nothing remains. */
  static void prepareFiles(boolean clear) throws IOException {
    Path device = Host.options().device();
    if (clear && Files.exists(device)) {
      try (Stream<Path> files = Files.walk(device)) {
        files.sorted(Comparator.reverseOrder()).filter(path -> !path.equals(device)).forEach(path -> path.toFile().delete());
      }
    }
    // Android's paths are links to these.
    Files.createDirectories(device.resolve("data"));
    Files.createDirectories(device.resolve("sdcard"));
    Files.createDirectories(data().resolve("cache"));
    Files.createDirectories(sdcard());
    Folders.make(device);
    if (clear) {
      Seed.files(sdcard());
    }
  }

  private static Path data() {
    return Host.options().appData();
  }

  static Path sdcard() {
    return Host.options().sharedStorage();
  }

  /** Creates the application object and all before it; exceptions of the app are passed on unchanged. */
  static void bind(Instrumentation instrumentation) throws Exception {
    Options options = Host.options();
    // Robolectric loads the graphics code when it is first drawn; a launch tells it about the display before.
    DefaultNativeRuntimeLoader.injectAndLoad();
    Caches.clear();
    Media.supply();
    Keystore.install(options.device().resolve("keystore"));
    ActivityThread thread = SystemServer.thread();
    loader = new AppClassLoader(options.app().resolve("app.jar"), AppProcess.class.getClassLoader());
    Thread.currentThread().setContextClassLoader(loader);
    LoadedApk apk = thread.peekPackageInfo(packageName(), true);
    ApplicationInfo info = apk.getApplicationInfo();
    describe(info, apk);
    ShadowEnvironment.setExternalStorageDirectory(sdcard());
    ShadowEnvironment.setExternalStoragePublicDirectory(sdcard());
    ShadowEnvironment.setExternalStorageState(Environment.MEDIA_MOUNTED);
    List<File> volumes = ReflectionHelpers.getStaticField(ShadowEnvironment.class, "externalDirs");
    volumes.clear();
    volumes.add(sdcard().toFile());
    ShadowAlarmManager.setAutoSchedule(true);
    ShadowChoreographer.setFrameDelay(FRAME);
    UserManager users = RuntimeEnvironment.getApplication().getSystemService(UserManager.class);
    Shadows.shadowOf(users).setUserState(Process.myUserHandle(), ShadowUserManager.UserState.STATE_RUNNING_UNLOCKED);
    ReflectionHelpers.setField(thread, "mInstrumentation", instrumentation);
    ReflectionHelpers.callInstanceMethod(
        Instrumentation.class, instrumentation, "basicInit", ClassParameter.from(ActivityThread.class, thread));
    ReflectionHelpers.setField(
        thread, "mProfiler", ReflectionHelpers.callConstructor(Class.forName("android.app.ActivityThread$Profiler")));
    plain = RuntimeEnvironment.getApplication();
    application = plain;
    PackageInfo whole =
        application
            .getPackageManager()
            .getPackageInfo(packageName(), PackageManager.GET_PERMISSIONS | PackageManager.GET_PROVIDERS);
    permissions = new Permissions(whole, !options.permissionsGranted(), options.device().resolve("permissions"));

    Context context =
        ReflectionHelpers.callStaticMethod(
            Class.forName("android.app.ContextImpl"),
            "createAppContext",
            ClassParameter.from(ActivityThread.class, thread),
            ClassParameter.from(LoadedApk.class, apk));
    String name = options.applicationClass() == null ? "android.app.Application" : options.applicationClass();
    Hashes.next(Hashes.ROUND);
    application = instrumentation.newApplication(loader, name, context);
    ReflectionHelpers.callInstanceMethod(context, "setOuterContext", ClassParameter.from(Context.class, application));
    ReflectionHelpers.setField(apk, "mApplication", application);
    ReflectionHelpers.setField(thread, "mInitialApplication", application);
    ReflectionHelpers.<List<Application>>getField(thread, "mAllApplications").add(application);
    RuntimeEnvironment.application = application;
    // What handleBindApplication forbids: the network on the main thread, files' addresses for other apps.
    StrictMode.initVmDefaults(info);
    StrictMode.initThreadDefaults(info);
    droidtest.host.box.Process.onNetwork(() -> BlockGuard.getThreadPolicy().onNetwork());
    if (options.connected()) {
      Connectivity.some();
    } else {
      Connectivity.none();
    }
    FreshSettings.put(application.getContentResolver());
    Senses.install();
    Phone.install();
    StockApps.install(application, whole);
    Hardware.install();
    Hashes.next(Hashes.ROUND);
    installProviders(thread, whole);
    Hashes.next(Hashes.ROUND);
    instrumentation.callApplicationOnCreate(application);
  }

  /** The intent that the home screen would send; the first activity if the app has no icon there. */
  static Intent launcher() {
    PackageManager packages = application.getPackageManager();
    Intent launch = packages.getLaunchIntentForPackage(packageName());
    if (launch == null) {
      try {
        PackageInfo whole = packages.getPackageInfo(packageName(), PackageManager.GET_ACTIVITIES);
        if (whole.activities == null || whole.activities.length == 0) {
          throw new IllegalStateException("the app has no activity");
        }
        launch = new Intent(Intent.ACTION_MAIN).setClassName(packageName(), whole.activities[0].name);
      } catch (PackageManager.NameNotFoundException e) {
        throw new IllegalStateException(e);
      }
    }
    return launch.addFlags(Intent.FLAG_ACTIVITY_NEW_TASK | Intent.FLAG_ACTIVITY_RESET_TASK_IF_NEEDED);
  }

  private static void describe(ApplicationInfo info, LoadedApk apk) throws IOException {
    Options options = Host.options();
    info.targetSdkVersion = options.targetSdk();
    info.className = options.applicationClass();
    info.appComponentFactory = options.appComponentFactory();
    String data = data().toString();
    info.dataDir = data;
    info.credentialProtectedDataDir = data;
    info.deviceProtectedDataDir = data().resolve("de").toString();
    Splits.describe(info, apk);
    info.nativeLibraryDir = "/data/app/" + packageName() + "/lib/arm64";
    for (String field : new String[] {"mDataDirFile", "mCredentialProtectedDataDirFile"}) {
      ReflectionHelpers.setField(apk, field, new File(data));
    }
    ReflectionHelpers.setField(apk, "mDeviceProtectedDataDirFile", new File(info.deviceProtectedDataDir));
    ReflectionHelpers.setField(apk, "mDataDir", data);
    ReflectionHelpers.setField(apk, "mClassLoader", loader);
    AppComponentFactory factory =
        ReflectionHelpers.callInstanceMethod(
            apk,
            "createAppFactory",
            ClassParameter.from(ApplicationInfo.class, info),
            ClassParameter.from(ClassLoader.class, loader));
    ReflectionHelpers.setField(apk, "mAppComponentFactory", factory);
    // The framework requests the version that the app was built for in this place too.
    dalvik.system.VMRuntime.getRuntime().setTargetSdkVersion(info.targetSdkVersion);
  }

  private static void installProviders(ActivityThread thread, PackageInfo whole) {
    if (whole.providers == null) {
      return;
    }
    List<ProviderInfo> providers = new ArrayList<>();
    for (ProviderInfo provider : whole.providers) {
      if (provider.enabled) {
        provider.applicationInfo = application.getApplicationInfo();
        providers.add(provider);
      }
    }
    providers.sort(Comparator.comparingInt((ProviderInfo provider) -> provider.initOrder).reversed());
    ReflectionHelpers.callInstanceMethod(
        thread,
        "installContentProviders",
        ClassParameter.from(Context.class, application),
        ClassParameter.from(List.class, providers));
  }
}
