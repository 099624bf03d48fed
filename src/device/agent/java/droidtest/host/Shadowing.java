package droidtest.host;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.robolectric.internal.bytecode.ClassHandler;

/**
 * Gives real framework code back where Robolectric replaces it by a recorder. Robolectric shadows {@code startActivity},
 * {@code bindService}, {@code finish} and the like so that a unit test can look at them; here they have to happen, and
 * they do once the framework's own code talks to our activity manager.
 */
final class Shadowing implements ClassHandler {
  private static final Set<String> ALL = Set.of("*");

  /** Per class: the methods that run the framework's own code; "*" for all of them. */
  private static final Map<String, Set<String>> REAL = new HashMap<>();

  static {
    REAL.put("android.app.Activity", ALL);
    REAL.put("android.app.ActivityGroup", ALL);
    REAL.put("android.app.TabActivity", ALL);
    REAL.put("android.app.LocalActivityManager", ALL);
    REAL.put("android.app.ListActivity", ALL);
    REAL.put("android.widget.TabHost", ALL);
    REAL.put("android.widget.TabHost$TabSpec", ALL);
    REAL.put("android.content.BroadcastReceiver", ALL);
    REAL.put("android.content.BroadcastReceiver$PendingResult", ALL);
    REAL.put("android.app.Service", ALL);
    REAL.put("android.os.Environment", Set.of("getExternalStoragePublicDirectory", "buildExternalStorageAppCacheDirs"));
    REAL.put("android.app.IntentService", ALL);
    REAL.put(
        "android.app.Instrumentation",
        Set.of("execStartActivity", "execStartActivities", "execStartActivityAsCaller", "checkStartActivityResult"));
    REAL.put(
        "android.app.ContextImpl",
        Set.of(
            "getClassLoader", "getContentResolver", "getExternalFilesDir", "getExternalFilesDirs", "sendBroadcast",
            "sendBroadcastAsUser", "sendOrderedBroadcast",
            "sendOrderedBroadcastAsUser", "sendStickyBroadcast", "registerReceiver", "registerReceiverAsUser",
            "unregisterReceiver", "startService", "startForegroundService", "stopService", "bindService",
            "bindServiceAsUser", "unbindService", "validateServiceIntent", "startActivityAsUser", "startIntentSender",
            "checkPermission", "checkCallingPermission", "checkCallingOrSelfPermission"));
    REAL.put(
        "android.content.ContentResolver",
        Set.of(
            "query", "insert", "update", "delete", "bulkInsert", "call", "getType", "openInputStream",
            "openOutputStream", "openFileDescriptor", "openAssetFileDescriptor", "openTypedAssetFileDescriptor",
            "acquireProvider", "acquireUnstableProvider", "acquireContentProviderClient",
            "acquireUnstableContentProviderClient", "applyBatch", "getStreamTypes"));
    REAL.put("android.content.ContentProviderClient", ALL);
    REAL.put("android.content.ContentProvider", ALL);
    REAL.put("android.content.ContentProviderOperation", ALL);
    REAL.put("android.content.ContentProviderResult", ALL);
  }

  private final ClassHandler next;

  Shadowing(ClassHandler next) {
    this.next = next;
  }

  /** The shadows that add to Robolectric's, by name since they are loaded inside the sandbox. */
  static Class<?>[] shadows() {
    try {
      ClassLoader loader = Shadowing.class.getClassLoader();
      return new Class<?>[] {
        Class.forName("droidtest.app.Shadows$OfActivityManager", false, loader),
        Class.forName("droidtest.app.Shadows$OfActivityTaskManager", false, loader),
        Class.forName("droidtest.app.Shadows$OfLoadedApk", false, loader),
        Class.forName("droidtest.app.Shadows$OfUserManager", false, loader),
        Class.forName("droidtest.app.Shadows$OfEnvironment", false, loader),
        Class.forName("droidtest.app.Shadows$OfPendingIntent", false, loader),
        Class.forName("droidtest.app.Shadows$OfToast", false, loader),
        Class.forName("droidtest.gui.Surfaces", false, loader),
        Class.forName("droidtest.gui.Keys", false, loader),
        Class.forName("droidtest.app.Shadows$OfLocationManager", false, loader),
        Class.forName("droidtest.app.Shadows$OfTelephonyManager", false, loader),
      };
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void classInitializing(Class<?> clazz) {
    next.classInitializing(clazz);
  }

  @Override
  public MethodHandle getShadowCreator(Class<?> theClass) {
    return next.getShadowCreator(theClass);
  }

  @Override
  public MethodHandle findShadowMethodHandle(
      Class<?> theClass, String name, MethodType methodType, boolean isStatic, boolean isNative)
      throws IllegalAccessException {
    Set<String> real = isNative ? null : REAL.get(theClass.getName());
    if (real != null && !name.startsWith("__") && (real == ALL || real.contains(name))) {
      return null;
    }
    return next.findShadowMethodHandle(theClass, name, methodType, isStatic, isNative);
  }

  @Override
  public Object intercept(String signature, Object instance, Object[] params, Class<?> theClass) throws Throwable {
    return next.intercept(signature, instance, params, theClass);
  }

  @Override
  public <T extends Throwable> T stripStackTrace(T throwable) {
    return next.stripStackTrace(throwable);
  }
}
