package droidtest.app;

import android.app.Activity;
import android.content.Intent;

/** One thing that the user of another app can do, and what the app that asked hears then. */
final class Answer {
  /** Makes the answer when it is chosen: it may write a file, or switch something on. */
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
