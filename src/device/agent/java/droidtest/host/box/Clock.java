package droidtest.host.box;

import droidtest.sched.Hooks;
import droidtest.sched.Scheduler;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Calendar;

/** The device's clock: virtual, the same for the framework, the app and its threads. */
public final class Clock {
  /** When every process life starts, in milliseconds since 1970: set once, before any life. */
  public static volatile long EPOCH_MS;
  /** How far the date has been moved on in this process life, in milliseconds. */
  private static volatile long moved;

  /** Where virtual time comes from. */
  public interface Source {
    /** Nanoseconds since the device was started. */
    long nanos();
  }

  private static volatile Source source;

  private Clock() {}

  /** @param ms the time, since 1970, at which every process life starts */
  public static void startAt(long ms) {
    EPOCH_MS = ms;
  }

  /** The start of this process life by the current date, in milliseconds since 1970. */
  public static long epoch() {
    return EPOCH_MS + moved;
  }

  /** Moves the date, not the time since the start. @param ms how far in all, from where the life started */
  public static void moveDate(long ms) {
    moved = ms;
  }

  public static long movedDate() {
    return moved;
  }

  public static void use(Source theSource) {
    source = theSource;
  }

  public static long nanoTime() {
    Source now = source;
    if (now != null) {
      return now.nanos();
    }
    // Between lives, a thread of the last one finds that all it waited for is past.
    return Hooks.managed() ? Scheduler.nanos() : 0;
  }

  public static long currentTimeMillis() {
    return epoch() + nanoTime() / 1_000_000;
  }

  public static void sleep(long ms, int nanos) throws InterruptedException {
    sleep(nanos > 0 && ms < Long.MAX_VALUE ? ms + 1 : ms);
  }

  public static void sleep(long ms) throws InterruptedException {
    if (!Hooks.managed()) {
      Thread.sleep(ms);
    } else if (!Hooks.pause(ms)) {
      // The process life that this thread belongs to is over.
      throw new ProcessExit("over");
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
