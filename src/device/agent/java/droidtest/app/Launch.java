package droidtest.app;

import android.app.ActivityManager;
import android.app.ResultInfo;
import android.content.Intent;
import android.content.pm.ActivityInfo;
import java.util.ArrayList;
import java.util.List;

/** Where a started activity goes: Android's rules for launch modes and flags. */
final class Launch {
  private final Activities activities;
  private final Record record;
  private final Record source;
  private int flags;
  private final int mode;

  Launch(Activities activities, Record record, Record source) {
    this.activities = activities;
    this.record = record;
    this.source = source;
    flags = record.intent.getFlags();
    mode = record.info.launchMode;
  }

  int place() {
    if ((flags & Intent.FLAG_ACTIVITY_NEW_TASK) != 0 && record.resultTo != null) {
      // An activity in another task cannot answer: the caller is notified immediately.
      record.resultTo.results.add(new ResultInfo(record.resultWho, record.requestCode, 0, null));
      record.resultTo = null;
    }
    boolean single = mode == ActivityInfo.LAUNCH_SINGLE_TASK || mode == ActivityInfo.LAUNCH_SINGLE_INSTANCE;
    boolean fromSingle = source != null && source.info.launchMode == ActivityInfo.LAUNCH_SINGLE_INSTANCE;
    if (single || source == null || fromSingle) {
      flags |= Intent.FLAG_ACTIVITY_NEW_TASK;
    }
    Task task = (flags & Intent.FLAG_ACTIVITY_NEW_TASK) != 0 ? taskFor(single) : source.task;
    if (task == null) {
      return push(activities.newTask(record.info));
    }
    if ((flags & Intent.FLAG_ACTIVITY_CLEAR_TASK) != 0 && (flags & Intent.FLAG_ACTIVITY_NEW_TASK) != 0) {
      for (Record old : new ArrayList<>(task.records)) {
        activities.finish(old, 0, null);
      }
      return push(task);
    }
    return reuse(task, single);
  }

  private Task taskFor(boolean single) {
    boolean multiple = (flags & Intent.FLAG_ACTIVITY_MULTIPLE_TASK) != 0 && !single;
    if (multiple) {
      return null;
    }
    for (Task task : activities.tasks()) {
      Record root = task.root();
      if (root == null) {
        continue;
      }
      boolean instance = root.info.launchMode == ActivityInfo.LAUNCH_SINGLE_INSTANCE;
      if (mode == ActivityInfo.LAUNCH_SINGLE_INSTANCE || instance) {
        if (root.component().equals(record.component())) {
          return task;
        }
      } else if (String.valueOf(task.affinity).equals(String.valueOf(record.info.taskAffinity))) {
        return task;
      }
    }
    return null;
  }

  private int reuse(Task task, boolean single) {
    Record top = task.top();
    boolean clear = (flags & Intent.FLAG_ACTIVITY_CLEAR_TOP) != 0 || single;
    if (clear) {
      Record same = find(task);
      if (same != null) {
        boolean keep =
            mode != ActivityInfo.LAUNCH_MULTIPLE || (flags & Intent.FLAG_ACTIVITY_SINGLE_TOP) != 0;
        List<Record> records = task.records;
        for (int i = records.size() - 1; i > records.indexOf(same); i--) {
          activities.finish(records.get(i), 0, null);
        }
        if (keep) {
          return deliver(task, same);
        }
        activities.finish(same, 0, null);
        return push(task);
      }
      return push(task);
    }
    if ((flags & Intent.FLAG_ACTIVITY_REORDER_TO_FRONT) != 0) {
      Record same = find(task);
      if (same != null) {
        task.records.remove(same);
        task.records.add(same);
        return deliver(task, same);
      }
    }
    boolean singleTop = (flags & Intent.FLAG_ACTIVITY_SINGLE_TOP) != 0 || mode == ActivityInfo.LAUNCH_SINGLE_TOP;
    if (top != null && top.component().equals(record.component()) && singleTop) {
      return deliver(task, top);
    }
    if (source == null || source.task != task) {
      Record root = task.root();
      if (root != null && root.component().equals(record.component()) && root.intent.filterEquals(record.intent)) {
        // As the launcher does: the task comes to the front unchanged.
        activities.toFront(task);
        return ActivityManager.START_TASK_TO_FRONT;
      }
    }
    return push(task);
  }

  private Record find(Task task) {
    for (int i = task.records.size() - 1; i >= 0; i--) {
      Record old = task.records.get(i);
      if (!old.finishing && old.component().equals(record.component())) {
        return old;
      }
    }
    return null;
  }

  private int deliver(Task task, Record to) {
    to.newIntents.add(record.intent);
    if (record.resultTo != null) {
      record.sendResult(0, null);
    }
    activities.toFront(task);
    return ActivityManager.START_DELIVERED_TO_TOP;
  }

  private int push(Task task) {
    record.task = task;
    task.records.add(record);
    activities.toFront(task);
    return ActivityManager.START_SUCCESS;
  }
}
