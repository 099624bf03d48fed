package droidtest.app;

import android.content.Intent;
import android.content.pm.ActivityInfo;
import android.content.pm.PackageManager;
import android.os.Bundle;
import android.os.Parcel;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.robolectric.util.ReflectionHelpers;
import org.robolectric.util.ReflectionHelpers.ClassParameter;

/**
 * What the system keeps of an app whose process it ends in the background: its activities with their saved state, as
 * bytes, since the classes of the next process are others. The user who returns finds them again; what only the process
 * held is gone.
 */
final class Survivors {
  private static List<Survivor> kept;

  private static final class Survivor {
    final int task;
    final android.content.ComponentName name;
    final byte[] intent;
    final byte[] state;
    /** Who waits for its result: the number of another, or -1. */
    final int resultTo;
    final String resultWho;
    final int requestCode;

    Survivor(Record record, byte[] state, int resultTo) {
      task = record.task.id;
      name = new android.content.ComponentName(record.info.packageName, record.info.name);
      intent = bytes(parcel -> record.intent.writeToParcel(parcel, 0));
      this.state = state;
      this.resultTo = resultTo;
      resultWho = record.resultWho;
      requestCode = record.requestCode;
    }
  }

  private interface Writer {
    void write(Parcel to);
  }

  private Survivors() {}

  /** Keeps the stopped activities of this life; what the app fails to write fails here, as on a phone. */
  static void keep(SystemServer system) {
    List<Record> records = new ArrayList<>();
    for (Task task : system.activities.tasks()) {
      for (Record record : task.records) {
        if (!record.finishing) {
          records.add(record);
        }
      }
    }
    List<Survivor> survivors = new ArrayList<>();
    for (Record record : records) {
      survivors.add(new Survivor(record, state(record), records.indexOf(record.resultTo)));
    }
    kept = survivors;
  }

  private static byte[] state(Record record) {
    if (record.state == Record.State.NEW) {
      return record.saved == null ? null : bytes(parcel -> parcel.writeBundle(record.saved));
    }
    Object client =
        ReflectionHelpers.callInstanceMethod(
            SystemServer.thread(), "getActivityClient", ClassParameter.from(android.os.IBinder.class, record.token));
    Bundle state = client == null ? null : ReflectionHelpers.getField(client, "state");
    return state == null ? null : bytes(parcel -> parcel.writeBundle(state));
  }

  private static byte[] bytes(Writer writer) {
    Parcel parcel = Parcel.obtain();
    try {
      writer.write(parcel);
      return parcel.marshall();
    } finally {
      parcel.recycle();
    }
  }

  /** Puts the activities back, the front one to be launched; false if none is left. */
  static boolean restore(SystemServer system) {
    List<Survivor> survivors = kept;
    kept = null;
    if (survivors == null || survivors.isEmpty()) {
      return false;
    }
    Map<Integer, Task> tasks = new LinkedHashMap<>();
    List<Record> records = new ArrayList<>();
    for (Survivor survivor : survivors) {
      ActivityInfo info;
      try {
        info = SystemServer.packages().getActivityInfo(survivor.name, PackageManager.GET_META_DATA);
      } catch (PackageManager.NameNotFoundException e) {
        throw new IllegalStateException(e);
      }
      Parcel parcel = read(survivor.intent);
      Record record = new Record(info, Intent.CREATOR.createFromParcel(parcel));
      parcel.recycle();
      record.intent.setExtrasClassLoader(AppProcess.loader());
      if (survivor.state != null) {
        Parcel state = read(survivor.state);
        record.saved = state.readBundle(AppProcess.loader());
        state.recycle();
      }
      record.resultWho = survivor.resultWho;
      record.requestCode = survivor.requestCode;
      record.task = tasks.computeIfAbsent(survivor.task, id -> system.activities.newTask(info));
      record.task.records.add(record);
      records.add(record);
    }
    for (int i = 0; i < records.size(); i++) {
      int to = survivors.get(i).resultTo;
      records.get(i).resultTo = to < 0 ? null : records.get(to);
    }
    system.activities.lifecycle().schedule();
    return true;
  }

  private static Parcel read(byte[] bytes) {
    Parcel parcel = Parcel.obtain();
    parcel.unmarshall(bytes, 0, bytes.length);
    parcel.setDataPosition(0);
    return parcel;
  }
}
