package droidtest.sched;

/** What of a process life need not come again with the same seed. The scheduler's lock guards all of it. */
public final class Instability {
  /** How often a thread kept the token so long that it was removed. */
  static long restless;
  /** Threads of this life that go their own way. */
  static int strays;
  /** The first reason, or null. */
  private static String reason;

  private Instability() {}

  static void begin() {
    reason = null;
    strays = 0;
  }

  static void blame(String why) {
    if (reason == null) {
      reason = why;
    }
  }

  static boolean noStrays() {
    return strays == 0;
  }

  /** Why this life need not come again with the same seed, or null. */
  public static String reason() {
    synchronized (Scheduler.LOCK) {
      return reason;
    }
  }

  /** How often a thread was seen that never comes to rest. */
  public static long restless() {
    synchronized (Scheduler.LOCK) {
      return restless;
    }
  }
}
