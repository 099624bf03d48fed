package droidtest.app;

import android.appwidget.AppWidgetManager;
import android.bluetooth.BluetoothAdapter;
import android.bluetooth.BluetoothDevice;
import android.content.Intent;
import android.net.ConnectivityManager;
import android.net.NetworkInfo;
import android.net.Uri;
import android.os.Process;
import org.robolectric.shadows.ShadowNetworkInfo;

/**
 * What Android itself puts into the broadcasts that only it may send, and that does not go over the wire: data, objects.
 * Receivers may rely on it; without it they would crash in a way that no phone shows.
 */
final class Announcements {
  /** A message "How are you?" as the network delivers it (GSM 03.40, SMS-DELIVER). */
  private static final String MESSAGE = "07911326040000F0040B911346610089F60000208062917314080CC8F71D14969741F977FD07";
  private static final Uri OTHER_APP = Uri.parse("package:org.example.other");
  private static final int OTHER_UID = 10_999;
  private static final String PHONE = "00:11:22:33:AA:BB";

  private Announcements() {}

  /** Adds what is missing. */
  static void complete(Intent intent) {
    String action = intent.getAction();
    if (action == null || intent.getData() != null) {
      return;
    }
    switch (action) {
      case "android.intent.action.PACKAGE_ADDED":
      case "android.intent.action.PACKAGE_REMOVED":
      case "android.intent.action.PACKAGE_REPLACED":
      case "android.intent.action.PACKAGE_CHANGED":
      case "android.intent.action.PACKAGE_RESTARTED":
      case "android.intent.action.PACKAGE_DATA_CLEARED":
      case "android.intent.action.PACKAGE_FULLY_REMOVED":
      case "android.intent.action.PACKAGE_FIRST_LAUNCH":
        intent.setData(OTHER_APP).putExtra(Intent.EXTRA_UID, OTHER_UID).putExtra(Intent.EXTRA_REPLACING, false);
        break;
      case "android.intent.action.MEDIA_MOUNTED":
      case "android.intent.action.MEDIA_UNMOUNTED":
      case "android.intent.action.MEDIA_EJECT":
      case "android.intent.action.MEDIA_REMOVED":
      case "android.intent.action.MEDIA_BAD_REMOVAL":
      case "android.intent.action.MEDIA_CHECKING":
      case "android.intent.action.MEDIA_SHARED":
      case "android.intent.action.MEDIA_SCANNER_STARTED":
      case "android.intent.action.MEDIA_SCANNER_FINISHED":
        intent.setData(Uri.fromFile(AppProcess.sdcard().toFile()));
        break;
      case "android.net.conn.CONNECTIVITY_CHANGE":
      case "android.net.wifi.STATE_CHANGE":
        intent.putExtra(ConnectivityManager.EXTRA_NETWORK_INFO, offline());
        break;
      case "android.provider.Telephony.SMS_RECEIVED":
      case "android.provider.Telephony.SMS_DELIVER":
        intent.putExtra("pdus", new Object[] {bytes(MESSAGE)}).putExtra("format", "3gpp");
        break;
      case "android.bluetooth.device.action.ACL_CONNECTED":
      case "android.bluetooth.device.action.ACL_DISCONNECTED":
      case "android.bluetooth.device.action.ACL_DISCONNECT_REQUESTED":
      case "android.bluetooth.device.action.BOND_STATE_CHANGED":
      case "android.bluetooth.device.action.FOUND":
        BluetoothAdapter adapter = BluetoothAdapter.getDefaultAdapter();
        if (adapter != null) {
          intent.putExtra(BluetoothDevice.EXTRA_DEVICE, adapter.getRemoteDevice(PHONE));
        }
        break;
      case "android.intent.action.DOWNLOAD_COMPLETE":
        intent.putExtra("extra_download_id", 1L);
        break;
      case "android.intent.action.MANAGED_PROFILE_ADDED":
      case "android.intent.action.MANAGED_PROFILE_REMOVED":
      case "android.intent.action.MANAGED_PROFILE_AVAILABLE":
      case "android.intent.action.MANAGED_PROFILE_UNAVAILABLE":
      case "android.intent.action.MANAGED_PROFILE_UNLOCKED":
        intent.putExtra(Intent.EXTRA_USER, Process.myUserHandle());
        break;
      case "android.appwidget.action.APPWIDGET_UPDATE":
        intent.putExtra(AppWidgetManager.EXTRA_APPWIDGET_IDS, new int[] {1});
        break;
      case "android.appwidget.action.APPWIDGET_DELETED":
        intent.putExtra(AppWidgetManager.EXTRA_APPWIDGET_ID, 1);
        break;
      default:
    }
  }

  /** The app has no network, and hears so. */
  private static NetworkInfo offline() {
    return ShadowNetworkInfo.newInstance(
        NetworkInfo.DetailedState.DISCONNECTED, ConnectivityManager.TYPE_WIFI, 0, true, NetworkInfo.State.DISCONNECTED);
  }

  private static byte[] bytes(String hex) {
    byte[] bytes = new byte[hex.length() / 2];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) Integer.parseInt(hex.substring(2 * i, 2 * i + 2), 16);
    }
    return bytes;
  }
}
