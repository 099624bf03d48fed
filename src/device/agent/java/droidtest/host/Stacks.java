package droidtest.host;

import droidtest.host.box.Reflection;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Stack traces as Android would have printed them: without the frames of this host. */
public final class Stacks {
  /** The framework's code by Robolectric, and a part of a method that is too large for a class file by the translator. */
  private static final String TWIN = "$$robo$$";
  private static final String PART = Reflection.PART;
  /** The line of an app's instruction at address 0, where the method has no lines; the translator gives it. */
  private static final int ADDRESS = 0x8000;
  /** Where a main thread's stack starts. Its lines differ from version to version. */
  private static final List<StackTraceElement> LOOPER =
      List.of(
          new StackTraceElement("android.os.Looper", "loop", "Looper.java", -1),
          new StackTraceElement("android.app.ActivityThread", "main", "ActivityThread.java", -1));

  private Stacks() {}

  /** Frames that no Android device would show. */
  public static boolean foreign(StackTraceElement frame) {
    String name = frame.getClassName();
    return name.startsWith("org.robolectric.")
        || name.startsWith("droidtest.")
        || name.startsWith("org.junit.")
        || name.startsWith("androidx.test.platform.")
        || name.startsWith("androidx.test.runner.")
        || name.startsWith("androidx.test.internal.")
        || name.startsWith("jdk.internal.")
        || name.startsWith("java.lang.invoke.")
        || frame.getMethodName().startsWith("$$robo$$") && name.startsWith("java.")
        || Reflection.ours(frame);
  }

  /**
   * Whether a frame only leads to the one printed before it: Robolectric puts the framework's code into a twin of
   * each method, the translator that of a large method into parts, and a device would show one frame for both. The twin is known by its name, or, where Robolectric has
   * given it the method's again, by its line: the method itself has none then.
   *
   * @param inner the frame that was printed before, null if there is none
   */
  public static boolean leadsTo(StackTraceElement inner, StackTraceElement frame) {
    if (inner == null
        || !inner.getClassName().equals(frame.getClassName())
        || !method(inner).equals(method(frame))
        || twin(inner) && twin(frame)) {
      return false;
    }
    boolean sameFile = frame.getFileName() != null && frame.getFileName().equals(inner.getFileName());
    boolean withoutLine = sameFile && inner.getLineNumber() > 0 && frame.getLineNumber() <= 0;
    return twin(inner) || withoutLine;
  }

  private static boolean twin(StackTraceElement frame) {
    return frame.getMethodName().startsWith(TWIN) || frame.getMethodName().startsWith(PART);
  }

  private static String method(StackTraceElement frame) {
    String method = frame.getMethodName();
    if (method.startsWith(PART)) {
      method = method.substring(method.indexOf("$$", PART.length()) + 2);
      return method.equals("-init") ? "<init>" : method.equals("-clinit") ? "<clinit>" : method;
    }
    if (method.startsWith(TWIN)) {
      method = method.substring(method.lastIndexOf('$') + 1);
    }
    return method.isEmpty() || method.equals("__constructor__") ? "<init>" : method;
  }

  /** A frame in logcat's form; the instrumented twin of a framework method gets its real name back. */
  public static String line(StackTraceElement frame) {
    // Without a file the line is the address of an instruction, as on Android, and the first one is 0.
    String file = file(frame);
    int line = number(frame);
    String where = file == null ? "Unknown Source" : file;
    boolean known = file == null ? line >= 0 : line > 0;
    return frame.getClassName() + "." + method(frame) + "(" + where + (known ? ":" + line : "") + ")";
  }

  private static boolean hasAddress(StackTraceElement frame) {
    int line = frame.getLineNumber();
    return line >= ADDRESS && line < Reflection.BRIDGE_LINE && !AppClassLoader.boot(frame.getClassName());
  }

  private static String file(StackTraceElement frame) {
    return hasAddress(frame) ? null : frame.getFileName();
  }

  /** The line, or the address of the instruction in place of one. */
  private static int number(StackTraceElement frame) {
    return hasAddress(frame) ? frame.getLineNumber() - ADDRESS : frame.getLineNumber();
  }

  /**
   * A frame as Android's own: without loader and module, a twin under its method's name, and a lambda of the framework's by
   * the name that Android's compiler gives such a class; the JVM's has a number and an address.
   */
  public static StackTraceElement plain(StackTraceElement frame) {
    String type = frame.getClassName();
    int lambda = type.indexOf("$$Lambda");
    if (lambda >= 0) {
      type = type.substring(0, lambda) + "$$ExternalSyntheticLambda0";
    }
    return new StackTraceElement(type, method(frame), file(frame), number(frame));
  }

  /** A stack with the frames that Android would show, and the looper's instead of how this host got there. */
  public static StackTraceElement[] asOnAndroid(StackTraceElement[] stack) {
    List<StackTraceElement> shown = new ArrayList<>();
    StackTraceElement last = null;
    for (StackTraceElement frame : stack) {
      if (frame.getClassName().startsWith("droidtest.app.") && last != null) {
        shown.addAll(LOOPER);
        break;
      }
      if (shows(last, frame)) {
        shown.add(plain(frame));
        last = frame;
      }
    }
    return shown.toArray(new StackTraceElement[0]);
  }

  /** The stack of a blocked thread. */
  public static String blocked(String thread, StackTraceElement[] stack) {
    StringBuilder out = new StringBuilder(thread);
    StackTraceElement last = null;
    for (StackTraceElement frame : stack) {
      if (shows(last, frame)) {
        out.append("\n  at ").append(line(frame));
        last = frame;
      }
    }
    return out.toString();
  }

  /** How many of the innermost frames {@link #blocked} shows. */
  public static int shown(StackTraceElement[] stack, int innermost) {
    int shown = 0;
    StackTraceElement last = null;
    for (int i = 0; i < innermost; i++) {
      if (shows(last, stack[i])) {
        shown++;
        last = stack[i];
      }
    }
    return shown;
  }

  private static boolean shows(StackTraceElement last, StackTraceElement frame) {
    return !foreign(frame) && !leadsTo(last, frame);
  }

  /**
   * The outermost frames that two looks at one thread have in common: what it has not left in between. It continued in the
   * innermost of them, whose line is the lower of the two; calls from another line are other calls.
   */
  public static StackTraceElement[] common(StackTraceElement[] before, StackTraceElement[] now) {
    int most = Math.min(before.length, now.length);
    for (int same = 0; same < most; same++) {
      StackTraceElement one = before[before.length - 1 - same];
      StackTraceElement other = now[now.length - 1 - same];
      if (!one.getClassName().equals(other.getClassName()) || !one.getMethodName().equals(other.getMethodName())) {
        return outermost(now, same);
      }
      if (one.getLineNumber() != other.getLineNumber()) {
        StackTraceElement[] common = outermost(now, same + 1);
        common[0] = one.getLineNumber() < other.getLineNumber() ? one : other;
        return common;
      }
    }
    return outermost(now, most);
  }

  private static StackTraceElement[] outermost(StackTraceElement[] stack, int frames) {
    return Arrays.copyOfRange(stack, stack.length - frames, stack.length);
  }
}
