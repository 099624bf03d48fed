package droidtest.host.box;

import java.lang.Thread.UncaughtExceptionHandler;

/** The app's handler for uncaught exceptions: kept apart, since the host's must continue hearing of every crash. */
public final class Threads {
  private static volatile UncaughtExceptionHandler system;
  private static volatile UncaughtExceptionHandler own;

  private Threads() {}

  /** @param handler what an app finds as the handler before its own */
  public static void reset(UncaughtExceptionHandler handler) {
    system = handler;
    own = null;
  }

  public static void setDefault(UncaughtExceptionHandler handler) {
    own = handler;
  }

  /** The handler that the app has set; null when it has none. */
  public static UncaughtExceptionHandler own() {
    return own;
  }

  public static UncaughtExceptionHandler getDefault() {
    return own != null ? own : system;
  }
}
