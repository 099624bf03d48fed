package droidtest.app;

import android.os.Looper;
import android.os.SystemClock;
import droidtest.host.box.Clock;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.TimeUnit;
import org.robolectric.Shadows;
import org.robolectric.shadows.ShadowLooper;

/**
 * Lets the app come to rest: virtual time passes on the main looper, and between its slices the app's own threads get
 * real time to finish what they are doing.
 */
final class Settle {
  private static final int SLICE_MS = 50;
  /** How long a step waits in all for threads that are running. */
  private static final long WAIT_NS = 400_000_000L;
  /** A thread that was still running at the deadline this often is a loop of its own and no longer waited for. */
  private static final int PATIENCE = 2;

  private final Set<Thread> before;
  private final Runnable frame;
  private final WeakHashMap<Thread, Integer> endless = new WeakHashMap<>();
  /** Whether this run has been late already: a thread is counted once for each. */
  private boolean late;
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
    ShadowLooper main = Shadows.shadowOf(Looper.getMainLooper());
    long end = SystemClock.uptimeMillis() + ms;
    long deadline = System.nanoTime() + WAIT_NS;
    late = false;
    main.idle();
    frame.run();
    boolean quiet = await(deadline);
    while (SystemClock.uptimeMillis() < end) {
      pass(Math.min(SLICE_MS, end - SystemClock.uptimeMillis()));
      frame.run();
      quiet = await(deadline);
    }
    main.idle();
    return quiet;
  }

  /** Lets virtual time pass on the main looper and waits for nothing. */
  static void pass(long ms) {
    Shadows.shadowOf(Looper.getMainLooper()).idleFor(ms, TimeUnit.MILLISECONDS);
    Clock.advanced();
  }

  /** Waits until no thread of the app is running; what they post is left for the next slice. */
  boolean await(long deadline) {
    for (int round = 0; ; round++) {
      Thread busy = busy();
      if (busy == null) {
        return true;
      }
      if (System.nanoTime() > deadline) {
        if (!late) {
          late = true;
          endless.merge(busy, 1, Integer::sum);
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

  private Thread busy() {
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
