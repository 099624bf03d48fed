import static org.junit.platform.engine.discovery.ClassNameFilter.excludeClassNamePatterns;
import static org.junit.platform.engine.discovery.ClassNameFilter.includeClassNamePatterns;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClasspathRoots;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Set;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * Runs the tests of one jar with the JUnit Platform, JUnit 4 and 5 alike, and appends a line of JSON for each outcome
 * as it occurs: what a killed process had finished is not lost.
 *
 * <p>Usage: {@code RunTests OUT TESTS.jar INCLUDE EXCLUDE SECONDS [SKIPPED-CLASS..]}; INCLUDE and EXCLUDE are regular
 * expressions of class names. A test that uses more than SECONDS of processor time, or {@link #WAITING} times as long
 * in all, ends the process after a line that names its class; so does one that ends the process, or uses up its memory. The
 * caller starts again without that class.
 */
public final class RunTests {
  static final int STOPPED = 3;
  /** A test that waits gets more time than one that computes, since the machine may be busy with other things. */
  static final int WAITING = 5;

  private static final OperatingSystemMXBean SYSTEM =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

  private RunTests() {}

  public static void main(String[] args) throws IOException {
    Path tests = Path.of(args[1]);
    LauncherDiscoveryRequestBuilder request =
        LauncherDiscoveryRequestBuilder.request()
            .selectors(selectClasspathRoots(Set.of(tests)))
            .filters(includeClassNamePatterns(args[2]), excludeClassNamePatterns(args[3]))
            .configurationParameters(Map.of("junit.jupiter.execution.parallel.enabled", "false"));
    for (int i = 5; i < args.length; i++) {
      request.filters(excludeClassNamePatterns(java.util.regex.Pattern.quote(args[i]) + "(\\$.*)?"));
    }
    Recorder recorder = new Recorder(Path.of(args[0]));
    Runtime.getRuntime().addShutdownHook(new Thread(() -> recorder.stopped("the process ends")));
    Thread watch = new Thread(() -> recorder.watch(Long.parseLong(args[4]) * 1000), "round-trip-watch");
    watch.setDaemon(true);
    watch.start();
    LauncherDiscoveryRequest built = request.build();
    LauncherFactory.create().execute(built, recorder);
    recorder.write("{\"end\":true}");
    // Threads that tests left behind must not keep the process alive.
    Runtime.getRuntime().halt(0);
  }

  /** Appends outcomes to the file. */
  private static final class Recorder implements TestExecutionListener {
    private final PrintStream out;
    private final Deque<TestIdentifier> running = new ArrayDeque<>();
    private long since;
    private long sinceUsed;
    private TestPlan plan;

    Recorder(Path file) throws IOException {
      out =
          new PrintStream(
              Files.newOutputStream(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND), true, StandardCharsets.UTF_8);
    }

    synchronized void write(String line) {
      out.println(line);
    }

    @Override
    public void testPlanExecutionStarted(TestPlan plan) {
      this.plan = plan;
    }

    @Override
    public synchronized void executionStarted(TestIdentifier test) {
      running.push(test);
      restart();
    }

    @Override
    public synchronized void executionSkipped(TestIdentifier test, String reason) {
      record(test, "SKIPPED", null);
    }

    @Override
    public synchronized void executionFinished(TestIdentifier test, TestExecutionResult result) {
      running.remove(test);
      restart();
      boolean failed = result.getStatus() != TestExecutionResult.Status.SUCCESSFUL;
      // A container that fails takes its tests with it; one that succeeds says nothing.
      if (test.isTest() || failed) {
        record(test, result.getStatus().name(), result.getThrowable().orElse(null));
      }
    }

    private void restart() {
      since = System.nanoTime();
      sinceUsed = SYSTEM.getProcessCpuTime();
    }

    private boolean isOver(long limit) {
      long used = (SYSTEM.getProcessCpuTime() - sinceUsed) / 1_000_000;
      long passed = (System.nanoTime() - since) / 1_000_000;
      return used > limit || passed > limit * WAITING;
    }

    private void record(TestIdentifier test, String status, Throwable error) {
      StringBuilder line = new StringBuilder("{\"id\":");
      quote(line, test.getUniqueId());
      line.append(",\"class\":");
      quote(line, className(test));
      line.append(",\"test\":").append(test.isTest()).append(",\"status\":\"").append(status).append('"');
      if (error != null) {
        line.append(",\"error\":");
        quote(line, error.getClass().getName());
        line.append(",\"text\":");
        quote(line, text(error));
      }
      out.println(line.append('}'));
    }

    /** The class of a test, through its parents where it has no source of its own. */
    private String className(TestIdentifier test) {
      for (TestIdentifier at = test; at != null; at = plan.getParent(at).orElse(null)) {
        Object source = at.getSource().orElse(null);
        if (source instanceof MethodSource) {
          return ((MethodSource) source).getClassName();
        }
        if (source instanceof ClassSource) {
          return ((ClassSource) source).getClassName();
        }
      }
      return "";
    }

    private static String text(Throwable error) {
      StringWriter text = new StringWriter();
      try {
        error.printStackTrace(new PrintWriter(text));
      } catch (Throwable e) {
        text.append("(its stack trace cannot be printed: ").append(e.toString()).append(')');
      }
      String all = text.toString();
      return all.length() > 3000 ? all.substring(0, 3000) : all;
    }

    /** Ends the process when a test runs too long. */
    void watch(long limit) {
      while (true) {
        try {
          Thread.sleep(500);
        } catch (InterruptedException e) {
          continue;
        }
        synchronized (this) {
          TestIdentifier test = running.peek();
          if (test == null || !isOver(limit)) {
            continue;
          }
        }
        stopped(stacks());
        Runtime.getRuntime().halt(STOPPED);
      }
    }

    /** Records that the tests end within the one that runs now. */
    synchronized void stopped(String reason) {
      TestIdentifier test = running.peek();
      // The engine itself runs, too, before and between the classes.
      if (test == null || className(test).isEmpty()) {
        return;
      }
      StringBuilder line = new StringBuilder("{\"stopped\":");
      quote(line, className(test));
      line.append(",\"id\":");
      quote(line, test.getUniqueId());
      line.append(",\"text\":");
      quote(line, reason);
      out.println(line.append('}'));
    }

    private static String stacks() {
      StringBuilder text = new StringBuilder();
      Thread.getAllStackTraces()
          .forEach(
              (thread, frames) -> {
                if (thread.getName().equals("main")) {
                  for (int i = 0; i < frames.length && i < 25; i++) {
                    text.append("at ").append(frames[i]).append('\n');
                  }
                }
              });
      return text.toString();
    }

    private static void quote(StringBuilder line, String text) {
      line.append('"');
      for (int i = 0; i < text.length(); i++) {
        char c = text.charAt(i);
        if (c == '"' || c == '\\') {
          line.append('\\').append(c);
        } else if (c < ' ' || c > '~') {
          line.append(String.format("\\u%04x", (int) c));
        } else {
          line.append(c);
        }
      }
      line.append('"');
    }
  }
}
