package droidtest.app;

import android.os.Looper;
import android.os.SystemClock;
import droidtest.host.box.Clock;
import java.time.Duration;
import java.util.Set;
import java.util.WeakHashMap;
import org.robolectric.Shadows;
import org.robolectric.shadows.ShadowLooper;
import org.robolectric.shadows.ShadowSystemClock;

/**
 * Lets the app come to rest: virtual time passes on the main looper, and between its slices the app's own threads get
 * real time to finish what they are doing.
 */
final class Settle {
  private static final int SLICE_MS = 50;
  /** Work takes time: what posts itself again until a time has come (a fling of a gallery) would wait for ever else. */
  private static final int TASKS_PER_MS = 8;
  /** Whoever posts himself again for ever is left after so much more. */
  private static final int BACKLOG_MS = 100;
  /** How long a step waits in all for threads that are running. */
  private static final long WAIT_NS = 400_000_000L;
  /** A thread that was still running at the deadline this often is a loop of its own and no longer waited for. */
  private static final int PATIENCE = 2;

  private final Set<Thread> before;
  private final Runnable frame;
  private final WeakHashMap<Thread, Integer> endless = new WeakHashMap<>();
  /** Whether this run has been late already: a thread is counted once for each. */
  private boolean late;
  /** Whether the main thread waits for the others to finish. */
  private volatile boolean waiting;
  private Thread[] threads = new Thread[64];

  /**
   * @param before the threads that were there before the app
   * @param frame draws what is dirty
   */
  Settle(Set<Thread> before, Runnable frame) {
    this.before = before;
    this.frame = frame;
  }

  /** Lets this much virtual time pass; false when background work was still running at the deadline. */
  boolean run(long ms) {
    long end = SystemClock.uptimeMillis() + ms;
    long deadline = System.nanoTime() + WAIT_NS;
    late = false;
    pass(0);
    frame.run();
    boolean quiet = await(deadline);
    while (SystemClock.uptimeMillis() < end) {
      pass(Math.min(SLICE_MS, end - SystemClock.uptimeMillis()));
      frame.run();
      quiet = await(deadline);
    }
    pass(0);
    return quiet;
  }

  /** Lets virtual time pass on the main looper, and all happen that is due then; waits for nothing. */
  static void pass(long ms) {
    ShadowLooper main = Shadows.shadowOf(Looper.getMainLooper());
    long end = SystemClock.uptimeMillis() + ms;
    for (int done = 1; ; done++) {
      long next = main.getNextScheduledTaskTime().toMillis();
      long now = SystemClock.uptimeMillis();
      if (next == 0 || next > Math.max(now, end) || now > end + BACKLOG_MS) {
        break;
      }
      ShadowSystemClock.advanceBy(Duration.ofMillis(Math.max(0, next - now)));
      main.runOneTask();
      if (done % TASKS_PER_MS == 0) {
        ShadowSystemClock.advanceBy(Duration.ofMillis(1));
      }
    }
    ShadowSystemClock.advanceBy(Duration.ofMillis(Math.max(0, end - SystemClock.uptimeMillis())));
    Clock.advanced();
  }

  /** Whether no thread of the app is at work and the main thread is not the one who waits for that here. */
  boolean waitsForNobody() {
    return !waiting && busy() == null;
  }

  /** Waits until no thread of the app is running; what they post is left for the next slice. */
  boolean await(long deadline) {
    waiting = true;
    try {
      return rest(deadline);
    } finally {
      waiting = false;
    }
  }

  private boolean rest(long deadline) {
    for (int round = 0; ; round++) {
      Thread busy = busy();
      if (busy == null) {
        return true;
      }
      if (System.nanoTime() > deadline) {
        if (!late) {
          late = true;
          synchronized (this) {
            endless.merge(busy, 1, Integer::sum);
          }
        }
        return false;
      }
      try {
        Thread.sleep(0, round < 10 ? 100_000 : 900_000);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return false;
      }
    }
  }

  private synchronized Thread busy() {
    ThreadGroup group = Thread.currentThread().getThreadGroup();
    while (group.getParent() != null) {
      group = group.getParent();
    }
    int count = group.enumerate(threads, true);
    if (count == threads.length) {
      threads = new Thread[2 * count];
      return busy();
    }
    for (int i = 0; i < count; i++) {
      Thread thread = threads[i];
      if (thread == Thread.currentThread() || before.contains(thread)) {
        continue;
      }
      Thread.State state = thread.getState();
      if ((state == Thread.State.RUNNABLE || state == Thread.State.BLOCKED)
          && endless.getOrDefault(thread, 0) < PATIENCE) {
        return thread;
      }
    }
    return null;
  }
}
