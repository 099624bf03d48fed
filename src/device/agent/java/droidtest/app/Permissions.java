package droidtest.app;

import android.content.pm.PackageInfo;
import android.content.pm.PackageManager;
import android.content.pm.PermissionInfo;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Which permissions the app holds: those of its manifest, and dangerous ones only once granted. */
final class Permissions {
  /** Android's dangerous permissions by the group that a user is asked about; Robolectric does not know them. */
  private static final Map<String, String> GROUPS = new HashMap<>();

  static {
    group("contacts", "READ_CONTACTS", "WRITE_CONTACTS", "GET_ACCOUNTS");
    group("calendar", "READ_CALENDAR", "WRITE_CALENDAR");
    group("camera", "CAMERA");
    group("location", "ACCESS_FINE_LOCATION", "ACCESS_COARSE_LOCATION", "ACCESS_BACKGROUND_LOCATION");
    group("microphone", "RECORD_AUDIO");
    group(
        "phone", "READ_PHONE_STATE", "READ_PHONE_NUMBERS", "CALL_PHONE", "ANSWER_PHONE_CALLS", "USE_SIP",
        "ACCEPT_HANDOVER");
    group("call log", "READ_CALL_LOG", "WRITE_CALL_LOG", "PROCESS_OUTGOING_CALLS");
    group("SMS", "SEND_SMS", "RECEIVE_SMS", "READ_SMS", "RECEIVE_WAP_PUSH", "RECEIVE_MMS");
    group("storage", "READ_EXTERNAL_STORAGE", "WRITE_EXTERNAL_STORAGE", "ACCESS_MEDIA_LOCATION");
    group("photos and videos", "READ_MEDIA_IMAGES", "READ_MEDIA_VIDEO", "READ_MEDIA_VISUAL_USER_SELECTED");
    group("music and audio", "READ_MEDIA_AUDIO");
    group("body sensors", "BODY_SENSORS", "BODY_SENSORS_BACKGROUND");
    group("nearby devices", "BLUETOOTH_SCAN", "BLUETOOTH_ADVERTISE", "BLUETOOTH_CONNECT", "NEARBY_WIFI_DEVICES", "UWB_RANGING");
    group("physical activity", "ACTIVITY_RECOGNITION");
    group("notifications", "POST_NOTIFICATIONS");
  }

  /** In the manifest's order. */
  private final Set<String> requested = new LinkedHashSet<>();
  private final Set<String> granted = new HashSet<>();
  /** How often the user refused a group. */
  private final Map<String, Integer> denials = new HashMap<>();
  /** The groups that the user has revoked, in order; one that was granted and revoked again is there twice. */
  private final List<String> revoked = new ArrayList<>();
  private final boolean runtime;
  private final boolean ask;
  private final Path file;
  private final Path revokedFile;

  /** @param file where the grants are kept: they outlive the process, not the app's data */
  Permissions(PackageInfo app, boolean ask, Path file) throws IOException {
    // Before Android 6 the user agreed to all of them when installing.
    runtime = app.applicationInfo.targetSdkVersion >= 23;
    this.ask = ask && runtime;
    this.file = file;
    revokedFile = file.resolveSibling(file.getFileName() + "-revoked");
    if (app.requestedPermissions != null) {
      for (String permission : app.requestedPermissions) {
        requested.add(permission);
      }
    }
    if (Files.exists(file)) {
      granted.addAll(Files.readAllLines(file));
    }
    if (Files.exists(revokedFile)) {
      revoked.addAll(Files.readAllLines(revokedFile));
    }
  }

  private static void group(String name, String... permissions) {
    for (String permission : permissions) {
      GROUPS.put("android.permission." + permission, name);
    }
  }

  synchronized boolean granted(String permission) {
    if (permission == null) {
      return true;
    }
    if (!requested.contains(permission)) {
      return false;
    }
    String group = group(permission);
    return group == null || granted.contains(permission) || !ask && !revoked.contains(group);
  }

  /**
   * The group of permissions that the user takes back next: of those the app holds the one that went least often, the
   * first in the manifest among equals, so that the same steps take the same. Null if there is none.
   */
  synchronized String revocable() {
    String next = null;
    for (String permission : runtime ? requested : Set.<String>of()) {
      String group = group(permission);
      boolean held = group != null && granted(permission);
      if (held && (next == null || Collections.frequency(revoked, group) < Collections.frequency(revoked, next))) {
        next = group;
      }
    }
    return next;
  }

  /** The user revokes a group in the settings: Android ends the process then. */
  synchronized void revoke(String group) throws IOException {
    granted.removeIf(permission -> group.equals(group(permission)));
    revoked.add(group);
    Files.write(file, granted);
    Files.write(revokedFile, revoked);
  }

  /** Whether asking the user for it can change anything. */
  boolean askable(String permission) {
    return requested.contains(permission) && !granted(permission);
  }

  synchronized void grant(String permission) throws IOException {
    if (granted.add(permission)) {
      Files.write(file, granted);
    }
  }

  synchronized void deny(String group) {
    denials.merge(group, 1, Integer::sum);
  }

  /** Whether the app should say why it asks: the user has refused, and may still be asked. */
  synchronized boolean deniedOnce(String permission) {
    String group = group(permission);
    int refused = Math.max(denials.getOrDefault(group, 0), revoked.contains(group) ? 1 : 0);
    return askable(permission) && refused == 1;
  }

  /** Android asks nobody a third time. */
  synchronized boolean deniedForGood(String group) {
    return denials.getOrDefault(group, 0) > 1;
  }

  /** What the user is asked for; null for a permission that the app holds without asking. */
  static String group(String permission) {
    String known = GROUPS.get(permission);
    if (known != null) {
      return known;
    }
    try {
      PermissionInfo info = SystemServer.packages().getPermissionInfo(permission, 0);
      boolean dangerous =
          (info.protectionLevel & PermissionInfo.PROTECTION_MASK_BASE) == PermissionInfo.PROTECTION_DANGEROUS;
      return dangerous ? permission : null;
    } catch (PackageManager.NameNotFoundException e) {
      return null;
    }
  }
}
