package droidtest.host;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.robolectric.internal.bytecode.ClassHandler;

/**
 * Gives real framework code back where Robolectric replaces it by a recorder. Robolectric shadows {@code startActivity},
 * {@code bindService}, {@code finish} and the like so that a unit test can look at them; here they have to happen, and
 * they do once the framework's code talks to our activity manager.
 */
public final class Shadowing implements ClassHandler {
  private static final Set<String> ALL = Set.of("*");
  private static final Set<String> WHOLE = Set.of("**");

  /** Per class: the methods that run the framework's code; "*" for all of them, "**" for constructors, too. */
  private static final Map<String, Set<String>> REAL = new HashMap<>();

  static {
    REAL.put("android.app.Activity", ALL);
    REAL.put("android.app.ActivityGroup", ALL);
    // Robolectric keeps every dialog that was ever shown, and the activity behind it.
    REAL.put("android.app.Dialog", ALL);
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
    // Robolectric does at once what Android does later on another thread, counts nothing down, has no buttons.
    REAL.put("android.content.AsyncQueryHandler", WHOLE);
    REAL.put("android.widget.Filter", WHOLE);
    REAL.put("android.os.ResultReceiver", WHOLE);
    REAL.put("android.os.CountDownTimer", WHOLE);
    REAL.put("android.widget.ZoomButtonsController", WHOLE);
    REAL.put("android.widget.ViewAnimator", WHOLE);
    REAL.put("android.app.job.JobService", ALL);
    // An empty shell there, whose fields are missing at the first call.
    REAL.put("android.media.session.MediaSession", WHOLE);
    REAL.put(
        "android.widget.Toast",
        Set.of(
            "makeText", "setText", "setView", "getView", "setDuration", "getDuration", "setGravity", "getGravity",
            "getXOffset", "getYOffset"));
    REAL.put("android.location.LocationManager", Set.of("addGpsStatusListener", "removeGpsStatusListener"));
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
    REAL.put("android.opengl.EGL14", Set.of("eglCreateWindowSurface"));
  }

  private static final Map<String, String> LED =
      Map.of("android.view.View.draw", "draw", "android.widget.ImageView.onDraw", "drawImage");

  /** That of the one sandbox. */
  private static volatile Shadowing current;

  private final ClassHandler next;

  Shadowing(ClassHandler next) {
    this.next = next;
    current = this;
  }

