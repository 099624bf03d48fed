package droidtest.app;

import android.content.Intent;
import android.net.Uri;
import android.provider.DocumentsContract;
import java.util.ArrayList;
import java.util.List;

/** What the files app answers: documents of the shared storage. */
final class FileAnswers {
  private static final int MOST = 4;
  private static final int PERSISTABLE =
      Intent.FLAG_GRANT_READ_URI_PERMISSION
          | Intent.FLAG_GRANT_WRITE_URI_PERMISSION
          | Intent.FLAG_GRANT_PERSISTABLE_URI_PERMISSION
          | Intent.FLAG_GRANT_PREFIX_URI_PERMISSION;

  private FileAnswers() {}

  /** A file of one of the wanted types; several where the app takes them. */
  static Question open(Intent intent) {
    String[] types = intent.getStringArrayExtra(Intent.EXTRA_MIME_TYPES);
    if (types == null || types.length == 0) {
      types = new String[] {intent.getType() == null ? "*/*" : intent.getType()};
    }
    List<Answer> answers = new ArrayList<>();
    List<Uri> all = new ArrayList<>();
    for (String id : Documents.files(types, MOST)) {
      Uri uri = DocumentsContract.buildDocumentUri(Documents.AUTHORITY, id);
      all.add(uri);
      answers.add(Answer.ok(id.substring(id.lastIndexOf('/') + 1), () -> granted(uri)));
    }
    if (all.size() > 1 && intent.getBooleanExtra(Intent.EXTRA_ALLOW_MULTIPLE, false)) {
      answers.add(Answer.ok("The first two", () -> MediaAnswers.several(all.subList(0, 2)).addFlags(PERSISTABLE)));
    }
    return Question.page("Files", answers);
  }

  static Question tree() {
    List<Answer> answers = new ArrayList<>();
    for (String folder : new String[] {"Documents", "Pictures", "Backup"}) {
      answers.add(
          Answer.ok(
              "Use folder " + folder,
              () -> {
                java.nio.file.Files.createDirectories(AppProcess.sdcard().resolve(folder));
                return granted(DocumentsContract.buildTreeDocumentUri(Documents.AUTHORITY, "primary:" + folder));
              }));
    }
    return Question.page("Files", answers);
  }

  /** A new empty file; one of that name that is there already stays, as the files app does it. */
  static Question create(Intent intent) {
    String title = intent.getStringExtra(Intent.EXTRA_TITLE);
    String type = intent.getType() == null ? "application/octet-stream" : intent.getType();
    List<Answer> answers = new ArrayList<>();
    for (String folder : new String[] {"Documents", "Download"}) {
      answers.add(
          Answer.ok(
              "Save in " + folder,
              () -> {
                java.nio.file.Files.createDirectories(AppProcess.sdcard().resolve(folder));
                String id = Documents.create("primary:" + folder, type, title == null ? "document" : title);
                return granted(DocumentsContract.buildDocumentUri(Documents.AUTHORITY, id));
              }));
    }
    return Question.page("Files", answers);
  }

  private static Intent granted(Uri uri) {
    return new Intent().setData(uri).addFlags(PERSISTABLE);
  }
}
