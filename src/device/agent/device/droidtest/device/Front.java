package droidtest.device;

import android.app.ActivityManager;
import android.content.ComponentName;
import android.os.Build;
import android.system.ErrnoException;
import android.system.Os;
import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;

/** The foreground window, the screen's rotation, and whether the app's processes are alive. */
final class Front {
  /** {@code UserHandle.PER_USER_RANGE}. */
  private static final int RANGE = 100_000;

  private final String app;
  private final int user;
  private int knownPid = -1;

  /** @param user whose processes are the app's, on a device with several users; -1: anyone's */
  Front(String app, int user) {
    this.app = app;
    this.user = user;
  }

  /** The activity in front; null if the level keeps it from a shell. */
  static ComponentName activity() {
    try {
      Object service;
      Hidden.Member tasksOf = Hidden.ACTIVITIES_TASKS;
      if (Build.VERSION.SDK_INT >= 29) {
        service = Hidden.TASKS.call(null);
        tasksOf = Hidden.TASKS_TASKS;
      } else if (Build.VERSION.SDK_INT >= 26) {
        service = Hidden.ACTIVITIES.call(null);
      } else {
        service = Hidden.ACTIVITIES_OLD.call(null);
      }
      // Its form changes from level to level: a number of tasks first, then flags, booleans, a display.
      Method method = tasksOf.method();
      Class<?>[] types = method.getParameterTypes();
      Object[] arguments = new Object[types.length];
      for (int i = 0; i < types.length; i++) {
        arguments[i] = types[i] == boolean.class ? (Object) Boolean.FALSE : (Object) (i == 0 ? 1 : i == 3 ? -1 : 0);
      }
      List<?> tasks = (List<?>) method.invoke(service, arguments);
      return tasks.isEmpty() ? null : ((ActivityManager.RunningTaskInfo) tasks.get(0)).topActivity;
    } catch (ReflectiveOperationException | RuntimeException unknown) {
      return null;
    }
  }

  /** Rotation, width, height; null if the display does not say. */
  static int[] display() {
    try {
      Object info = Hidden.DISPLAY_INFO.call(Hidden.DISPLAYS.call(null), 0);
      return new int[] {Hidden.ROTATION.read(info), Hidden.WIDTH.read(info), Hidden.HEIGHT.read(info)};
    } catch (ReflectiveOperationException | RuntimeException unknown) {
      return null;
    }
  }

  /** Is this the app's main process, run for the user? */
  private boolean isOwn(int pid) {
    if (!app.equals(name(pid))) {
      return false;
    }
    try {
      return user < 0 || Os.stat("/proc/" + pid).st_uid / RANGE == user;
    } catch (ErrnoException gone) {
      return false;
    }
  }

  /** The app's processes, its main one first. */
  List<Integer> pids() {
    List<Integer> found = new ArrayList<>();
    if (knownPid > 0 && isOwn(knownPid)) {
      found.add(knownPid);
      return found;
    }
    knownPid = -1;
    String[] all = new File("/proc").list();
    for (String entry : all == null ? new String[0] : all) {
      if (!Character.isDigit(entry.charAt(0))) {
        continue;
      }
      int pid = Integer.parseInt(entry);
      if (isOwn(pid)) {
        knownPid = pid;
        found.add(pid);
      }
    }
    return found;
  }

  private static String name(int pid) {
    byte[] line = new byte[256];
    try (FileInputStream in = new FileInputStream("/proc/" + pid + "/cmdline")) {
      int length = in.read(line);
      int end = 0;
      while (end < length && line[end] != 0) {
        end++;
      }
      return new String(line, 0, end);
    } catch (IOException gone) {
      return "";
    }
  }
}
