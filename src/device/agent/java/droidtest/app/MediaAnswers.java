package droidtest.app;

import android.content.ClipData;
import android.content.Intent;
import android.graphics.Bitmap;
import android.graphics.BitmapFactory;
import android.media.RingtoneManager;
import android.net.Uri;
import android.provider.MediaStore;
import android.provider.Settings;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What the camera, the photo picker and the other media apps answer. */
final class MediaAnswers {
  private static final int MOST = 3;
  private static final int THUMBNAIL = 48;
  /** Of a photograph: AndroidX's ExifInterface takes no file of less than 5,000 bytes for a picture. */
  private static final int WIDTH = 1600;
  private static final int HEIGHT = 1200;
  private static final int QUALITY = 90;
  private static final String FILED = "_data IS NOT NULL";

  private MediaAnswers() {}

  /** One row of the media store. */
  static Question pick(String kind) {
    List<Answer> answers = new ArrayList<>();
    for (Map<String, String> row : Rows.first("media/" + kind, null, MOST)) {
      answers.add(Answer.ok(row.get("_display_name"), () -> granted(address(kind, row))));
    }
    return Question.page("Select " + kind, answers);
  }

  /** The photo picker: one, or several where the app can take them. */
  static Question pickImages(Intent intent) {
    List<Map<String, String>> rows = new ArrayList<>();
    String type = String.valueOf(intent.getType());
    if (!type.startsWith("video")) {
      rows.addAll(Rows.first("media/images", null, MOST));
    }
    if (!type.startsWith("image")) {
      rows.addAll(Rows.first("media/video", null, 1));
    }
    List<Answer> answers = new ArrayList<>();
    List<Uri> all = new ArrayList<>();
    for (Map<String, String> row : rows) {
      // Both tables are numbered from 1, and the picker has one list.
      String table = String.valueOf(row.get("mime_type")).startsWith("video") ? "video" : "images";
      Uri uri = Uri.parse("content://media/picker/0/com.android.providers.media.photopicker/" + table + "/" + row.get("_id"));
      all.add(uri);
      answers.add(Answer.ok(row.get("_display_name"), () -> granted(uri)));
    }
    if (all.size() > 1 && intent.getIntExtra(MediaStore.EXTRA_PICK_IMAGES_MAX, 1) > 1) {
      answers.add(Answer.ok("The first two", () -> several(all.subList(0, 2))));
    }
    return Question.page("Photos", answers);
  }

  /** Writes the picture where the app wants it, or hands out a small one. */
  static Question picture(Intent intent) {
    Uri to = output(intent);
    Answer take =
        Answer.ok(
            "Take picture",
            () -> {
              if (to == null) {
                return new Intent("inline-data").putExtra("data", thumbnail());
              }
              write(to, photo());
              return null;
            });
    return Question.page("Camera", take);
  }

  static Question video(Intent intent) {
    Uri to = output(intent);
    List<Answer> answers = new ArrayList<>();
    for (Map<String, String> row : Rows.first("media/video", null, 1)) {
      answers.add(
          Answer.ok(
              "Record video",
              () -> {
                if (to == null) {
                  return granted(address("video", row));
                }
                write(to, bytes(file("media/video", FILED)));
                return granted(to);
              }));
    }
    return Question.page("Camera", answers);
  }

  static Question sound() {
    List<Answer> answers = new ArrayList<>();
    for (Map<String, String> row : Rows.first("media/audio", null, 1)) {
      answers.add(Answer.ok("Record sound", () -> granted(address("audio", row))));
    }
    return Question.page("Sound recorder", answers);
  }

  static Question ringtone(Intent intent) {
    List<Answer> answers = new ArrayList<>();
    if (intent.getBooleanExtra(RingtoneManager.EXTRA_RINGTONE_SHOW_SILENT, true)) {
      answers.add(ring("None", null));
    }
    if (intent.getBooleanExtra(RingtoneManager.EXTRA_RINGTONE_SHOW_DEFAULT, true)) {
      Uri given = intent.getParcelableExtra(RingtoneManager.EXTRA_RINGTONE_DEFAULT_URI);
      answers.add(ring("Default", given == null ? Settings.System.DEFAULT_RINGTONE_URI : given));
    }
    for (Map<String, String> row : Rows.first("media/audio", null, 2)) {
      answers.add(ring(row.get("title"), address("audio", row)));
    }
    return Question.page("Ringtones", answers);
  }

  private static Answer ring(String label, Uri uri) {
    return Answer.ok(label, () -> new Intent().putExtra(RingtoneManager.EXTRA_RINGTONE_PICKED_URI, uri));
  }

  /** The first picture of the device, small. */
  static Bitmap thumbnail() {
    return first(THUMBNAIL, THUMBNAIL);
  }

  /** The first picture of the device, of this size; a blank one where there is none. */
  private static Bitmap first(int width, int height) {
    Path picture = file("media/images", FILED);
    Bitmap whole = picture == null ? null : BitmapFactory.decodeFile(picture.toString());
    return whole == null
        ? Bitmap.createBitmap(width, height, Bitmap.Config.ARGB_8888)
        : Bitmap.createScaledBitmap(whole, width, height, true);
  }

  private static Uri output(Intent intent) {
    Object to = intent.getExtras() == null ? null : intent.getExtras().get(MediaStore.EXTRA_OUTPUT);
    if (to instanceof Uri) {
      return (Uri) to;
    }
    // An address may also come as a clip, which is how the permission to write goes along.
    ClipData clip = intent.getClipData();
    return to != null && clip != null && clip.getItemCount() > 0 ? clip.getItemAt(0).getUri() : null;
  }

  /** What a camera takes is a JPEG file, even if the device has none: apps name it so, and write tags into it. */
  private static byte[] photo() throws IOException {
    Path taken = file("media/images", FILED + " AND mime_type = 'image/jpeg'");
    if (taken != null) {
      return bytes(taken);
    }
    ByteArrayOutputStream jpeg = new ByteArrayOutputStream();
    first(WIDTH, HEIGHT).compress(Bitmap.CompressFormat.JPEG, QUALITY, jpeg);
    return jpeg.toByteArray();
  }

  private static Path file(String table, String where) {
    for (Map<String, String> row : Rows.first(table, where, 1)) {
      return Path.of(row.get("_data"));
    }
    return null;
  }

  private static byte[] bytes(Path file) throws IOException {
    return file == null ? new byte[0] : Files.readAllBytes(file);
  }

  private static void write(Uri to, byte[] bytes) throws IOException {
    if ("file".equals(to.getScheme())) {
      Path target = droidtest.host.box.Paths.use(Path.of(to.getPath()));
      Files.createDirectories(target.getParent());
      Files.write(target, bytes);
      return;
    }
    try (OutputStream out = AppProcess.application().getContentResolver().openOutputStream(to)) {
      out.write(bytes);
    }
  }

  static Intent granted(Uri uri) {
    return new Intent().setData(uri).addFlags(Intent.FLAG_GRANT_READ_URI_PERMISSION | Intent.FLAG_GRANT_WRITE_URI_PERMISSION);
  }

  /** Several, as all pickers give them: in the clip, the data being the first. */
  static Intent several(List<Uri> uris) {
    ClipData clip = ClipData.newRawUri(null, uris.get(0));
    for (Uri uri : uris.subList(1, uris.size())) {
      clip.addItem(new ClipData.Item(uri));
    }
    Intent data = granted(uris.get(0));
    data.setClipData(clip);
    return data;
  }

  private static Uri address(String kind, Map<String, String> row) {
    return Uri.parse("content://media/external/" + kind + "/media/" + row.get("_id"));
  }
}
