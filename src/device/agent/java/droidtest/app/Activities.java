package droidtest.app;

import android.app.ActivityManager;
import android.content.ComponentName;
import android.content.Intent;
import android.content.pm.ActivityInfo;
import android.os.IBinder;
import java.util.ArrayList;
import java.util.List;

/**
 * The activity task manager: which activity a start leads to (tasks, launch modes, flags), results, and the back stack.
 * It only decides; {@link Lifecycle} then brings the process's activities into line, on the main thread, as on a device
 * after the caller has returned.
 */
final class Activities {
  private final SystemServer system;
  private final Lifecycle lifecycle;
  /** The front task is last. */
  private final List<Task> tasks = new ArrayList<>();
  private int nextTask = 1;

  Activities(SystemServer system) {
    this.system = system;
    lifecycle = new Lifecycle(system, this);
  }

  Lifecycle lifecycle() {
    return lifecycle;
  }

  /** The record that should be in front: the topmost that is not finishing; null when the app has none left. */
  synchronized Record top() {
    for (int i = tasks.size() - 1; i >= 0; i--) {
      Record top = tasks.get(i).top();
      if (top != null) {
        return top;
      }
    }
    return null;
  }

  /** All records, the front one first. */
  synchronized List<Record> all() {
    List<Record> all = new ArrayList<>();
    for (int i = tasks.size() - 1; i >= 0; i--) {
      List<Record> records = tasks.get(i).records;
      for (int j = records.size() - 1; j >= 0; j--) {
        all.add(records.get(j));
      }
    }
    return all;
  }

  synchronized void forget(Record record) {
    record.task.records.remove(record);
    if (record.task.records.isEmpty()) {
      tasks.remove(record.task);
    }
  }

  private Record find(IBinder token) {
    for (Task task : tasks) {
      for (Record record : task.records) {
        if (record.token == token) {
          return record;
        }
      }
    }
    return null;
  }

  synchronized Record byToken(IBinder token) {
    return find(token);
  }

  /** Answers with one of {@link ActivityManager}'s START codes. */
  synchronized int start(Intent original, String type, IBinder resultTo, String resultWho, int requestCode) {
    Intent intent = SystemServer.copy(original);
    Record source = find(resultTo);
    if (PermissionRequest.take(system, intent, source, resultWho, requestCode)) {
      return ActivityManager.START_SUCCESS;
    }
    ActivityInfo info = Resolver.activity(intent, type);
    if (info == null || !SystemServer.own(info.packageName)) {
      return leave(intent, info, source, resultWho, requestCode);
    }
    intent.setComponent(new ComponentName(info.packageName, info.name));
    if (intent.getSelector() != null) {
      intent.setSelector(null);
    }
    system.outside.cancel();
    Record record = new Record(info, intent);
    record.source = source;
    if (source != null && requestCode >= 0) {
      record.resultTo = source;
      record.resultWho = resultWho;
      record.requestCode = requestCode;
    }
    if ((intent.getFlags() & Intent.FLAG_ACTIVITY_FORWARD_RESULT) != 0 && source != null && requestCode < 0) {
      record.resultTo = source.resultTo;
      record.resultWho = source.resultWho;
      record.requestCode = source.requestCode;
      source.resultTo = null;
    }
    int result = new Launch(this, record, source).place();
    lifecycle.schedule();
    return result;
  }

  /**
   * Nothing leaves the app: it is recorded, and answered by {@link Outside}, or as if the user had come back from the other
   * app's activity immediately.
   */
  private int leave(Intent intent, ActivityInfo info, Record source, String resultWho, int requestCode) {
    boolean forResult = requestCode >= 0;
    boolean first = system.recorder.left(intent, "activity", forResult);
    boolean answers = Answers.choosesAccount(intent);
    if (info == null && !answers && !Resolver.stockAppHandles(intent)) {
      return intent.getComponent() != null
          ? ActivityManager.START_CLASS_NOT_FOUND
          : ActivityManager.START_INTENT_NOT_RESOLVED;
    }
    boolean asks = forResult && source != null;
    if (asks && system.outside.ask(intent, source, resultWho, requestCode)) {
      lifecycle.schedule();
      return ActivityManager.START_SUCCESS;
    }
    if (asks) {
      source.results.add(new android.app.ResultInfo(resultWho, requestCode, Resolver.answer(intent), null));
    }
    if (first) {
      lifecycle.scheduleAway(!Intent.ACTION_CHOOSER.equals(intent.getAction()));
    } else {
      // An app that starts another one whenever it comes back would never rest.
      lifecycle.schedule();
    }
    return ActivityManager.START_SUCCESS;
  }

