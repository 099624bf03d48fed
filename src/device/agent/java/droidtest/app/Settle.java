package droidtest.app;

import android.os.Looper;
import android.os.SystemClock;
import droidtest.host.Host;
import droidtest.sched.Hashes;
import droidtest.sched.Instability;
import droidtest.sched.Scheduler;
import java.time.Duration;
import org.robolectric.Shadows;
import org.robolectric.shadows.ShadowLooper;
import org.robolectric.shadows.ShadowSystemClock;

/** Waits until the app is idle: virtual time passes on the main looper, and after each of its tasks the other threads run. */
final class Settle {
  private static final int SLICE_MS = 50;
  /** Work takes time: what posts itself again until a time has come (a fling of a gallery) would wait forever else. */
  private static final int TASKS_PER_MS = 8;
  /** Stops waiting for a task that reposts itself forever after so much more. */
  private static final int BACKLOG_MS = 100;

  private final Runnable frame;

  /** @param frame draws what is dirty */
  Settle(Runnable frame) {
    this.frame = frame;
  }

  /** Lets this much virtual time pass; false when background work was still running then. */
  boolean run(long ms) {
    long end = SystemClock.uptimeMillis() + ms;
    long restless = Instability.restless();
    pass(0);
    frame.run();
    drain();
    while (SystemClock.uptimeMillis() < end) {
      pass(Math.min(SLICE_MS, end - SystemClock.uptimeMillis()));
      frame.run();
      drain();
    }
    pass(0);
    return Instability.restless() == restless;
  }

  /** Lets virtual time pass on the main looper and for all other threads, and all happen that is due then. */
  static void pass(long ms) {
    ShadowLooper main = Shadows.shadowOf(Looper.getMainLooper());
    long end = SystemClock.uptimeMillis() + ms;
    for (int done = 1; ; done++) {
      drain();
      long task = main.getNextScheduledTaskTime().toMillis();
      long others = due();
      long now = SystemClock.uptimeMillis();
      long next = task == 0 ? others : Math.min(task, others);
      if (next > Math.max(now, end) || now > end + BACKLOG_MS) {
        break;
      }
      ShadowSystemClock.advanceBy(Duration.ofMillis(Math.max(0, next - now)));
      if (next == task) {
        Hashes.next(Hashes.SHORT);
        main.runOneTask();
      }
      if (done % TASKS_PER_MS == 0) {
        ShadowSystemClock.advanceBy(Duration.ofMillis(1));
      }
    }
    ShadowSystemClock.advanceBy(Duration.ofMillis(Math.max(0, end - SystemClock.uptimeMillis())));
  }

  /** When the first of the other threads wakes, in milliseconds on the device's clock. */
  private static long due() {
    return Scheduler.due() / 1_000_000;
  }

  /** The real time used by other threads does not count as the main thread's. */
  private static void drain() {
    if (Scheduler.idle()) {
      return;
    }
    Host.watchdog().rest(true);
    try {
      Scheduler.drain();
    } finally {
      Host.watchdog().rest(false);
    }
  }
}
