package droidtest.app;

import android.content.res.Resources;
import android.content.res.XmlResourceParser;
import droidtest.host.AppClassLoader;
import droidtest.host.box.Patterns;
import droidtest.host.box.Process;
import java.io.IOException;
import java.lang.reflect.InaccessibleObjectException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.channels.UnresolvedAddressException;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.robolectric.RuntimeEnvironment;
import org.xmlpull.v1.XmlPullParser;
import org.xmlpull.v1.XmlPullParserException;

/** Decides whether a crash is the environment's fault: the rule that reports it, and why. */
final class Blame {
  /** Causes and suppressed exceptions that are looked at, all in all. */
  private static final int MOST_EXCEPTIONS = 50;

  /** Of {@code ResourcesCompat} (AndroidX and its forerunner) and of {@code Resources}. */
  private static final Pattern FONT = Pattern.compile("Font resource ID #0x([0-9a-f]{8})");

  final String rule;
  final String detail;

  private Blame(String rule, String detail) {
    this.rule = rule;
    this.detail = detail;
  }

  /** Whether it tells that no other machine could be reached. */
  static boolean ofNetwork(Throwable root) {
    return !Process.isWithoutChannel(root)
        && (root instanceof UnknownHostException || root instanceof UnresolvedAddressException
        || root instanceof SocketException || root instanceof SocketTimeoutException);
  }

  /**
   * Null when the app is the cause. A part of the device that was missing is to blame for all that the app makes of it:
   * exceptions that it throws instead, with the first one as a cause, as suppressed, or in their text.
   */
  static Blame of(Throwable error, Throwable root, StackTraceElement app) {
    Blame blame = of(root, app);
    return blame != null ? blame : ofMissing(error, Collections.newSetFromMap(new IdentityHashMap<>()));
  }

  private static Blame ofMissing(Throwable error, Set<Throwable> seen) {
    if (error == null || seen.size() >= MOST_EXCEPTIONS || !seen.add(error)) {
      return null;
    }
    StackTraceElement top = error.getStackTrace().length > 0 ? error.getStackTrace()[0] : null;
    String missing = Nulls.missing(String.valueOf(error.getMessage()), top == null ? "" : top.getClassName());
    if (missing == null && top != null) {
      missing = NativeTable.missingHalf(top.getClassName());
    }
    if (missing != null) {
      return new Blame("framework-stub", missing);
    }
    for (Throwable suppressed : error.getSuppressed()) {
      Blame blame = ofMissing(suppressed, seen);
      if (blame != null) {
        return blame;
      }
    }
    return ofMissing(error.getCause(), seen);
  }

  private static Blame of(Throwable root, StackTraceElement app) {
    String message = String.valueOf(root.getMessage());
    StackTraceElement top = root.getStackTrace().length > 0 ? root.getStackTrace()[0] : null;
    String at = top == null ? "" : top.getClassName();
    // A class that was to load a library once is broken permanently: of the first failure Java keeps only the text.
    boolean again = root instanceof ExceptionInInitializerError && message.contains("java.lang.UnsatisfiedLinkError: ");
    if (root instanceof UnsatisfiedLinkError || again) {
      return new Blame("native-library", message);
    }
    if (Process.isWithoutChannel(root)) {
      return new Blame("network-channels", message);
    }
    if (root instanceof VerifyError || root instanceof ClassFormatError || root instanceof IncompatibleClassChangeError) {
      return new Blame("translated-code", message);
    }
    // Java's modules, which Android does not have, refuse reflection.
    boolean modules = root instanceof InaccessibleObjectException
        || root instanceof IllegalAccessException && message.contains(" module java.");
    if (root instanceof BootstrapMethodError || modules) {
      return new Blame("framework-stub", message);
    }
    if (root instanceof PatternSyntaxException) {
      // What Android's engine refuses as well is the app's mistake.
      return Patterns.wrong((PatternSyntaxException) root) ? null : new Blame("regex-dialect", message);
    }
    if (message.contains("API is not available on this device") || message.contains("statusCode=SERVICE_")) {
      return new Blame("play-services", message);
    }
    if (root instanceof Resources.NotFoundException && isFontOfPlayServices(message)) {
      return new Blame("play-services", message);
    }
    if (root instanceof NoClassDefFoundError || root instanceof ClassNotFoundException) {
      String name = message.replace('/', '.').replace("Failed resolution of: L", "");
      return AppClassLoader.ofSystem(name) ? new Blame("missing-class", name) : null;
    }
    if (root instanceof NoSuchMethodError || root instanceof NoSuchFieldError) {
      return new Blame("missing-method", message);
    }
    if (at.equals("android.graphics.HardwareRenderer") && message.startsWith("Surface is invalid")) {
      // Those of image readers are: there is no graphics processor that could draw into one.
      return new Blame("framework-stub", at);
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

  /** Whether a message names a font that the app has Google Play services fetch (downloadable fonts). */
  private static boolean isFontOfPlayServices(String message) {
    Matcher font = FONT.matcher(message);
    if (!font.find()) {
      return false;
    }
    Resources resources = RuntimeEnvironment.getApplication().getResources();
    try (XmlResourceParser xml = resources.getXml(Integer.parseUnsignedInt(font.group(1), 16))) {
      while (xml.next() != XmlPullParser.END_DOCUMENT) {
        int attributes = xml.getEventType() == XmlPullParser.START_TAG ? xml.getAttributeCount() : 0;
        for (int i = 0; i < attributes; i++) {
          if (xml.getAttributeName(i).equals("fontProviderAuthority")) {
            return xml.getAttributeValue(i).startsWith("com.google.android.gms.");
          }
        }
      }
    } catch (Resources.NotFoundException | XmlPullParserException | IOException e) {
      return false;
    }
    return false;
  }
}
