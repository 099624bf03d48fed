package droidtest.app;

import android.bluetooth.BluetoothAdapter;
import android.content.ComponentName;
import android.content.Intent;
import android.media.RingtoneManager;
import android.net.Uri;
import android.provider.MediaStore;
import android.provider.Settings;
import android.speech.RecognizerIntent;
import droidtest.host.Host;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * What Android's apps ask the user before they answer an intent: the one table of what is answered, which is also
 * the table of what can be started. What they give is on the device: rows of the system's providers and files of the
 * shared storage. docs/outside.md says the same in words.
 */
final class Answers {
  static final String SCAN = "com.google.zxing.client.android.SCAN";
  private static final String CREDENTIAL = "android.app.action.CONFIRM_DEVICE_CREDENTIAL";
  private static final String ACCOUNTS = "android.accounts.ChooseTypeAndAccountActivity";
  private static final int DISCOVERABLE_SECONDS = 120;

  private static final Map<String, Function<Intent, Question>> TABLE =
      Map.ofEntries(
          Map.entry(Intent.ACTION_PICK, Answers::pick),
          Map.entry(Intent.ACTION_GET_CONTENT, Answers::content),
          Map.entry(Intent.ACTION_OPEN_DOCUMENT, FileAnswers::open),
          Map.entry(Intent.ACTION_OPEN_DOCUMENT_TREE, intent -> FileAnswers.tree()),
          Map.entry(Intent.ACTION_CREATE_DOCUMENT, FileAnswers::create),
          Map.entry(MediaStore.ACTION_PICK_IMAGES, MediaAnswers::pickImages),
          Map.entry("androidx.activity.result.contract.action.PICK_IMAGES", MediaAnswers::pickImages),
          Map.entry(MediaStore.ACTION_IMAGE_CAPTURE, MediaAnswers::picture),
          Map.entry(MediaStore.ACTION_IMAGE_CAPTURE_SECURE, MediaAnswers::picture),
          Map.entry(MediaStore.ACTION_VIDEO_CAPTURE, MediaAnswers::video),
          Map.entry(MediaStore.Audio.Media.RECORD_SOUND_ACTION, intent -> MediaAnswers.sound()),
          Map.entry(RingtoneManager.ACTION_RINGTONE_PICKER, MediaAnswers::ringtone),
          Map.entry(RecognizerIntent.ACTION_RECOGNIZE_SPEECH, intent -> speech()),
          Map.entry(SCAN, intent -> scan()),
          Map.entry(BluetoothAdapter.ACTION_REQUEST_ENABLE, intent -> bluetooth()),
          Map.entry(BluetoothAdapter.ACTION_REQUEST_DISCOVERABLE, Answers::discoverable),
          Map.entry(CREDENTIAL, intent -> consent("Confirm your PIN", "Confirm")),
          Map.entry("android.app.role.action.REQUEST_ROLE", intent -> consent("Set as default app?", "Set as default")),
          Map.entry("android.app.action.ADD_DEVICE_ADMIN", intent -> consent("Activate device admin app?", "Activate")),
          Map.entry(
              Settings.ACTION_REQUEST_IGNORE_BATTERY_OPTIMIZATIONS,
              intent -> consent("Let app always run in background?", "Allow")),
          Map.entry(Intent.ACTION_CREATE_SHORTCUT, intent -> shortcut()),
          Map.entry(Intent.ACTION_PICK_ACTIVITY, Answers::activity),
          Map.entry(Intent.ACTION_INSERT, Answers::edit),
          Map.entry(Intent.ACTION_INSERT_OR_EDIT, Answers::edit),
          Map.entry(Intent.ACTION_EDIT, Answers::edit));

  private Answers() {}

  /** Whether every phone of ours has an app for this action, whatever the data. */
  static boolean knows(String action) {
    boolean byData = action.equals(Intent.ACTION_PICK) || action.equals(Intent.ACTION_INSERT) || action.equals(Intent.ACTION_EDIT);
    return Host.options().outside() && TABLE.containsKey(action) && !byData;
  }

  /** Whether the account chooser of the system is meant, which apps name by its class. */
  static boolean choosesAccount(Intent intent) {
    return intent.getComponent() != null && intent.getComponent().getClassName().equals(ACCOUNTS);
  }

  /** What the user is asked; null if there is no page and the user only returns. */
  static Question to(Intent intent) {
    if (!Host.options().outside()) {
      return null;
    }
    if (choosesAccount(intent)) {
      return account();
    }
    if (Intent.ACTION_CHOOSER.equals(intent.getAction())) {
      Intent target = intent.getParcelableExtra(Intent.EXTRA_INTENT);
      return target == null || Intent.ACTION_CHOOSER.equals(target.getAction()) ? null : to(target);
    }
    Function<Intent, Question> makes = intent.getAction() == null ? null : TABLE.get(intent.getAction());
    return makes == null ? null : makes.apply(intent);
  }

