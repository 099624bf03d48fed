package droidtest.app;

import android.os.Handler;
import android.os.HandlerThread;

/**
 * The thread that the system's camera works on, in each process life another one. As on Android it is no thread of the app's:
 * a main thread that waits for its camera does not wait in vain.
 */
final class CameraThread {
  private static HandlerThread thread;

  private CameraThread() {}

  static synchronized Handler handler() {
    if (thread == null) {
      thread = new HandlerThread("camera");
      thread.setDaemon(true);
      thread.start();
    }
    return new Handler(thread.getLooper());
  }

  /** The process life is over. */
  static synchronized void end() {
    if (thread != null) {
      thread.quit();
      thread = null;
    }
  }
}
