package droidtest.app;

import android.app.Activity;
import android.app.Application;
import android.app.Instrumentation;
import android.content.Context;
import android.content.Intent;
import android.os.Bundle;

/** The framework's instrumentation, which reports what happens to activities. */
final class AppInstrumentation extends Instrumentation {
  private final SystemServer system;

  AppInstrumentation(SystemServer system) {
    this.system = system;
  }

  /** Android 16 lets only tests inspect message queues, as Robolectric's looper does. */
  @Override
  public boolean isInstrumenting() {
    return true;
  }

  @Override
  public void callActivityOnResume(Activity activity) {
    system.recorder.visited(activity.getComponentName().getClassName());
    super.callActivityOnResume(activity);
  }

  @Override
  public Application newApplication(ClassLoader loader, String name, Context context)
      throws InstantiationException, IllegalAccessException, ClassNotFoundException {
    return super.newApplication(loader, name, context);
  }

  @Override
  public Activity newActivity(ClassLoader loader, String name, Intent intent)
      throws InstantiationException, IllegalAccessException, ClassNotFoundException {
    if (intent != null) {
      intent.setExtrasClassLoader(AppProcess.loader());
    }
    return super.newActivity(AppProcess.loader(), name, intent);
  }

  @Override
  public void finish(int resultCode, Bundle results) {
    // Robolectric finishes the instrumentation between tests; there is nothing to notify.
  }
}
