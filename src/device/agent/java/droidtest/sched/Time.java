package droidtest.sched;

/** The device's virtual clock, as the scheduler moves it. */
public interface Time {
  /** Nanoseconds since the device was started. */
  long nanos();

  /** Milliseconds since 1970. */
  long wall();

  /**
   * Moves the clock while the main thread is blocked and no thread of the app can run.
   *
   * @param to nanoseconds since the device was started; earlier than now has no effect
   * @return whether the clock may be moved again in this step
   */
  boolean block(long to);

  /**
   * The main thread waits for what can never come, or has been blocked for as long as the clock may be moved: the system
   * ends an app that does not respond.
   *
   * @return what the main thread throws from its wait, and from each one after it
   */
  Error unresponsive();
}
