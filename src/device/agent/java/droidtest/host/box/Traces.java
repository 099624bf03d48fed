package droidtest.host.box;

import droidtest.host.Stacks;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Stack traces that an app reads or shows. */
public final class Traces {
  private Traces() {}

  /** {@code Throwable.getStackTrace}. */
  public static StackTraceElement[] frames(StackTraceElement[] stack) {
    return Stacks.asOnAndroid(stack);
  }

  /** {@code Thread.getStackTrace}: Android's first frame is one more. */
  public static StackTraceElement[] threadFrames(StackTraceElement[] stack) {
    StackTraceElement[] frames = frames(stack);
    if (frames.length == 0 || !frames[0].getMethodName().equals("getStackTrace")) {
      return frames;
    }
    StackTraceElement[] all = new StackTraceElement[frames.length + 1];
    all[0] = new StackTraceElement("dalvik.system.VMStack", "getThreadStackTrace", "VMStack.java", -2);
    System.arraycopy(frames, 0, all, 1, frames.length);
    return all;
  }

  /** {@code Throwable.printStackTrace}. */
  public static void printStackTrace(Throwable error, PrintWriter to) {
    if (overridden(error, PrintWriter.class)) {
      error.printStackTrace(to);
    } else {
      print(error, to::println);
    }
  }

  /** {@code Throwable.printStackTrace}. */
  public static void printStackTrace(Throwable error, PrintStream to) {
    if (overridden(error, PrintStream.class)) {
      error.printStackTrace(to);
    } else {
      print(error, to::println);
    }
  }

  /** {@code android.util.Log.getStackTraceString}. */
  public static String getStackTraceString(Throwable error) {
    StringBuilder out = new StringBuilder();
    for (Throwable cause = error; cause != null; cause = cause.getCause()) {
      if (cause instanceof UnknownHostException) {
        // As Android does: an app without a network would fill the log.
        return "";
      }
    }
    if (error != null) {
      print(error, line -> out.append(line).append('\n'));
    }
    return out.toString();
  }

  private static boolean overridden(Throwable error, Class<?> to) {
    try {
      return error.getClass().getMethod("printStackTrace", to).getDeclaringClass() != Throwable.class;
    } catch (NoSuchMethodException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void print(Throwable error, Consumer<String> out) {
    print(error, out, new StackTraceElement[0], "", "", new ArrayList<>());
  }

  /** In Java's format: what a cause has in common with what it caused is a number. */
  private static void print(
      Throwable error, Consumer<String> out, StackTraceElement[] around, String indent, String title, List<Throwable> seen) {
    for (Throwable one : seen) {
      if (one == error) {
        out.accept(indent + title + "[CIRCULAR REFERENCE: " + error + "]");
        return;
      }
    }
    seen.add(error);
    StackTraceElement[] frames = frames(error.getStackTrace());
    int common = 0;
    while (common < Math.min(frames.length, around.length)
        && frames[frames.length - 1 - common].equals(around[around.length - 1 - common])) {
      common++;
    }
    out.accept(indent + title + error);
    for (int i = 0; i < frames.length - common; i++) {
      out.accept(indent + "\tat " + Stacks.line(frames[i]));
    }
    if (common > 0) {
      out.accept(indent + "\t... " + common + " more");
    }
    for (Throwable suppressed : error.getSuppressed()) {
      print(suppressed, out, frames, indent + "\t", "Suppressed: ", seen);
    }
    if (error.getCause() != null) {
      print(error.getCause(), out, frames, indent, "Caused by: ", seen);
    }
  }
}
