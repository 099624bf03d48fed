package droidtest.app;

import android.content.ClipData;
import android.content.Intent;
import android.net.Uri;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Who may read and write the system's providers: the holder of the permission, and whoever was passed an address by
 * another app.
 */
final class Guard {
  private static final Map<String, String> PERMISSIONS =
      Map.ofEntries(
          Map.entry("com.android.contacts", "CONTACTS"), Map.entry("contacts", "CONTACTS"),
          Map.entry("com.android.calendar", "CALENDAR"), Map.entry("calendar", "CALENDAR"),
          Map.entry("call_log", "CALL_LOG"), Map.entry("sms", "SMS"), Map.entry("mms", "SMS"), Map.entry("mms-sms", "SMS"));
  /** An app without the permission sees only its own entries in the media store. */
  private static final Map<String, String> MEDIA =
      Map.of(
          "media/images", "READ_MEDIA_IMAGES", "media/video", "READ_MEDIA_VIDEO", "media/audio", "READ_MEDIA_AUDIO",
          "media/file", "READ_MEDIA_IMAGES", "media/downloads", "MANAGE_EXTERNAL_STORAGE");

  private final Set<Uri> granted = new HashSet<>();
  private final Set<String> authorities = new HashSet<>();

  /** The answer of another app may be read, if the answer grants it. */
  synchronized void grant(Intent answer) {
    if (answer == null || (answer.getFlags() & Intent.FLAG_GRANT_READ_URI_PERMISSION) == 0) {
      return;
    }
    grant(answer.getData());
    ClipData clip = answer.getClipData();
    for (int i = 0; clip != null && i < clip.getItemCount(); i++) {
      grant(clip.getItemAt(i).getUri());
    }
  }

  private void grant(Uri uri) {
    if (uri != null && uri.getAuthority() != null) {
      granted.add(uri);
      authorities.add(uri.getAuthority());
    }
  }

  private synchronized boolean granted(Uri uri) {
    return granted.contains(uri.buildUpon().clearQuery().build());
  }

  private static boolean holds(String permission) {
    return AppProcess.permissions().granted("android.permission." + permission);
  }

  /** Opening takes either permission, or an address that was passed on. */
  synchronized void open(String authority) {
    String guarded = PERMISSIONS.get(authority);
    if (guarded != null && !authorities.contains(authority) && !holds("READ_" + guarded) && !holds("WRITE_" + guarded)) {
      throw new SecurityException(
          "Permission Denial: opening provider " + authority + " from " + AppProcess.packageName()
              + " requires android.permission.READ_" + guarded + " or android.permission.WRITE_" + guarded);
    }
  }

  void read(Uri uri) {
    check(uri, "READ_", "reading");
  }

  void write(Uri uri) {
    String guarded = PERMISSIONS.get(uri.getAuthority());
    // Only the default messaging app writes messages; what other apps write is dropped, not refused.
    if (guarded != null && !guarded.equals("SMS")) {
      check(uri, "WRITE_", "writing");
    }
  }

  private void check(Uri uri, String prefix, String doing) {
    String guarded = PERMISSIONS.get(uri.getAuthority());
    if (guarded == null || holds(prefix + guarded) || granted(uri)) {
      return;
    }
    throw new SecurityException(
        "Permission Denial: " + doing + " com.android.providers uri " + uri + " from pid=" + android.os.Process.myPid()
            + ", uid=" + android.os.Process.myUid() + " requires android.permission." + prefix + guarded
            + ", or grantUriPermission()");
  }

  /** Which rows of a table of the media store the app sees; null: all. */
  String seen(Uri uri, String table) {
    String permission = MEDIA.get(table);
    boolean all = permission == null || holds(permission) || holds("READ_EXTERNAL_STORAGE") || holds("MANAGE_EXTERNAL_STORAGE")
        || granted(uri);
    return all ? null : "owner_package_name = '" + AppProcess.packageName() + "'";
  }
}
