package droidtest.app;

import android.app.ActivityManager;
import android.app.IActivityManager;
import android.content.ComponentName;
import android.content.pm.ConfigurationInfo;
import java.util.ArrayList;
import java.util.List;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.shadows.ShadowActivityManager;

/** Gives the framework our activity manager, and tells the app what of its own runs and what the device is. */
@Implements(ActivityManager.class)
public class ActivityManagerShadow extends ShadowActivityManager {
  private static final long GIB = 1L << 30;

  @Implementation
  protected static IActivityManager getService() {
    return SystemServer.activityManager();
  }

  @Override
  @Implementation
  protected List<ActivityManager.RunningTaskInfo> getRunningTasks(int most) {
    List<ActivityManager.RunningTaskInfo> found = new ArrayList<>();
    SystemServer system = SystemServer.current();
    List<Task> tasks = system == null ? List.of() : system.activities.tasks();
    for (int i = tasks.size() - 1; i >= 0 && found.size() < most; i--) {
      Record top = tasks.get(i).top();
      Record root = tasks.get(i).root();
      if (top == null || root == null) {
        continue;
      }
      ActivityManager.RunningTaskInfo task = new ActivityManager.RunningTaskInfo();
      task.id = tasks.get(i).id;
      task.taskId = task.id;
      task.topActivity = top.component();
      task.baseActivity = root.component();
      task.baseIntent = root.intent;
      task.numActivities = tasks.get(i).records.size();
      task.numRunning = task.numActivities;
      task.isRunning = true;
      found.add(task);
    }
    return found;
  }

  @Override
  @Implementation
  protected List<ActivityManager.RunningServiceInfo> getRunningServices(int most) {
    List<ActivityManager.RunningServiceInfo> found = new ArrayList<>();
    SystemServer system = SystemServer.current();
    List<ComponentName> names = system == null ? List.of() : system.services.running();
    for (ComponentName name : names.subList(0, Math.min(Math.max(most, 0), names.size()))) {
      ActivityManager.RunningServiceInfo service = new ActivityManager.RunningServiceInfo();
      service.service = name;
      service.process = AppProcess.packageName();
      service.pid = android.os.Process.myPid();
      service.uid = android.os.Process.myUid();
      service.started = true;
      found.add(service);
    }
    return found;
  }

  @Override
  @Implementation
  protected ConfigurationInfo getDeviceConfigurationInfo() {
    ConfigurationInfo device = super.getDeviceConfigurationInfo();
    ConfigurationInfo phone = device == null ? new ConfigurationInfo() : device;
    phone.reqGlEsVersion = Phone.GRAPHICS;
    return phone;
  }

  @Override
  @Implementation
  protected void getMemoryInfo(ActivityManager.MemoryInfo memory) {
    memory.totalMem = 4 * GIB;
    memory.availMem = 2 * GIB;
    memory.threshold = GIB / 5;
    memory.lowMemory = false;
  }
}
