package droidtest.app;

import android.app.ResultInfo;
import android.content.Intent;
import android.content.res.Configuration;
import android.content.res.TypedArray;
import android.os.Build;
import droidtest.sched.Hashes;
import com.android.internal.content.ReferrerIntent;
import java.util.ArrayList;
import java.util.List;

/**
 * Brings the activities of the process to the state that {@link Activities} wants, with the very transactions that a
 * device's system sends: pause the old, launch or resume the new, then stop and destroy what is no longer seen.
 */
final class Lifecycle {
  /** More transitions than this in one go means that two activities start each other forever. */
  private static final int LIMIT = 200;

  private final SystemServer system;
  private final Activities activities;
  private Record resumed;
  private boolean scheduled;
  private boolean running;
  private boolean away;
  /** Whether what the user sees meanwhile hides the app. */
  private boolean hides;

  Lifecycle(SystemServer system, Activities activities) {
    this.system = system;
    this.activities = activities;
  }

  Record resumed() {
    return resumed;
  }

  /** Whether the user sees the home screen: the app has no activity left, nor one that is about to come. */
  boolean empty() {
    return resumed == null && activities.top() == null;
  }

  /** Runs soon on the main thread; many calls make one run. */
  synchronized void schedule() {
    if (!scheduled) {
      scheduled = true;
      system.handler.post(this::run);
    }
  }

  /** The user goes home, or another app's activity comes to the front, and comes back at once. */
  void scheduleAway(boolean hides) {
    this.hides |= hides;
    away = true;
    schedule();
  }

  private void run() {
    synchronized (this) {
      scheduled = false;
    }
    if (running) {
      schedule();
      return;
    }
    running = true;
    try {
      if (away) {
        away = false;
        leaveAndReturn();
      }
      for (int i = 0; i < LIMIT && step(); i++) {
        // Each step may have started or finished others.
      }
      clear();
    } finally {
      running = false;
    }
  }

  /** One transition towards the wanted state; false when there is none left. */
  private boolean step() {
    Hashes.next(Hashes.ROUND);
    Record top = system.outside.inFront() ? null : activities.top();
    if (resumed != null && resumed != top) {
      Record leaving = resumed;
      resumed = null;
      leaving.state = Record.State.PAUSED;
      pause(leaving, !leaving.finishing);
      if (leaving.noHistory() && !leaving.finishing) {
        activities.finish(leaving, 0, null);
      }
      return true;
    }
    if (top == null) {
      return false;
    }
    if (system.rotation.follow(top)) {
      return true;
    }
    if (top.state == Record.State.NEW) {
      launch(top);
      return true;
    }
    if (top != resumed || !top.results.isEmpty() || !top.newIntents.isEmpty()) {
      resume(top);
      return true;
    }
    return false;
  }

  private void launch(Record record) {
    Configuration config = new Configuration(AppProcess.application().getResources().getConfiguration());
    record.state = Record.State.RESUMED;
    record.landscape = system.rotation.lying();
    resumed = record;
    Transaction transaction = new Transaction(record).launch(config, take(record.results), referrers(record)).resume();
    // Passed once: from here on the framework keeps what it saves.
    record.saved = null;
    transaction.execute();
    topResumed(record, true);
  }

  private void resume(Record record) {
    Transaction transaction = new Transaction(record);
    if (!record.newIntents.isEmpty()) {
      transaction.newIntents(referrers(record));
    }
    List<ResultInfo> results = take(record.results);
    if (results != null) {
      transaction.results(results);
    }
    record.state = Record.State.RESUMED;
    resumed = record;
    transaction.resume().execute();
    topResumed(record, true);
  }

  private void pause(Record record, boolean userLeaves) {
    topResumed(record, false);
    new Transaction(record).pause(record.finishing, userLeaves).execute();
  }

  /** Tells it that it is now the one that the user works with, or no longer; apps wait for that to go on. */
  private void topResumed(Record record, boolean now) {
    boolean changes = record.topResumed != now && !(now && record.finishing);
    if (changes && Build.VERSION.SDK_INT >= Build.VERSION_CODES.Q) {
      record.topResumed = now;
      new Transaction(record).topResumed(now).execute();
    }
  }

  /** Stops what the front activity hides and destroys what is finished. */
  private void clear() {
    boolean hidden = system.outside.covers();
    for (Record record : activities.all()) {
      if (record == resumed) {
        hidden = !translucent(record);
      } else if (record.finishing) {
        boolean launched = record.state != Record.State.NEW;
        record.state = Record.State.DESTROYED;
        activities.forget(record);
        if (launched) {
          new Transaction(record).destroy().execute();
        }
      } else if (record.state == Record.State.PAUSED && hidden) {
        record.state = Record.State.STOPPED;
        new Transaction(record).stop().execute();
      } else if (!hidden) {
        hidden = !translucent(record);
      }
    }
  }

  private void leaveAndReturn() {
    Record front = resumed;
    boolean stop = hides;
    hides = false;
    if (front == null) {
      return;
    }
    resumed = null;
    front.state = stop ? Record.State.STOPPED : Record.State.PAUSED;
    pause(front, true);
    if (stop) {
      new Transaction(front).stop().execute();
    }
  }

  /** All go to the background, and stay there: only their saved state remains. */
  void stopAll() {
    system.outside.cancel();
    Record front = resumed;
    resumed = null;
    if (front != null) {
      front.state = Record.State.PAUSED;
      pause(front, !front.finishing);
    }
    for (Record record : activities.all()) {
      if (record.state == Record.State.PAUSED && !record.finishing) {
        record.state = Record.State.STOPPED;
        new Transaction(record).stop().execute();
      }
    }
  }

  private static boolean translucent(Record record) {
    TypedArray style =
        AppProcess.application()
            .getResources()
            .newTheme()
            .obtainStyledAttributes(record.info.getThemeResource(), com.android.internal.R.styleable.Window);
    try {
      return android.content.pm.ActivityInfo.isTranslucentOrFloating(style);
    } finally {
      style.recycle();
    }
  }

  private static List<ResultInfo> take(List<ResultInfo> results) {
    if (results.isEmpty()) {
      return null;
    }
    List<ResultInfo> taken = new ArrayList<>(results);
    results.clear();
    return taken;
  }

  private static List<ReferrerIntent> referrers(Record record) {
    if (record.newIntents.isEmpty()) {
      return null;
    }
    List<ReferrerIntent> intents = new ArrayList<>();
    for (Intent intent : record.newIntents) {
      intents.add(new ReferrerIntent(intent, AppProcess.packageName()));
    }
    record.newIntents.clear();
    return intents;
  }
}
