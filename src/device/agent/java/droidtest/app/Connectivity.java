package droidtest.app;

import android.net.ConnectivityManager;
import android.net.Network;
import android.net.NetworkInfo;
import java.util.Map;
import org.robolectric.shadows.ShadowConnectivityManager;
import org.robolectric.shadows.ShadowNetworkInfo;
import org.robolectric.util.ReflectionHelpers;

/** What the device says of the network: there is none, while Robolectric's phone is connected. */
final class Connectivity {
  private Connectivity() {}

  static void none() {
    Map<Integer, NetworkInfo> byType = ReflectionHelpers.getStaticField(ShadowConnectivityManager.class, "networkTypeToNetworkInfo");
    Map<Integer, Network> networks = ReflectionHelpers.getStaticField(ShadowConnectivityManager.class, "netIdToNetwork");
    Map<Integer, NetworkInfo> byId = ReflectionHelpers.getStaticField(ShadowConnectivityManager.class, "netIdToNetworkInfo");
    for (int type : new int[] {ConnectivityManager.TYPE_MOBILE, ConnectivityManager.TYPE_WIFI}) {
      byType.put(
          type,
          ShadowNetworkInfo.newInstance(
              NetworkInfo.DetailedState.DISCONNECTED, type, 0, true, NetworkInfo.State.DISCONNECTED));
    }
    ReflectionHelpers.setStaticField(ShadowConnectivityManager.class, "activeNetworkInfo", null);
    networks.clear();
    byId.clear();
  }
}
