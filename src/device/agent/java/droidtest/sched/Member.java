package droidtest.sched;

/** A thread that the scheduler manages. The scheduler's lock guards all fields but {@code granted}. */
final class Member {
  /** What a managed thread does. */
  enum State {
    /** It has the token. */
    RUNNING,
    /** It can run, and waits for the token. */
    READY,
    /** It waits for another thread or for a time. */
    BLOCKED,
    /** It runs without the token, since it kept that for too long; from its next wait on it is managed again. */
    LOOSE,
  }

  static final long NEVER = Long.MAX_VALUE;

  final Thread thread;
  State state = State.READY;
  /** Whether it has waited for its first token. */
  boolean started;
  /** When its wait ends, in virtual nanoseconds. */
  long deadline = NEVER;
  /** The object whose wait set it is in, or null. */
  Object monitor;
  /** Whether it is parked, so that {@code unpark} wakes it. */
  boolean parked;
  /** The permit of {@code LockSupport}. */
  boolean permit;
  /** Someone has interrupted it while it was blocked. */
  boolean interrupted;
  /** The process life that it slept in is over. */
  boolean over;
  /** How often it was let loose. */
  int loosed;
  /** What it throws from its waits, since the system has ended its process; null while that lives. */
  volatile Error end;
  /** What the kernel knows of it, or null. */
  volatile KernelThread kernel;
  /** It has the token, and may not know it yet; guarded by this object. */
  boolean granted;

  Member(Thread thread) {
    this.thread = thread;
  }

  /** Clocks of the framework count milliseconds: who woke before one was over would see no time pass. */
  static long wholeMs(long now, long nanos) {
    long at = now + nanos;
    return at < now ? NEVER - 1 : (at + 999_999) / 1_000_000 * 1_000_000;
  }

  /** Whether it cannot continue before another one does something or time passes. */
  boolean waits() {
    return state == State.BLOCKED || state == State.LOOSE && thread.getState() != Thread.State.RUNNABLE;
  }

  /** The system has not started its thread: there are too many, or no memory is left. */
  boolean refused() {
    return !started && thread.getState() == Thread.State.NEW;
  }

  /** Unwinds a thread whose process the system has ended. */
  void leave() {
    Error error = end;
    if (error != null) {
      throw error;
    }
  }

  /** On its thread, before its first token. */
  void begins() {
    started = true;
    kernel = KernelThread.current();
  }

  /** Waits for the token; an interrupt meanwhile stays pending. */
  void await() {
    boolean interrupted = false;
    synchronized (this) {
      while (!granted) {
        try {
          wait();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
      granted = false;
    }
    if (interrupted) {
      thread.interrupt();
    }
  }

  void grant() {
    Hashes.next(Hashes.SHORT);
    synchronized (this) {
      granted = true;
      notify();
    }
  }

  /** Whether it has yet to find out that it has the token. */
  boolean comes() {
    synchronized (this) {
      return granted;
    }
  }

  /** Takes the token that it was granted while it was in a wait set. */
  boolean take() {
    synchronized (this) {
      boolean had = granted;
      granted = false;
      return had;
    }
  }
}
