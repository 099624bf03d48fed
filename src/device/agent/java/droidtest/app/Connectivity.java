package droidtest.app;

import android.content.Intent;
import android.net.ConnectivityManager;
import android.net.Network;
import android.net.NetworkInfo;
import droidtest.host.Host;
import droidtest.host.box.Online;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.robolectric.shadows.ShadowConnectivityManager;
import org.robolectric.shadows.ShadowNetworkInfo;
import org.robolectric.util.ReflectionHelpers;

/** The state of the network. Robolectric's phone is connected; ours is not if it has no network or has lost it. */
final class Connectivity {
  private static final int[] TYPES = {ConnectivityManager.TYPE_MOBILE, ConnectivityManager.TYPE_WIFI};

  /** What it said before the network was lost. */
  private static Map<Integer, NetworkInfo> byType;
  private static Map<Integer, Network> networks;
  private static Map<Integer, NetworkInfo> byId;
  private static NetworkInfo active;

  private Connectivity() {}

  static void none() {
    for (int type : TYPES) {
      byType().put(
          type,
          ShadowNetworkInfo.newInstance(
              NetworkInfo.DetailedState.DISCONNECTED, type, 0, true, NetworkInfo.State.DISCONNECTED));
    }
    ReflectionHelpers.setStaticField(ShadowConnectivityManager.class, "activeNetworkInfo", null);
    networks().clear();
    byId().clear();
  }

  /** Whether there is no network now. */
  static boolean off() {
    return !Host.options().connected() || Online.lost();
  }

  /** A new life has the network that the device has. */
  static void forget() {
    Online.lose(false);
  }

  /** The network is lost, or back; false if the device has none. */
  static boolean toggle() {
    if (!Host.options().connected()) {
      return false;
    }
    if (Online.lost()) {
      Online.lose(false);
      byType().putAll(byType);
      networks().putAll(networks);
      byId().putAll(byId);
      ReflectionHelpers.setStaticField(ShadowConnectivityManager.class, "activeNetworkInfo", active);
      for (ConnectivityManager.NetworkCallback callback : callbacks()) {
        networks.values().stream().findFirst().ifPresent(callback::onAvailable);
      }
      return true;
    }
    byType = new HashMap<>(byType());
    networks = new HashMap<>(networks());
    byId = new HashMap<>(byId());
    active = ReflectionHelpers.getStaticField(ShadowConnectivityManager.class, "activeNetworkInfo");
    Online.lose(true);
    none();
    for (ConnectivityManager.NetworkCallback callback : callbacks()) {
      networks.values().forEach(callback::onLost);
    }
    return true;
  }

  /** What Android says to all of it. */
  static Intent change() {
    boolean lost = Online.lost();
    NetworkInfo info = lost ? byType().get(ConnectivityManager.TYPE_WIFI) : active;
    return new Intent(ConnectivityManager.CONNECTIVITY_ACTION)
        .putExtra(ConnectivityManager.EXTRA_NO_CONNECTIVITY, lost)
        .putExtra(ConnectivityManager.EXTRA_NETWORK_INFO, info);
  }

  private static List<ConnectivityManager.NetworkCallback> callbacks() {
    return new ArrayList<>(
        ReflectionHelpers.<java.util.Set<ConnectivityManager.NetworkCallback>>getStaticField(
            ShadowConnectivityManager.class, "networkCallbacks"));
  }

  private static Map<Integer, NetworkInfo> byType() {
    return ReflectionHelpers.getStaticField(ShadowConnectivityManager.class, "networkTypeToNetworkInfo");
  }

  private static Map<Integer, Network> networks() {
    return ReflectionHelpers.getStaticField(ShadowConnectivityManager.class, "netIdToNetwork");
  }

  private static Map<Integer, NetworkInfo> byId() {
    return ReflectionHelpers.getStaticField(ShadowConnectivityManager.class, "netIdToNetworkInfo");
  }
}
