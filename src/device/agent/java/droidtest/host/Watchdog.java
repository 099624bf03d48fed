package droidtest.host;

import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/**
 * Watches the main thread from outside: says so when one request keeps it busy for five seconds, and again. While the thread
 * computes, its own processor time counts: on a machine with too much to do the app is not to blame.
 */
public final class Watchdog {
  private static final long LIMIT_MS = 5000;
  /** Samples taken before the notice; app frames must be in all of them for the app to be to blame. */
  private static final long SAMPLE_MS = 500;
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private final Wire wire;
  private Thread main;
  /** Milliseconds that the request has taken so far. */
  private long spent;
  /** Wall clock and the thread's processor time at the last look, in nanoseconds. */
  private long wall;
  private long cpu;
  /** Milliseconds spent on collecting rubbish up to the last look. */
  private long gc;
  private long notified;
  private boolean inApp;
  private ClassLoader appLoader;

  Watchdog(Wire wire) {
    this.wire = wire;
    Thread thread = new Thread(this::watch, "droidtest watchdog");
    thread.setDaemon(true);
    thread.start();
  }

  /** The main thread starts to work on a request. */
  public synchronized void begin(ClassLoader loader) {
    main = Thread.currentThread();
    appLoader = loader;
    spent = 0;
    wall = System.nanoTime();
    cpu = THREADS.getThreadCpuTime(main.getId());
    gc = collecting();
    notified = 0;
    inApp = true;
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
    while (true) {
      try {
        Thread.sleep(SAMPLE_MS);
        sample();
      } catch (InterruptedException | IOException e) {
        return;
      }
    }
  }

  private void sample() throws IOException {
    String notice;
    synchronized (this) {
      if (main == null) {
        return;
      }
      long wallNow = System.nanoTime();
      long cpuNow = THREADS.getThreadCpuTime(main.getId());
      long gcNow = collecting();
      // While rubbish is collected for it, the thread stands still; a device would collect it too.
      long worked = (cpuNow - cpu) / 1_000_000 + gcNow - gc;
      long passed = (wallNow - wall) / 1_000_000;
      spent += main.getState() == Thread.State.RUNNABLE ? Math.min(worked, passed) : passed;
      wall = wallNow;
      cpu = cpuNow;
      gc = gcNow;
      long ms = spent;
      if (ms < SAMPLE_MS / 2) {
        return;
      }
      StackTraceElement[] stack = main.getStackTrace();
      inApp &= hasAppFrame(stack);
      if (ms < LIMIT_MS || ms < notified + LIMIT_MS) {
        return;
      }
      notified = ms;
      StringBuilder out = new StringBuilder("{\"notice\":\"blocked\",\"ms\":").append(ms).append(",\"stack\":");
      Json.text(out, Stacks.blocked("main", stack));
      notice = out.append(",\"in_app\":").append(inApp).append('}').toString();
    }
    wire.send(notice);
  }

  private boolean hasAppFrame(StackTraceElement[] stack) {
    if (!(appLoader instanceof AppClassLoader)) {
      return false;
    }
    for (StackTraceElement frame : stack) {
      if (((AppClassLoader) appLoader).owns(frame.getClassName())) {
        return true;
      }
    }
    return false;
  }
}
