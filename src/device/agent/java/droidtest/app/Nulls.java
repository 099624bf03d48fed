package droidtest.app;

import android.os.IInterface;
import droidtest.host.MissingNatives;
import java.lang.reflect.Method;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Tells from the text that Java gives a NullPointerException whether what was null is a part of the device: a system
 * service that it does not have, or the inside of an object that a stub made.
 */
final class Nulls {
  /** The method that was to be called, by class and name. */
  private static final Pattern CALLED = Pattern.compile("Cannot invoke \"([\\w.$]+)\\.\\w+\\(");
  /** The method whose result was null. */
  private static final Pattern RESULT = Pattern.compile("because the return value of \"([\\w.$]+)\\.(\\w+)\\(");
  private static final Pattern FIELD = Pattern.compile("because \"(this\\.[\\w$.]+|[\\w.$]+\\.[\\w$]+)\" is null");
  /** Kotlin's text for a cast of null. */
  private static final Pattern CAST = Pattern.compile("null cannot be cast to non-null type ([\\w.$]+)");

  /**
   * Classes of the framework that stand for hardware and system services. Their objects are made by the system, so that
   * what they consist of is there on a phone; others an app makes itself, or extends, and may use too early.
   */
  private static final String[] SYSTEM = {
    "android.adservices.", "android.app.admin.", "android.app.ambientcontext.", "android.app.appsearch.", "android.app.role.",
    "android.app.usage.", "android.bluetooth.", "android.companion.", "android.credentials.", "android.hardware.",
    "android.health.", "android.media.", "android.net.ConnectivityManager", "android.net.nsd.", "android.net.wifi.",
    "android.nfc.", "android.os.health.", "android.se.", "android.security.", "android.telecom.", "android.telephony.",
    "android.view.textservice.", "android.view.translation.", "android.webkit.", "com.android.internal.telephony.",
  };

  private Nulls() {}

  /** The part of the device that was missing; null if none was, or nobody can tell. */
  static String missing(String message, String thrower) {
    Matcher call = CALLED.matcher(message);
    String target = call.find() ? call.group(1) : null;
    if (target != null && isBinder(target)) {
      return target;
    }
    Matcher result = RESULT.matcher(message);
    boolean ofMethod = result.find();
    if (ofMethod && isBinder(result.group(1))) {
      return result.group(1);
    }
    String unanswered = ofMethod ? MissingNatives.behind(result.group(1) + "." + result.group(2)) : null;
    if (unanswered != null) {
      return unanswered;
    }
    if (ofMethod && target != null && isService(target) && result.group(2).equals("getSystemService")) {
      return target;
    }
    Matcher cast = CAST.matcher(message);
    if (cast.find() && isService(cast.group(1))) {
      return cast.group(1);
    }
    if (ofSystem(thrower) && (ofMethod || FIELD.matcher(message).find())) {
      return thrower;
    }
    return null;
  }

  private static boolean ofSystem(String name) {
    for (String prefix : SYSTEM) {
      if (name.startsWith(prefix)) {
        return true;
      }
    }
    return false;
  }

  /** Whether this is the interface of a service behind a binder. */
  private static boolean isBinder(String name) {
    Class<?> type = framework(name);
    return type != null && type.isInterface() && IInterface.class.isAssignableFrom(type);
  }

  /** Whether Android has a system service of this class, and this device none. */
  private static boolean isService(String name) {
    Class<?> type = framework(name);
    if (type == null) {
      return false;
    }
    try {
      Method find = Class.forName("android.app.SystemServiceRegistry").getDeclaredMethod("getSystemServiceName", Class.class);
      find.setAccessible(true);
      String service = (String) find.invoke(null, type);
      return service != null && AppProcess.application().getSystemService(service) == null;
    } catch (ReflectiveOperationException | RuntimeException e) {
      return false;
    }
  }

  private static Class<?> framework(String name) {
    if (!name.startsWith("android.") && !name.startsWith("com.android.")) {
      return null;
    }
    try {
      return Class.forName(name, false, Nulls.class.getClassLoader());
    } catch (ClassNotFoundException | LinkageError e) {
      return null;
    }
  }
}
