package droidtest.sched;

/**
 * A network that nobody answers on, for an app that ends where it finds none: whoever looks a name up waits, as a phone
 * does on a Wi-Fi that leads nowhere, until the process life ends.
 */
public final class Silence {
  private static final Object ENDS = new Object();
  private static boolean chosen;
  private static volatile boolean on;
  /** It does not wait: a lookup of a name there is a distinct error. */
  private static volatile Thread main;

  private Silence() {}

  /** For the process lives from the next one on. */
  public static void choose(boolean silence) {
    chosen = silence;
  }

  public static boolean chosen() {
    return chosen;
  }

  /** On the main thread, at the start of a process life. */
  public static void begin() {
    main = Thread.currentThread();
    on = chosen;
  }

  /** The life is over: those who wait continue, and find no network. */
  public static void end() {
    synchronized (ENDS) {
      on = false;
      Hooks.notifyAll(ENDS);
    }
  }

  /** At the head of Java's lookup of names. */
  public static void lookUp(String host) {
    if (!on || "localhost".equals(host) || Thread.currentThread() == main || Scheduler.self() == null) {
      return;
    }
    synchronized (ENDS) {
      try {
        while (on) {
          Hooks.wait(ENDS);
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
