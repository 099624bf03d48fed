package droidtest.app;

import android.app.Activity;
import android.content.Intent;

/** One choice of the user in another app, and the result for the calling app. */
final class Answer {
  /** Computes the answer when it is chosen: it may write a file, or switch something on. */
  interface Data {
    Intent make() throws Exception;
  }

  static final Answer CANCEL = new Answer("Cancel", Activity.RESULT_CANCELED, () -> null);

  final String label;
  final int code;
  final Data data;

  Answer(String label, int code, Data data) {
    this.label = label;
    this.code = code;
    this.data = data;
  }

  static Answer ok(String label, Data data) {
    return new Answer(label, Activity.RESULT_OK, data);
  }
}
