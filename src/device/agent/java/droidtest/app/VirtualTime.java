package droidtest.app;

import android.os.Looper;
import android.os.SystemClock;
import droidtest.host.Stacks;
import droidtest.host.box.Clock;
import droidtest.host.box.Process;
import droidtest.sched.Time;
import java.time.Duration;
import org.robolectric.shadows.ShadowSystemClock;

/** Robolectric's clock, as the app's code and threads see it; counts how long the main thread is blocked. */
final class VirtualTime implements Clock.Source, Time {
  /** Android calls an app that does not react for this long "not responding". */
  private static final long ANR_MS = 5000;
  /** Next to threads that sleep repeatedly, a main thread that waits forever would let time pass without end. */
  private static final long MOST_MS = 30_000;

  private volatile long blocked;
  private volatile String stack;
  private volatile String missing;

  @Override
  public long nanos() {
    return SystemClock.uptimeNanos();
  }

  @Override
  public long wall() {
    return Clock.currentTimeMillis();
  }

  @Override
  public boolean block(long to) {
    if (blocked > MOST_MS) {
      return false;
    }
    long ms = Math.max(0, (to - nanos() + 999_999) / 1_000_000);
    pass(ms);
    return true;
  }

  private void pass(long ms) {
    ShadowSystemClock.advanceBy(Duration.ofMillis(ms));
    blocked += ms;
    if (blocked >= ANR_MS && stack == null) {
      stack = Stacks.blocked("main", Looper.getMainLooper().getThread().getStackTrace());
    }
  }

  /** The system waits for the time after which it asks the user; there is none who lets the app go on. */
  @Override
  public Error unresponsive() {
    pass(Math.max(0, ANR_MS - blocked));
    missing = EmptyAnswers.awaited();
    return Process.unresponsive();
  }

  void beginStep() {
    blocked = 0;
    stack = null;
    missing = null;
    EmptyAnswers.beginStep();
  }

  long blocked() {
    return blocked;
  }

  /** The answer of the device that the main thread may have waited for without end; null if there is none. */
  String missing() {
    return missing;
  }

  /** Where the main thread was when it had been blocked too long; null when it was not. */
  String anrStack() {
    return stack;
  }
}
