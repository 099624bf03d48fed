package droidtest.app;

import android.app.ActivityThread;
import android.app.IActivityClientController;
import android.app.IActivityManager;
import android.app.IActivityTaskManager;
import android.content.Intent;
import android.content.pm.PackageManager;
import android.os.Handler;
import android.os.Looper;
import droidtest.gui.Egl;
import org.robolectric.RuntimeEnvironment;

/**
 * The part of Android that is no part of the app's process: it starts and stops components through the framework's
 * own {@link ActivityThread} to, as the real one does over binder. Each process life has a new one.
 */
final class SystemServer {
  private static SystemServer current;
  private static IActivityManager activityManager;
  private static IActivityTaskManager activityTaskManager;
  private static IActivityClientController clientController;

  final Handler handler = new Handler(Looper.getMainLooper());
  final Recorder recorder = new Recorder();
  final Activities activities = new Activities(this);
  final Rotation rotation = new Rotation(this);
  final Services services = new Services(this);
  final Broadcasts broadcasts = new Broadcasts();
  final Providers providers = new Providers();
  final Faults faults = new Faults(this);
  final Outside outside = new Outside(this);

  static SystemServer renew() {
    current = new SystemServer();
    return current;
  }

  /** Between two lives the framework prepares itself and makes calls; they are not answered. */
  static void end() {
    current = null;
    Jobs.end();
    Senses.forget();
    CameraThread.end();
    Faults.forget();
    Egl.forget();
    AppProcess.end();
  }

  static SystemServer current() {
    return current;
  }

  static synchronized IActivityManager activityManager() {
    if (activityManager == null) {
      activityManager =
          Binders.proxy(IActivityManager.class, ActivityManagerCalls.class, ActivityManagerCalls::current);
    }
    return activityManager;
  }

  static synchronized IActivityTaskManager activityTaskManager() {
    if (activityTaskManager == null) {
      activityTaskManager =
          Binders.proxy(IActivityTaskManager.class, ActivityTaskCalls.class, ActivityTaskCalls::current);
    }
    return activityTaskManager;
  }

  static synchronized IActivityClientController clientController() {
    if (clientController == null) {
      clientController =
          Binders.proxy(IActivityClientController.class, ActivityTaskCalls.class, ActivityTaskCalls::current);
    }
    return clientController;
  }

  static ActivityThread thread() {
    return (ActivityThread) RuntimeEnvironment.getActivityThread();
  }

  static PackageManager packages() {
    return AppProcess.application().getPackageManager();
  }

  static boolean own(String packageName) {
    return AppProcess.packageName().equals(packageName);
  }

  /** A copy as if it had crossed a binder; the app may change its afterwards. */
  static Intent copy(Intent intent) {
    return new Intent(intent);
  }

}
