package droidtest.app;

import android.app.ResultInfo;
import android.content.ComponentName;
import android.content.Intent;
import android.content.pm.ActivityInfo;
import android.os.Binder;
import android.os.Bundle;
import android.os.IBinder;
import java.util.ArrayList;
import java.util.List;

/** One activity as the system sees it. */
final class Record {
  /** How far the process has brought it. */
  enum State {
    NEW,
    RESUMED,
    PAUSED,
    STOPPED,
    DESTROYED
  }

  final IBinder token = new Binder();
  final ActivityInfo info;
  final Intent intent;
  /** Results and intents not yet delivered. */
  final List<ResultInfo> results = new ArrayList<>();
  final List<Intent> newIntents = new ArrayList<>();

  Task task;
  /** Who started it; null for the launcher. */
  Record source;
  Record resultTo;
  String resultWho;
  int requestCode = -1;
  State state = State.NEW;
  boolean finishing;
  /** Whether it was notified that it is the one that the user works with. */
  boolean topResumed;
  /** The state saved in an ended process; null for one that starts. */
  Bundle saved;
  /** One of {@link ActivityInfo}'s SCREEN_ORIENTATION constants. */
  int orientation;
  /** Whether the screen was in landscape when last reported. */
  boolean landscape;

  Record(ActivityInfo info, Intent intent) {
    this.info = info;
    this.intent = intent;
    orientation = info.screenOrientation;
  }

  /** The class that runs, behind an alias too. */
  ComponentName component() {
    return new ComponentName(info.packageName, info.targetActivity != null ? info.targetActivity : info.name);
  }

  boolean noHistory() {
    return (intent.getFlags() & Intent.FLAG_ACTIVITY_NO_HISTORY) != 0 || (info.flags & ActivityInfo.FLAG_NO_HISTORY) != 0;
  }

  void sendResult(int code, Intent data) {
    if (resultTo != null) {
      resultTo.results.add(new ResultInfo(resultWho, requestCode, code, data == null ? null : new Intent(data)));
      resultTo = null;
    }
  }
}
