package droidtest.app;

import android.app.IRequestFinishCallback;
import android.content.ComponentName;
import android.content.Intent;
import android.content.res.Configuration;
import android.os.IBinder;
import android.os.RemoteException;

/** Calls of the app's process to the activity task manager; see {@link Binders} for how calls get here. */
final class ActivityTaskCalls {
  private static final ActivityTaskCalls INSTANCE = new ActivityTaskCalls();

  private ActivityTaskCalls() {}

  static ActivityTaskCalls current() {
    return INSTANCE;
  }

  private static Activities activities() {
    return SystemServer.current().activities;
  }

  Object getActivityClientController(Object[] args) {
    return SystemServer.clientController();
  }

  /** (caller, package, feature, intent, type, resultTo, resultWho, requestCode, flags, profiler, options). */
  Object startActivity(Object[] args) {
    return activities()
        .start((Intent) args[3], (String) args[4], (IBinder) args[5], (String) args[6], (int) args[7]);
  }

  Object startActivityAsUser(Object[] args) {
    return startActivity(args);
  }

  Object startActivities(Object[] args) {
    Intent[] intents = Binders.first(args, Intent[].class);
    int result = 0;
    for (Intent intent : intents) {
      result = activities().start(intent, null, Binders.first(args, IBinder.class), null, -1);
    }
    return result;
  }

  Object finishActivity(Object[] args) {
    return activities().finish((IBinder) args[0], (int) args[1], (Intent) args[2]);
  }

  Object finishActivityAffinity(Object[] args) {
    return activities().finishAffinity((IBinder) args[0]);
  }

  Object finishSubActivity(Object[] args) {
    activities().finishSub((IBinder) args[0], (String) args[1], (int) args[2]);
    return null;
  }

  Object moveActivityTaskToBack(Object[] args) {
    return activities().moveTaskToBack((IBinder) args[0]);
  }

  Object isTopOfTask(Object[] args) {
    return activities().isTopOfTask((IBinder) args[0]);
  }

  Object willActivityBeVisible(Object[] args) {
    return activities().isTopOfTask((IBinder) args[0]);
  }

  Object getTaskForActivity(Object[] args) {
    return activities().taskId((IBinder) args[0], (boolean) args[1]);
  }

  Object getCallingActivity(Object[] args) {
    return activities().callingActivity((IBinder) args[0]);
  }

  Object getCallingPackage(Object[] args) {
    ComponentName caller = activities().callingActivity((IBinder) args[0]);
    return caller == null ? null : caller.getPackageName();
  }

  Object getLaunchedFromPackage(Object[] args) {
    return AppProcess.packageName();
  }

  Object getLaunchedFromUid(Object[] args) {
    return android.os.Process.myUid();
  }

  Object navigateUpTo(Object[] args) {
    return activities().navigateUp((IBinder) args[0], (Intent) args[1]);
  }

  Object setRequestedOrientation(Object[] args) {
    activities().requestOrientation((IBinder) args[0], (int) args[1]);
    return null;
  }

  Object getRequestedOrientation(Object[] args) {
    return activities().requestedOrientation((IBinder) args[0]);
  }

  Object activityLocalRelaunch(Object[] args) {
    return null;
  }

  /** The back key was not handled: the activity finishes itself, so that its {@code finish} runs. */
  Object onBackPressed(Object[] args) throws RemoteException {
    ((IRequestFinishCallback) args[1]).requestFinish();
    return null;
  }

  Object convertFromTranslucent(Object[] args) {
    return true;
  }

  Object getTaskConfiguration(Object[] args) {
    return new Configuration(AppProcess.application().getResources().getConfiguration());
  }

  Object getAppTasks(Object[] args) {
    return new java.util.ArrayList<IBinder>();
  }

}