  /** The shadows that add to Robolectric's, by name since they are loaded inside the sandbox. */
  static Class<?>[] shadows() {
    try {
      ClassLoader loader = Shadowing.class.getClassLoader();
      return new Class<?>[] {
        Class.forName("droidtest.app.ActivityManagerShadow", false, loader),
        Class.forName("droidtest.app.Shadows$OfActivityTaskManager", false, loader),
        Class.forName("droidtest.app.Shadows$OfLoadedApk", false, loader),
        Class.forName("droidtest.app.Shadows$OfUserManager", false, loader),
        Class.forName("droidtest.app.Shadows$OfEnvironment", false, loader),
        Class.forName("droidtest.app.Shadows$OfPendingIntent", false, loader),
        Class.forName("droidtest.app.Toasts", false, loader),
        Class.forName("droidtest.gui.Surfaces", false, loader),
        Class.forName("droidtest.app.Lenses$OfCharacteristics", false, loader),
        Class.forName("droidtest.app.SystemBinders$OfServiceManager", false, loader),
        Class.forName("droidtest.gui.WebProvider$OfFactory", false, loader),
        Class.forName("droidtest.gui.WebProvider$OfSettings", false, loader),
        Class.forName("droidtest.gui.Gl$OfGlSurfaceView", false, loader),
        Class.forName("droidtest.gui.Gl$OfVideoView", false, loader),
        Class.forName("droidtest.app.Packages", false, loader),
        Class.forName("droidtest.app.Shadows$OfMagnifier", false, loader),
        Class.forName("droidtest.app.Shadows$OfAlarmManager", false, loader),
        Class.forName("droidtest.app.Storage", false, loader),
        Class.forName("droidtest.app.Storage$Stats", false, loader),
        Class.forName("droidtest.gui.Keys", false, loader),
        Class.forName("droidtest.app.Shadows$OfLocationManager", false, loader),
        Class.forName("droidtest.app.Shadows$OfTelephonyManager", false, loader),
        Class.forName("droidtest.app.Audio$OfAudioManager", false, loader),
        Class.forName("droidtest.app.Connectivity$OfConnectivityManager", false, loader),
        Class.forName("droidtest.app.Sms", false, loader),
        Class.forName("droidtest.app.Shadows$OfTextToSpeech", false, loader),
        Class.forName("droidtest.app.Shadows$OfLauncherApps", false, loader),
        Class.forName("droidtest.app.Shadows$OfAppWidgetManager", false, loader),
        Class.forName("droidtest.app.Shadows$OfSearchManager", false, loader),
        Class.forName("droidtest.app.Themes", false, loader),
        Class.forName("droidtest.app.Compat", false, loader),
        Class.forName("droidtest.app.WindowTokens", false, loader),
        Class.forName("droidtest.app.Jobs", false, loader),
        Class.forName("droidtest.gui.Web", false, loader),
        Class.forName("droidtest.app.Cameras", false, loader),
        Class.forName("droidtest.app.Scans", false, loader),
        Class.forName("droidtest.app.RenderScripts", false, loader),
        Class.forName("droidtest.app.RenderScripts$OfMessageThread", false, loader),
        Class.forName("droidtest.app.Gadgets$OfSoundPool", false, loader),
        Class.forName("droidtest.app.Gadgets$OfWifiManager", false, loader),
        Class.forName("droidtest.app.CameraDevices", false, loader),
        Class.forName("droidtest.app.Captures", false, loader),
        Class.forName("droidtest.app.CameraImages", false, loader),
        Class.forName("droidtest.app.CameraImages$OfImage", false, loader),
        Class.forName("droidtest.app.Posix", false, loader),
        Class.forName("droidtest.app.Posix$Guard", false, loader),
        Class.forName("droidtest.gui.Textures", false, loader),
        Class.forName("droidtest.gui.Textures$OfSurface", false, loader),
        Class.forName("droidtest.gui.HardwareBitmaps", false, loader),
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
    MethodHandle led = led(theClass, name, methodType);
    if (led != null) {
      return led;
    }
    if (!isNative && real(theClass.getName(), name)) {
      return null;
    }
    boolean graphics = isNative && graphics(theClass.getName());
    MethodHandle answer = graphics ? answer(theClass, name, methodType, isStatic) : null;
    if (answer != null) {
      return answer;
    }
    MethodHandle found = next.findShadowMethodHandle(theClass, name, methodType, isStatic, isNative);
    if (found != null || !isNative) {
      return found;
    }
    MethodType called = isStatic ? methodType : methodType.changeParameterType(0, Object.class);
    // A graphics processor that paints nothing: every call succeeds.
    return graphics ? MethodHandles.empty(called) : MissingNatives.empty(theClass, name, called);
  }

  /** What implements a native method: "device", "Robolectric" (Android's own native code is a part of it), or "missing". */
  public static String implementation(Method method) throws IllegalAccessException {
    Class<?> type = method.getDeclaringClass();
    if (graphics(type.getName())) {
      return "device";
    }
    boolean isStatic = Modifier.isStatic(method.getModifiers());
    MethodType called = MethodType.methodType(method.getReturnType(), method.getParameterTypes());
    if (!isStatic) {
      called = called.insertParameterTypes(0, type);
    }
    MethodHandle found = current.next.findShadowMethodHandle(type, method.getName(), called, isStatic, true);
    return found == null ? "missing" : "Robolectric";
  }

  /** Whether the framework's code runs, whatever shadows there are. */
  public static boolean real(String type, String method) {
    Set<String> real = REAL.get(type);
    return real == WHOLE || real != null && !method.startsWith("__") && (real == ALL || real.contains(method));
  }

  /** Whether a method may go through {@code gui.Drawn}. */
  public static boolean led(String type, String method) {
    return LED.containsKey(type + "." + method);
  }

  private static boolean graphics(String name) {
    return name.startsWith("com.google.android.gles_jni.") || name.startsWith("android.opengl.");
  }

  /** What {@code gui.Gl} has for a native method. */
  private static MethodHandle answer(Class<?> theClass, String name, MethodType type, boolean isStatic) {
    MethodType given = isStatic ? type : type.dropParameterTypes(0, 1);
    try {
      Object answer =
          Class.forName("droidtest.gui.Gl", true, theClass.getClassLoader())
              .getMethod("answer", Class.class, String.class, MethodType.class)
              .invoke(null, theClass, name, given);
      return answer == null || isStatic
          ? (MethodHandle) answer
          : MethodHandles.dropArguments((MethodHandle) answer, 0, Object.class);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The framework's drawing goes through {@code gui.Drawn}, whatever shadows there are. */
  private static MethodHandle led(Class<?> theClass, String name, MethodType type) throws IllegalAccessException {
    String to = LED.get(theClass.getName() + "." + name);
    if (to == null || type.parameterCount() != 2 || !type.parameterType(1).getName().equals("android.graphics.Canvas")) {
      return null;
    }
    try {
      Class<?> drawn = Class.forName("droidtest.gui.Drawn", true, theClass.getClassLoader());
      return MethodHandles.publicLookup()
          .findStatic(drawn, to, MethodType.methodType(void.class, Object.class, type.parameterType(1)));
    } catch (ClassNotFoundException | NoSuchMethodException e) {
      throw new IllegalStateException(e);
    }
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
