package droidtest.app;

import droidtest.host.AppClassLoader;
import droidtest.host.HeapOwners;
import droidtest.host.Json;
import droidtest.host.Scrub;
import droidtest.host.Stacks;
import droidtest.host.net.Replay;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** An uncaught exception, formatted as in logcat, with a note on whether the environment caused it. */
final class Crash {
  /** An app may give an exception causes without end. */
  private static final int MOST_CAUSES = 1_000;
  /** Characters of a trace behind which no further cause is printed; far more than is sent. */
  private static final int LONGEST = 100_000;

  private final String thread;
  private final Throwable error;
  private final AppClassLoader loader;
  /** Where memory ran out: what filled it then; else null. */
  private final String heap;

  Crash(String thread, Throwable error, AppClassLoader loader) {
    this.thread = thread;
    this.error = unwrap(error);
    this.loader = loader;
    heap = root() instanceof OutOfMemoryError ? HeapOwners.describe(loader) : null;
  }

  Throwable error() {
    return error;
  }

  /** Reflection of this host around the app's exception is not a part of it. */
  private static Throwable unwrap(Throwable error) {
    while (error.getCause() != null
        && (error instanceof java.lang.reflect.InvocationTargetException
            || error.getClass() == RuntimeException.class
                && error.getStackTrace().length > 0
                && error.getStackTrace()[0].getClassName().startsWith("org.robolectric.")
                && error.getCause().toString().equals(error.getMessage()))) {
      error = error.getCause();
    }
    return error;
  }

  Throwable root() {
    Throwable root = error;
    Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    for (Throwable next = root; next != null && seen.size() < MOST_CAUSES && seen.add(next); next = next.getCause()) {
      root = next;
    }
    return root;
  }

  void write(StringBuilder out) {
    Throwable root = root();
    StackTraceElement app = appFrame(root);
    // On a phone without a network the app would fail the same way: that is the app's fault, whatever frame throws.
    boolean network = Blame.ofNetwork(root);
    boolean offline = network && Connectivity.off();
    // Failures of an archive are those that its author wants the app to bear.
    Blame blame = offline || network && Replay.on() ? null : Blame.of(error, root, app);
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("thread", thread);
    fields.put("class", error.getClass().getName());
    fields.put("message", Scrub.text(error.getMessage()));
    fields.put("stack", Scrub.text(logcat()));
    fields.put("root_class", root.getClass().getName());
    fields.put("root_message", Scrub.text(root.getMessage()));
    fields.put("app_frame", app == null ? null : Stacks.line(app));
    fields.put("environment", blame == null ? null : blame.rule);
    fields.put("detail", blame == null ? null : heap == null ? blame.detail : blame.detail + "; " + heap);
    fields.put("provoked_by", offline ? "offline" : null);
    Json.write(out, fields);
  }

  private StackTraceElement appFrame(Throwable root) {
    for (Throwable error : new Throwable[] {root, this.error}) {
      for (StackTraceElement frame : error.getStackTrace()) {
        // Not the coverage probes' method in a class of the app: a deep stack may overflow there.
        if (!Stacks.foreign(frame) && loader.owns(frame.getClassName())) {
          return frame;
        }
      }
    }
    return null;
  }

  private String logcat() {
    StringBuilder out = new StringBuilder("FATAL EXCEPTION: ").append(thread);
    out.append("\nProcess: ").append(AppProcess.packageName()).append(", PID: ").append(android.os.Process.myPid());
    Throwable one = error;
    Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    for (String prefix = "\n"; one != null && out.length() < LONGEST && seen.add(one); prefix = "\nCaused by: ") {
      out.append(prefix).append(one);
      frames(out, one);
      one = one.getCause();
    }
    return out.toString();
  }

  private static void frames(StringBuilder out, Throwable error) {
    for (StackTraceElement frame : Stacks.asOnAndroid(error.getStackTrace())) {
      out.append("\n\tat ").append(Stacks.line(frame));
    }
  }
}
