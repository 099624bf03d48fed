package droidtest.app;

import android.app.AlertDialog;
import android.app.ResultInfo;
import android.content.Context;
import android.content.Intent;
import android.os.IBinder;
import android.view.ContextThemeWrapper;
import android.view.WindowManager;
import droidtest.gui.SystemName;

/**
 * The one other app that has a question for the user: a picker, a camera, a consent. It is a page with ordinary buttons,
 * as on a phone, so the strategy chooses the answer, Cancel included. Meanwhile the app that asked is paused
 * and, behind a page that covers the screen, stopped.
 */
final class Outside {
  private final SystemServer system;
  private Question question;
  private Record source;
  private String who;
  private int code;
  private AlertDialog page;

  Outside(SystemServer system) {
    this.system = system;
  }

  /** Takes an activity's start that expects an answer of another app; false if no app asks the user. */
  boolean ask(Intent intent, Record asking, String resultWho, int requestCode) {
    Question asked = Answers.to(intent);
    // An activity in another task cannot answer.
    boolean elsewhere = (intent.getFlags() & Intent.FLAG_ACTIVITY_NEW_TASK) != 0;
    if (asked == null || asking == null || requestCode < 0 || elsewhere) {
      return false;
    }
    cancel();
    question = asked;
    source = asking;
    who = resultWho;
    code = requestCode;
    system.activities.lifecycle().schedule();
    system.handler.post(() -> show(asked));
    return true;
  }

  /** Whether another app is in front. */
  boolean inFront() {
    // The answer is dropped if the activity has ended meanwhile.
    if (question != null && source.finishing) {
      dismiss();
    }
    return question != null;
  }

  /** Whether it hides the app. */
  boolean covers() {
    return question != null && question.covers;
  }

  /** Who asked, while the answer is awaited; else null. */
  Record asking() {
    return question == null ? null : source;
  }

  /** Another activity comes to the front: the user has left the page. */
  void cancel() {
    if (question != null) {
      answer(question, Answer.CANCEL);
    }
  }

  /** The app ends what it has started. */
  void finishSub(IBinder token, String resultWho, int requestCode) {
    boolean same = question != null && source.token == token && code == requestCode;
    if (same && (who == null ? resultWho == null : who.equals(resultWho))) {
      dismiss();
    }
  }

  private void show(Question asked) {
    if (question != asked || SystemServer.current() != system) {
      return;
    }
    Context context = new ContextThemeWrapper(AppProcess.application(), android.R.style.Theme_Material_Light_Dialog_Alert);
    CharSequence[] labels = new CharSequence[asked.answers.size()];
    for (int i = 0; i < labels.length; i++) {
      labels[i] = asked.answers.get(i).label;
    }
    page =
        new AlertDialog.Builder(context)
            .setTitle(asked.title)
            .setItems(labels, (dialog, which) -> answer(asked, asked.answers.get(which)))
            .setNegativeButton("Cancel", (dialog, which) -> answer(asked, Answer.CANCEL))
            .setOnCancelListener(dialog -> answer(asked, Answer.CANCEL))
            .create();
    page.setCanceledOnTouchOutside(false);
    page.getWindow().setType(WindowManager.LayoutParams.TYPE_APPLICATION_OVERLAY);
    page.show();
    SystemName.putRows(page, SystemName.ANSWER);
    SystemName.put(page.getButton(AlertDialog.BUTTON_NEGATIVE), SystemName.CANCEL);
  }

  private void answer(Question asked, Answer answer) {
    if (question != asked) {
      return;
    }
    Record to = source;
    dismiss();
    Intent data = null;
    int result = android.app.Activity.RESULT_CANCELED;
    try {
      data = answer.data.make();
      result = answer.code;
    } catch (Exception e) {
      // The other app fails, not this one: it comes back without an answer.
      android.util.Log.w("droidtest", "no answer from outside: " + e);
    }
    system.providers.guard.grant(data);
    to.results.add(new ResultInfo(who, code, result, data));
  }

  private void dismiss() {
    AlertDialog shown = page;
    question = null;
    page = null;
    if (shown != null) {
      shown.dismiss();
    }
    system.activities.lifecycle().schedule();
  }
}
