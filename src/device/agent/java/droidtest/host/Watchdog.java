package droidtest.host;

import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.LockInfo;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.function.Supplier;

/**
 * Watches the main thread from outside: reports it when one call of the app's code keeps it busy for five seconds, and again.
 * While the thread computes, its processor time counts: on a machine with too much to do the app is not to blame. Time is
 * counted from the last sample that shows no code of the app: what the framework needs before (a cold start) is the device's.
 */
public final class Watchdog {
  private static final long LIMIT_MS = 5000;
  /** Between two samples that ask whether the app's code is running at all. */
  private static final long SAMPLE_MS = 500;
  /** Between looks at a thread that has been busy for half the limit: enough of them tell what it does not leave. */
  private static final long LOOK_MS = 50;
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private final Wire wire;
  private Thread main;
  /** Nanoseconds since the request began, or since the last sample without a frame of the app. */
  private long spent;
  /** Wall clock and the thread's processor time at the last look, in nanoseconds. */
  private long wall;
  private long cpu;
  /** Milliseconds of garbage collection up to the last sample. */
  private long gc;
  private long notified;
  /** Wall clock at the last sample that asked for the app's code, in nanoseconds. */
  private long sampled;
  /** The outermost frames that all looks had in common since half the limit; null before. */
  private StackTraceElement[] stays;
  private Supplier<AppClassLoader> app;
  private boolean rests;
  private boolean warm;

  Watchdog(Wire wire) {
    this.wire = wire;
    Thread thread = new Thread(this::watch, "droidtest watchdog");
    thread.setDaemon(true);
    thread.start();
  }

  /**
   * The main thread starts to work on a request.
   *
   * @param loader the app's, asked for at each sample: a start makes it; null before
   */
  public synchronized void begin(Supplier<AppClassLoader> loader) {
    main = Thread.currentThread();
    app = loader;
    spent = 0;
    wall = System.nanoTime();
    cpu = THREADS.getThreadCpuTime(main.getId());
    gc = collecting();
    notified = 0;
    sampled = wall;
    stays = null;
    if (!warm) {
      warm = true;
      // Java's first uses of identity hashes occur at a fixed point, not when the watchdog samples first.
      StackTraceElement[] stack = main.getStackTrace();
      Stacks.common(stack, stack);
      Json.text(new StringBuilder(), Stacks.blocked("main", stack));
      hasAppFrame(stack);
      THREADS.getThreadInfo(main.getId());
      new LockInfo("", 0);
    }
  }

  /** The main thread waits for an engine of the device's own, whose time is not the app's, or continues. */
  public synchronized void rest(boolean does) {
    rests = does;
    if (main != null) {
      wall = System.nanoTime();
      cpu = THREADS.getThreadCpuTime(main.getId());
      gc = collecting();
    }
  }

  /** The main thread waits for the tool again. */
  public synchronized void end() {
    main = null;
  }

  private static long collecting() {
    long sum = 0;
    for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
      sum += Math.max(0, collector.getCollectionTime());
    }
    return sum;
  }

  private void watch() {
    try {
      wire.warm();
    } catch (IOException e) {
      return;
    }
    while (true) {
      try {
        Thread.sleep(look() ? LOOK_MS : SAMPLE_MS);
      } catch (InterruptedException | IOException e) {
        return;
      }
    }
  }

  /** Samples the main thread once, and returns whether the next sample must be soon. */
  private boolean look() throws IOException {
    String notice;
    synchronized (this) {
      if (main == null || rests) {
        return false;
      }
      long wallNow = System.nanoTime();
      long cpuNow = THREADS.getThreadCpuTime(main.getId());
      long gcNow = collecting();
      // During garbage collection the thread is stopped; a device would collect too.
      long worked = cpuNow - cpu + (gcNow - gc) * 1_000_000;
      long passed = wallNow - wall;
      spent += main.getState() == Thread.State.RUNNABLE ? Math.min(worked, passed) : passed;
      wall = wallNow;
      cpu = cpuNow;
      gc = gcNow;
      long ms = spent / 1_000_000;
      if (ms < SAMPLE_MS / 2) {
        return false;
      }
      StackTraceElement[] stack = main.getStackTrace();
      boolean due = ms >= notified + LIMIT_MS;
      if (due || wallNow - sampled >= (SAMPLE_MS - LOOK_MS) * 1_000_000) {
        sampled = wallNow;
        if (!due && !hasAppFrame(stack)) {
          spent = 0;
          notified = 0;
          stays = null;
          return false;
        }
      }
      // From a fixed point on: what ran before the loop is not a part of it.
      if (ms >= notified + LIMIT_MS / 2) {
        stays = stays == null ? stack : Stacks.common(stays, stack);
      }
      if (!due) {
        return stays != null;
      }
      notified = ms;
      int inner = stack.length - stays.length;
      System.arraycopy(stays, 0, stack, inner, stays.length);
      StringBuilder out = new StringBuilder("{\"notice\":\"blocked\",\"ms\":").append(ms).append(",\"stack\":");
      Json.text(out, Stacks.blocked("main", stack));
      out.append(",\"stays\":").append(Stacks.shown(stack, stack.length) - Stacks.shown(stack, inner));
      // Many short calls of the app are slow, but each lets the next message through: the call itself has to stay.
      notice = out.append(",\"in_app\":").append(hasAppFrame(stays)).append('}').toString();
      stays = null;
    }
    wire.send(notice);
    return false;
  }

  private boolean hasAppFrame(StackTraceElement[] stack) {
    AppClassLoader loader = app.get();
    if (loader == null) {
      return false;
    }
    for (StackTraceElement frame : stack) {
      if (loader.owns(frame.getClassName())) {
        return true;
      }
    }
    return false;
  }
}
