package droidtest.app;

import droidtest.host.AppClassLoader;
import droidtest.host.box.Patterns;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.channels.UnresolvedAddressException;
import java.util.regex.PatternSyntaxException;

/** Decides whether a crash is the environment's fault: the rule that reports it, and why. */
final class Blame {
  final String rule;
  final String detail;

  private Blame(String rule, String detail) {
    this.rule = rule;
    this.detail = detail;
  }

  /** Whether it tells that no other machine could be reached. */
  static boolean ofNetwork(Throwable root) {
    return root instanceof UnknownHostException || root instanceof UnresolvedAddressException
        || root instanceof SocketException || root instanceof SocketTimeoutException;
  }

  /** Null when the app is the cause. */
  static Blame of(Throwable root, StackTraceElement app) {
    String message = String.valueOf(root.getMessage());
    StackTraceElement top = root.getStackTrace().length > 0 ? root.getStackTrace()[0] : null;
    String at = top == null ? "" : top.getClassName();
    // A class that was to load a library once is broken permanently: of the first failure Java keeps only the text.
    boolean again = root instanceof ExceptionInInitializerError && message.contains("java.lang.UnsatisfiedLinkError: ");
    if (root instanceof UnsatisfiedLinkError || again) {
      return new Blame("native-library", message);
    }
    if (root instanceof VerifyError || root instanceof ClassFormatError || root instanceof IncompatibleClassChangeError) {
      return new Blame("translated-code", message);
    }
    if (root instanceof BootstrapMethodError) {
      return new Blame("framework-stub", message);
    }
    if (root instanceof PatternSyntaxException) {
      // What Android's engine refuses as well is the app's mistake.
      return Patterns.wrong((PatternSyntaxException) root) ? null : new Blame("regex-dialect", message);
    }
    if (message.contains("API is not available on this device") || message.contains("statusCode=SERVICE_")) {
      return new Blame("play-services", message);
    }
    if (root instanceof NoClassDefFoundError || root instanceof ClassNotFoundException) {
      String name = message.replace('/', '.').replace("Failed resolution of: L", "");
      return AppClassLoader.ofSystem(name) ? new Blame("missing-class", name) : null;
    }
    if (root instanceof NoSuchMethodError || root instanceof NoSuchFieldError) {
      return new Blame("missing-method", message);
    }
    if (root instanceof OutOfMemoryError) {
      return new Blame("memory", message);
    }
    // Robolectric's native runtime is Android's native code: a device would throw the same.
    boolean stub = at.startsWith("org.robolectric.") && !at.startsWith("org.robolectric.nativeruntime.");
    if (stub || at.startsWith("droidtest.")) {
      return new Blame("framework-stub", at);
    }
    if (root instanceof UnsupportedOperationException && at.startsWith("android.") && app == null) {
      return new Blame("framework-stub", at);
    }
    return null;
  }
}
