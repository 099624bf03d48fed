package droidtest.app;

import android.content.pm.PackageInfo;
import android.content.pm.PackageManager;
import android.content.pm.PermissionInfo;
import java.util.HashSet;
import java.util.Set;

/** Which permissions the app holds: those of its manifest, and dangerous ones only once granted. */
final class Permissions {
  private final Set<String> requested = new HashSet<>();
  private final Set<String> granted = new HashSet<>();
  private final boolean ask;

  Permissions(PackageInfo app, boolean ask) {
    // Before Android 6 the user agreed to all of them when installing.
    this.ask = ask && app.applicationInfo.targetSdkVersion >= 23;
    if (app.requestedPermissions != null) {
      for (String permission : app.requestedPermissions) {
        requested.add(permission);
      }
    }
  }

  boolean granted(String permission) {
    if (permission == null) {
      return true;
    }
    if (!requested.contains(permission)) {
      return false;
    }
    return !ask || granted.contains(permission) || !dangerous(permission);
  }

  void grant(String permission) {
    granted.add(permission);
  }

  private static boolean dangerous(String permission) {
    try {
      PermissionInfo info = SystemServer.packages().getPermissionInfo(permission, 0);
      return (info.protectionLevel & PermissionInfo.PROTECTION_MASK_BASE) == PermissionInfo.PROTECTION_DANGEROUS;
    } catch (PackageManager.NameNotFoundException e) {
      return false;
    }
  }
}
