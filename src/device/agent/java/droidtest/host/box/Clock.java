package droidtest.host.box;

import java.time.Instant;
import java.time.ZoneId;
import java.util.Calendar;
import java.util.PriorityQueue;

/** The device's clock: virtual, the same for the framework, the app and its threads. */
public final class Clock {
  /** When every process life begins, in milliseconds since 1970: set once, before any life. */
  public static volatile long EPOCH_MS;
  /** How long a thread at most waits in real time for the virtual clock. */
  private static final long CAP_MS = 20_000;

  /** Where virtual time comes from. */
  public interface Source {
    /** Nanoseconds since the device was started. */
    long nanos();

    /** Whether the caller is the app's main thread. */
    boolean onMain();

    /** Lets virtual time pass while the main thread sleeps. */
    void mainSleeps(long ms);

    /** Whether the main thread waits for another thread and no thread of the app is at work. */
    boolean stuck();

    /** Lets virtual time pass while the main thread waits for another thread. */
    void mainWaits(long nanos);
  }

  /** How long in real time a sleeper trusts that the main thread goes on. */
  private static final long PATIENCE_MS = 3;

  private static final Object TICK = new Object();
  /** When each of the sleeping threads wakes, in virtual nanoseconds; guarded by {@link #TICK}. */
  private static final PriorityQueue<Long> SLEEPERS = new PriorityQueue<>();
  private static volatile Source source;

  private Clock() {}

  /** @param ms the time, since 1970, at which every process life begins */
  public static void startAt(long ms) {
    EPOCH_MS = ms;
  }

  public static void use(Source theSource) {
    source = theSource;
    advanced();
  }

  /** Virtual time has moved: whoever sleeps looks whether its time has come. */
  public static void advanced() {
    synchronized (TICK) {
      TICK.notifyAll();
    }
  }

  public static long nanoTime() {
    Source now = source;
    return now == null ? 0 : now.nanos();
  }

  public static long currentTimeMillis() {
    return EPOCH_MS + nanoTime() / 1_000_000;
  }

  public static void sleep(long ms, int nanos) throws InterruptedException {
    sleep(ms);
  }

  public static void sleep(long ms) throws InterruptedException {
    if (ms < 0) {
      throw new IllegalArgumentException("timeout value is negative");
    }
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    Source clock = source;
    if (clock == null) {
      Thread.sleep(ms);
    } else if (clock.onMain()) {
      clock.mainSleeps(ms);
    } else {
      await(clock, clock.nanos() + ms * 1_000_000, System.nanoTime() + Math.max(CAP_MS, ms) * 1_000_000);
    }
  }

  private static void await(Source clock, long until, long realUntil) throws InterruptedException {
    PriorityQueue<Long> sleepers = SLEEPERS;
    synchronized (TICK) {
      sleepers.add(until);
    }
    try {
      while (clock == source && clock.nanos() < until) {
        long left = (realUntil - System.nanoTime()) / 1_000_000;
        if (left <= 0) {
          return;
        }
        synchronized (TICK) {
          if (clock.nanos() < until) {
            TICK.wait(Math.min(left, PATIENCE_MS));
          }
        }
        // Only the main thread moves the clock; while it waits for one of us, nobody would.
        if (first() == until && clock == source && clock.stuck()) {
          clock.mainWaits(until - clock.nanos());
        }
      }
    } finally {
      synchronized (TICK) {
        sleepers.remove(until);
      }
    }
    if (clock != source) {
      // The process life that this thread belongs to is over.
      throw new ProcessExit("over");
    }
  }

  /** When the first of the sleepers wakes. */
  private static long first() {
    synchronized (TICK) {
      Long first = SLEEPERS.peek();
      return first == null ? Long.MAX_VALUE : first;
    }
  }

  /** As {@code SystemClock.sleep}: an interrupt does not end it. */
  public static void sleepOn(long ms) {
    try {
      sleep(ms);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** A calendar that was made for "now". */
  public static Calendar now(Calendar calendar) {
    calendar.setTimeInMillis(currentTimeMillis());
    return calendar;
  }

  public static java.time.Clock javaClock() {
    return java.time.Clock.fixed(Instant.ofEpochMilli(currentTimeMillis()), ZoneId.systemDefault());
  }
}