  private static Question pick(Intent intent) {
    Uri data = intent.getData();
    String type = intent.getType() == null ? "" : intent.getType();
    String path = data == null || data.getPath() == null ? "" : data.getPath();
    boolean contacts = data != null && String.valueOf(data.getAuthority()).endsWith("contacts");
    if (contacts || type.startsWith("vnd.android.cursor.")) {
      return PersonAnswers.pick(type, path);
    }
    for (String kind : new String[] {"video", "audio"}) {
      if (type.startsWith(kind) || path.contains("/" + kind)) {
        return MediaAnswers.pick(kind);
      }
    }
    boolean pictures = type.startsWith("image") || path.contains("/images") || data != null && "media".equals(data.getAuthority());
    return pictures ? MediaAnswers.pick("images") : FileAnswers.open(intent);
  }

  private static Question content(Intent intent) {
    String type = intent.getType() == null ? "" : intent.getType();
    return type.startsWith("vnd.android.cursor.item/") ? PersonAnswers.pick(type, "") : FileAnswers.open(intent);
  }

  /** A contact is saved; the calendar app returns nothing. */
  private static Question edit(Intent intent) {
    String type = String.valueOf(intent.getType());
    boolean contact = type.contains("contact") || type.contains("raw_contact") || type.contains("person")
        || intent.getData() != null && String.valueOf(intent.getData().getAuthority()).endsWith("contacts");
    return contact ? PersonAnswers.edit(intent) : null;
  }

  private static Question speech() {
    List<Answer> answers = new ArrayList<>();
    for (String words : new String[] {"hello", "remind me tomorrow", "42"}) {
      answers.add(
          Answer.ok(
              "Say \"" + words + "\"",
              () ->
                  new Intent()
                      .putStringArrayListExtra(RecognizerIntent.EXTRA_RESULTS, new ArrayList<>(Arrays.asList(words, words + "s")))
                      .putExtra(RecognizerIntent.EXTRA_CONFIDENCE_SCORES, new float[] {0.9f, 0.4f})));
    }
    return Question.dialog("Speak now", answers.toArray(new Answer[0]));
  }

  private static Question scan() {
    return Question.page(
        "Scan a code",
        scanned("a web address", "https://example.org/item?id=7", "QR_CODE"),
        scanned("a product", "4006381333931", "EAN_13"),
        scanned("a text", "Hello, 100 %", "QR_CODE"));
  }

  private static Answer scanned(String what, String text, String format) {
    return Answer.ok("Scan " + what, () -> new Intent(SCAN).putExtra("SCAN_RESULT", text).putExtra("SCAN_RESULT_FORMAT", format));
  }

  private static Question bluetooth() {
    Answer allow =
        Answer.ok(
            "Allow",
            () -> {
              BluetoothAdapter adapter = BluetoothAdapter.getDefaultAdapter();
              if (adapter != null) {
                org.robolectric.Shadows.shadowOf(adapter).setEnabled(true);
              }
              return null;
            });
    return Question.dialog("An app wants to turn on Bluetooth", allow);
  }

  private static Question discoverable(Intent intent) {
    int seconds = intent.getIntExtra(BluetoothAdapter.EXTRA_DISCOVERABLE_DURATION, DISCOVERABLE_SECONDS);
    return Question.dialog("Make your phone visible?", new Answer("Allow", Math.max(1, seconds), () -> null));
  }

  private static Question consent(String title, String label) {
    return Question.dialog(title, Answer.ok(label, () -> null));
  }

  private static Question account() {
    List<Answer> answers = new ArrayList<>();
    for (Map<String, String> row : Rows.first("com.android.contacts/data", "mimetype LIKE '%email%'", 2)) {
      String address = row.get("data1");
      answers.add(Answer.ok(address, () -> new Intent().putExtra("authAccount", address).putExtra("accountType", "com.google")));
    }
    return Question.page("Choose an account", answers);
  }

  private static Question shortcut() {
    Intent target = new Intent(Intent.ACTION_VIEW, Uri.parse("https://example.org/"));
    Answer made =
        Answer.ok(
            "Bookmark",
            () ->
                new Intent()
                    .putExtra(Intent.EXTRA_SHORTCUT_INTENT, target)
                    .putExtra(Intent.EXTRA_SHORTCUT_NAME, "Bookmark")
                    .putExtra(Intent.EXTRA_SHORTCUT_ICON, MediaAnswers.thumbnail()));
    return Question.page("Choose shortcut", made);
  }

  private static Question activity(Intent intent) {
    Intent asked = intent.getParcelableExtra(Intent.EXTRA_INTENT);
    Intent base = asked == null ? new Intent(Intent.ACTION_MAIN) : asked;
    if (Intent.ACTION_CREATE_SHORTCUT.equals(base.getAction())) {
      ComponentName maker = new ComponentName("com.android.browser", "com.android.browser.ShortcutActivity");
      return Question.page("Select an app", Answer.ok("Browser", () -> new Intent(base).setComponent(maker)));
    }
    ComponentName settings = new ComponentName("com.android.settings", "com.android.settings.Settings");
    ComponentName own = AppProcess.launcher().getComponent();
    return Question.page(
        "Select an app",
        Answer.ok("Settings", () -> new Intent(base).setComponent(settings)),
        Answer.ok("This app", () -> new Intent(base).setComponent(own)));
  }
}
