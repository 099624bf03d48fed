package droidtest.app;

import android.os.Looper;
import android.os.SystemClock;
import droidtest.host.Stacks;
import droidtest.host.box.Clock;
import java.time.Duration;
import org.robolectric.shadows.ShadowSystemClock;

/** Robolectric's clock, as the app's code and threads see it; counts how long the main thread keeps it. */
final class VirtualTime implements Clock.Source {
  /** Android calls an app that does not react for this long "not responding". */
  private static final long ANR_MS = 5000;

  private final Settle settle;
  private volatile long blocked;
  private volatile String stack;
  private volatile boolean inApp;

  VirtualTime(Settle settle) {
    this.settle = settle;
  }

  @Override
  public long nanos() {
    return SystemClock.uptimeNanos();
  }

  @Override
  public boolean onMain() {
    return Thread.currentThread() == Looper.getMainLooper().getThread();
  }

  @Override
  public void mainSleeps(long ms) {
    ShadowSystemClock.advanceBy(Duration.ofMillis(ms));
    Clock.advanced();
    // Others would work on meanwhile: whoever polls for their result must not spin through virtual hours.
    settle.await(System.nanoTime() + Math.min(ms, 50) * 1_000_000);
    blocked += ms;
    if (blocked >= ANR_MS && stack == null) {
      stack = Stacks.blocked("main", Thread.currentThread().getStackTrace());
    }
  }

  @Override
  public boolean stuck() {
    Thread main = Looper.getMainLooper().getThread();
    Thread.State state = main.getState();
    return inApp && (state == Thread.State.WAITING || state == Thread.State.TIMED_WAITING || state == Thread.State.BLOCKED)
        && settle.waitsForNobody();
  }

  @Override
  public void mainWaits(long nanos) {
    if (nanos <= 0) {
      return;
    }
    // A whole millisecond more is never too late for the sleeper.
    long ms = nanos / 1_000_000 + 1;
    ShadowSystemClock.advanceBy(Duration.ofMillis(ms));
    blocked += ms;
    if (blocked >= ANR_MS && stack == null) {
      stack = Stacks.blocked("main", Looper.getMainLooper().getThread().getStackTrace());
    }
    Clock.advanced();
  }

  void beginStep() {
    blocked = 0;
    stack = null;
    inApp = true;
  }

  /** The main thread is ours again. */
  void endStep() {
    inApp = false;
  }

  long blocked() {
    return blocked;
  }

  /** Where the main thread was when it had been asleep too long; null when it was not. */
  String anrStack() {
    return stack;
  }
}
