package droidtest.host;

/** Stack traces as Android would have printed them: without the frames of this host. */
public final class Stacks {
  private Stacks() {}

  /** Frames that no Android device would show. */
  public static boolean foreign(StackTraceElement frame) {
    String name = frame.getClassName();
    return name.startsWith("org.robolectric.")
        || name.startsWith("droidtest.")
        || name.startsWith("org.junit.")
        || name.startsWith("androidx.test.")
        || name.startsWith("jdk.internal.")
        || name.startsWith("java.lang.invoke.")
        || frame.getMethodName().startsWith("$$robo$$") && name.startsWith("java.");
  }

  /** A frame in logcat's form; the instrumented twin of a framework method gets its real name back. */
  public static String line(StackTraceElement frame) {
    String method = frame.getMethodName();
    if (method.startsWith("$$robo$$")) {
      method = method.substring(method.lastIndexOf('$') + 1);
      if (method.isEmpty() || method.equals("__constructor__")) {
        method = "<init>";
      }
    }
    String file = frame.getFileName();
    String where = file == null ? "Unknown Source" : frame.getLineNumber() > 0 ? file + ":" + frame.getLineNumber() : file;
    return frame.getClassName() + "." + method + "(" + where + ")";
  }

  /** The stack of a blocked thread. */
  public static String blocked(String thread, StackTraceElement[] stack) {
    StringBuilder out = new StringBuilder(thread);
    String last = "";
    for (StackTraceElement frame : stack) {
      String line = foreign(frame) ? last : line(frame);
      if (!line.equals(last)) {
        out.append("\n  at ").append(line);
        last = line;
      }
    }
    return out.toString();
  }
}
