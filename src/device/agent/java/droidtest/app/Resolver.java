package droidtest.app;

import android.app.Activity;
import android.content.ComponentName;
import android.content.Intent;
import android.content.pm.ActivityInfo;
import android.content.pm.PackageManager;
import android.content.pm.ResolveInfo;
import android.speech.tts.TextToSpeech;
import java.util.Set;
import java.util.regex.Pattern;

/** Which component an intent means. */
final class Resolver {
  /** Actions that an app which comes with every Android device answers, whatever the data. */
  private static final Set<String> STOCK_ACTIONS =
      Set.of(
          Intent.ACTION_DIAL, Intent.ACTION_CALL, Intent.ACTION_SEND, Intent.ACTION_SEND_MULTIPLE, Intent.ACTION_SENDTO,
          Intent.ACTION_GET_CONTENT, Intent.ACTION_OPEN_DOCUMENT, Intent.ACTION_CREATE_DOCUMENT,
          Intent.ACTION_OPEN_DOCUMENT_TREE, Intent.ACTION_CHOOSER, Intent.ACTION_PICK_ACTIVITY, Intent.ACTION_WEB_SEARCH,
          Intent.ACTION_SET_WALLPAPER, Intent.ACTION_MAIN, Intent.ACTION_DELETE, Intent.ACTION_UNINSTALL_PACKAGE,
          Intent.ACTION_INSTALL_PACKAGE, "android.media.action.IMAGE_CAPTURE", "android.media.action.VIDEO_CAPTURE",
          "android.media.action.STILL_IMAGE_CAMERA", "android.intent.action.RINGTONE_PICKER",
          "android.bluetooth.adapter.action.REQUEST_ENABLE", "android.bluetooth.adapter.action.REQUEST_DISCOVERABLE",
          "android.app.action.ADD_DEVICE_ADMIN", "android.intent.action.CREATE_SHORTCUT", "android.intent.action.POWER_USAGE_SUMMARY",
          "android.intent.action.SET_ALARM", "android.intent.action.SHOW_ALARMS", "android.intent.action.SET_TIMER",
          "android.intent.action.INSERT_OR_EDIT", "android.intent.action.VIEW_DOWNLOADS", "android.intent.action.CALL_BUTTON",
          "android.intent.action.ATTACH_DATA", "android.intent.action.MUSIC_PLAYER", "android.media.action.VIDEO_CAMERA",
          "android.media.action.DISPLAY_AUDIO_EFFECT_CONTROL_PANEL", TextToSpeech.Engine.ACTION_CHECK_TTS_DATA,
          TextToSpeech.Engine.ACTION_INSTALL_TTS_DATA, "android.credentials.INSTALL", "android.net.wifi.PICK_WIFI_NETWORK",
          "android.appwidget.action.APPWIDGET_PICK", "android.appwidget.action.APPWIDGET_BIND", "com.android.settings.TTS_SETTINGS");
  private static final Set<String> STOCK_SCHEMES =
      Set.of("http", "https", "tel", "mailto", "sms", "smsto", "mms", "mmsto", "geo", "market", "package");
  private static final Set<String> STOCK_AUTHORITIES =
      Set.of("com.android.contacts", "contacts", "com.android.calendar", "calendar", "media", "call_log", "sms", "mms-sms");
  private static final Set<String> DATA_ACTIONS =
      Set.of(Intent.ACTION_VIEW, Intent.ACTION_PICK, Intent.ACTION_EDIT, Intent.ACTION_INSERT);

  private static final Pattern STOCK_TYPES =
      Pattern.compile(
          "(image|audio|video|vnd\\.android\\.cursor\\.(dir|item))/.*|text/html|text/plain|vnd\\.android-dir/mms-sms");

  private Resolver() {}

  static ActivityInfo activity(Intent intent, String type) {
    PackageManager packages = SystemServer.packages();
    ComponentName component = intent.getComponent();
    if (component != null) {
      try {
        return packages.getActivityInfo(component, PackageManager.GET_META_DATA);
      } catch (PackageManager.NameNotFoundException e) {
        return null;
      }
    }
    if (type != null && intent.getType() == null) {
      intent = new Intent(intent).setDataAndType(intent.getData(), type);
    }
    ResolveInfo found = packages.resolveActivity(intent, PackageManager.MATCH_DEFAULT_ONLY);
    boolean own = found != null && AppProcess.packageName().equals(found.activityInfo.packageName);
    return own ? found.activityInfo : null;
  }

  /** What an activity of another app answers when the user comes straight back. */
  static int answer(Intent intent) {
    // Asks the speech engine, not the user.
    boolean voices = TextToSpeech.Engine.ACTION_CHECK_TTS_DATA.equals(intent.getAction());
    return voices ? TextToSpeech.Engine.CHECK_VOICE_DATA_PASS : Activity.RESULT_CANCELED;
  }

  /** Whether a device with nothing but Android's apps could perform this intent. */
  static boolean stockAppHandles(Intent intent) {
    if (intent.getComponent() != null) {
      return intent.getComponent().getPackageName().startsWith("com.android.");
    }
    String action = intent.getAction();
    if (action == null) {
      return false;
    }
    if (STOCK_ACTIONS.contains(action) || Answers.knows(action) || action.startsWith("android.settings.")) {
      return true;
    }
    if (!DATA_ACTIONS.contains(action)) {
      return false;
    }
    String scheme = intent.getScheme();
    String mime = intent.getType();
    if (scheme == null || scheme.equals("content") || scheme.equals("file")) {
      boolean data = intent.getData() != null && STOCK_AUTHORITIES.contains(intent.getData().getAuthority());
      return data || mime != null && STOCK_TYPES.matcher(mime).matches();
    }
    return STOCK_SCHEMES.contains(scheme);
  }
}
