package droidtest.app;

import android.content.Intent;
import android.net.Uri;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What the contacts app answers. */
final class PersonAnswers {
  private static final int MOST = 3;
  private static final String BASE = "content://com.android.contacts/";

  private PersonAnswers() {}

  /** One contact, or one number or address of one. */
  static Question pick(String type, String path) {
    String kind =
        type.contains("phone") || path.contains("/phones")
            ? "phone_v2"
            : type.contains("email") || path.contains("/emails") ? "email_v2" : type.contains("postal") ? "postal-address_v2" : null;
    List<Answer> answers = new ArrayList<>();
    if (kind == null) {
      for (Map<String, String> row : Rows.first("com.android.contacts/contacts", null, MOST)) {
        String uri = BASE + "contacts/lookup/" + row.get("lookup") + "/" + row.get("_id");
        answers.add(Answer.ok(row.get("display_name"), () -> granted(uri)));
      }
    } else {
      String where = "mimetype = 'vnd.android.cursor.item/" + kind + "'";
      for (Map<String, String> row : Rows.first("com.android.contacts/data", where, MOST)) {
        String uri = BASE + "data/" + row.get("_id");
        answers.add(Answer.ok(row.get("display_name") + " " + row.get("data1"), () -> granted(uri)));
      }
    }
    return Question.page("Select a contact", answers);
  }

  /** Returns the shown contact, or the first one, as saved. */
  static Question edit(Intent intent) {
    Uri data = intent.getData();
    boolean one = data != null && data.getLastPathSegment() != null && data.getLastPathSegment().matches("\\d+");
    List<Answer> answers = new ArrayList<>();
    for (Map<String, String> row : Rows.first("com.android.contacts/contacts", null, 1)) {
      String uri = one ? data.toString() : BASE + "contacts/lookup/" + row.get("lookup") + "/" + row.get("_id");
      answers.add(Answer.ok("Save", () -> granted(uri)));
    }
    return Question.page("Edit contact", answers);
  }

  private static Intent granted(String uri) {
    return new Intent().setData(Uri.parse(uri)).addFlags(Intent.FLAG_GRANT_READ_URI_PERMISSION);
  }
}
