package droidtest.app;

import android.appwidget.AppWidgetManager;
import android.bluetooth.BluetoothAdapter;
import android.bluetooth.BluetoothDevice;
import android.content.Intent;
import android.net.ConnectivityManager;
import android.net.NetworkInfo;
import android.net.Uri;
import android.os.Process;
import android.view.KeyEvent;
import org.robolectric.shadows.ShadowNetworkInfo;

/**
 * What Android itself puts into the broadcasts that only it may send, and that does not go over the wire as it is: data,
 * and objects, of which the wire has the numbers and texts that they are made of.
 * Receivers may rely on it; without it they would crash in a way that no phone shows.
 */
final class Announcements {
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
        intent.setData(OTHER_APP);
        intent.putExtra(Intent.EXTRA_UID, intent.getIntExtra(Intent.EXTRA_UID, OTHER_UID));
        intent.putExtra(Intent.EXTRA_REPLACING, intent.getBooleanExtra(Intent.EXTRA_REPLACING, false));
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
        intent.putExtra(ConnectivityManager.EXTRA_NETWORK_INFO, network(intent));
        break;
      case "android.provider.Telephony.SMS_RECEIVED":
      case "android.provider.Telephony.SMS_DELIVER":
        byte[] message = Message.pdu(text(intent, "number", "5550100"), text(intent, "text", "Hello"));
        intent.putExtra("pdus", new Object[] {message}).putExtra("format", "3gpp");
        break;
      case "android.intent.action.MEDIA_BUTTON":
        int code = intent.getIntExtra(Intent.EXTRA_KEY_EVENT, KeyEvent.KEYCODE_MEDIA_PLAY_PAUSE);
        intent.putExtra(Intent.EXTRA_KEY_EVENT, new KeyEvent(KeyEvent.ACTION_UP, code));
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
        if (!intent.hasExtra(AppWidgetManager.EXTRA_APPWIDGET_IDS)) {
          intent.putExtra(AppWidgetManager.EXTRA_APPWIDGET_IDS, new int[] {1});
        }
        break;
      case "android.appwidget.action.APPWIDGET_DELETED":
        int widget = intent.getIntExtra(AppWidgetManager.EXTRA_APPWIDGET_ID, 1);
        intent.putExtra(AppWidgetManager.EXTRA_APPWIDGET_ID, widget);
        break;
      default:
    }
  }

  /** The network of the intent's extras; without them the app has none. */
  private static NetworkInfo network(Intent intent) {
    int type = intent.getIntExtra(ConnectivityManager.EXTRA_NETWORK_TYPE, ConnectivityManager.TYPE_WIFI);
    boolean connected =
        intent.hasExtra(ConnectivityManager.EXTRA_NETWORK_TYPE)
            && !intent.getBooleanExtra(ConnectivityManager.EXTRA_NO_CONNECTIVITY, false);
    return ShadowNetworkInfo.newInstance(
        connected ? NetworkInfo.DetailedState.CONNECTED : NetworkInfo.DetailedState.DISCONNECTED,
        type,
        0,
        true,
        connected ? NetworkInfo.State.CONNECTED : NetworkInfo.State.DISCONNECTED);
  }

  /** Takes what only this class reads out of the intent. */
  private static String text(Intent intent, String name, String otherwise) {
    String text = intent.getStringExtra(name);
    intent.removeExtra(name);
    return text == null ? otherwise : text;
  }
}