  List<Task> tasks() {
    return tasks;
  }

  Task newTask(ActivityInfo info) {
    Task task = new Task(nextTask++, info.taskAffinity);
    tasks.add(task);
    return task;
  }

  void toFront(Task task) {
    tasks.remove(task);
    tasks.add(task);
  }

  synchronized boolean finish(IBinder token, int resultCode, Intent data) {
    Record record = find(token);
    if (record == null) {
      return true;
    }
    finish(record, resultCode, data);
    lifecycle.schedule();
    return true;
  }

  void finish(Record record, int resultCode, Intent data) {
    if (record.finishing) {
      return;
    }
    record.finishing = true;
    record.sendResult(resultCode, data);
  }

  synchronized boolean finishAffinity(IBinder token) {
    Record record = find(token);
    if (record != null) {
      List<Record> records = new ArrayList<>(record.task.records);
      for (int i = records.indexOf(record); i >= 0; i--) {
        finish(records.get(i), 0, null);
      }
      lifecycle.schedule();
    }
    return true;
  }

  synchronized void finishSub(IBinder token, String resultWho, int requestCode) {
    system.outside.finishSub(token, resultWho, requestCode);
    Record parent = find(token);
    for (Record record : all()) {
      boolean child = record.resultTo == parent && record.requestCode == requestCode;
      if (child && (resultWho == null ? record.resultWho == null : resultWho.equals(record.resultWho))) {
        finish(record, 0, null);
      }
    }
    lifecycle.schedule();
  }

  /** Moves the task back; if it was the only one, the user sees home and returns immediately. */
  synchronized boolean moveTaskToBack(IBinder token) {
    Record record = find(token);
    if (record == null) {
      return false;
    }
    if (tasks.size() > 1) {
      tasks.remove(record.task);
      tasks.add(0, record.task);
      lifecycle.schedule();
    } else {
      lifecycle.scheduleAway(true);
    }
    return true;
  }

  synchronized boolean isTopOfTask(IBinder token) {
    Record record = find(token);
    return record != null && record.task.top() == record;
  }

  synchronized int taskId(IBinder token, boolean onlyRoot) {
    Record record = find(token);
    return record == null || onlyRoot && record.task.root() != record ? -1 : record.task.id;
  }

  synchronized ComponentName callingActivity(IBinder token) {
    Record record = find(token);
    return record == null || record.resultTo == null ? null : record.resultTo.component();
  }

  /** Up: finishes everything above the parent, which gets the intent. */
  synchronized boolean navigateUp(IBinder token, Intent up) {
    Record record = find(token);
    if (record == null) {
      return false;
    }
    List<Record> records = record.task.records;
    for (int i = records.indexOf(record) - 1; i >= 0; i--) {
      if (records.get(i).component().equals(up.getComponent())) {
        Record parent = records.get(i);
        boolean keep =
            parent.info.launchMode != ActivityInfo.LAUNCH_MULTIPLE || (up.getFlags() & Intent.FLAG_ACTIVITY_CLEAR_TOP) != 0;
        for (int j = records.size() - 1; j > (keep ? i : i - 1); j--) {
          finish(records.get(j), 0, null);
        }
        if (keep) {
          parent.newIntents.add(up);
        } else {
          start(up, null, null, null, -1);
        }
        lifecycle.schedule();
        return true;
      }
    }
    finish(record, 0, null);
    start(up, null, null, null, -1);
    return false;
  }

  synchronized void requestOrientation(IBinder token, int orientation) {
    Record record = find(token);
    if (record != null) {
      record.orientation = orientation;
      lifecycle.schedule();
    }
  }

  synchronized int requestedOrientation(IBinder token) {
    Record record = find(token);
    return record == null ? ActivityInfo.SCREEN_ORIENTATION_UNSPECIFIED : record.orientation;
  }
}
