package droidtest.app;

import android.content.Context;
import android.content.Intent;
import android.net.ConnectivityManager;
import android.net.ConnectivityManager.NetworkCallback;
import android.net.LinkProperties;
import android.net.Network;
import android.net.NetworkCapabilities;
import android.net.NetworkInfo;
import android.net.NetworkRequest;
import android.os.Build;
import android.os.Handler;
import android.os.Looper;
import droidtest.host.Host;
import droidtest.host.box.Online;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.shadow.api.Shadow;
import org.robolectric.shadows.ShadowConnectivityManager;
import org.robolectric.shadows.ShadowNetworkCapabilities;
import org.robolectric.shadows.ShadowNetworkInfo;
import org.robolectric.util.ReflectionHelpers;

/** The state of the network. Robolectric's phone is connected; ours is not if it has no network or has lost it. */
public final class Connectivity {
  private static final int[] TYPES = {ConnectivityManager.TYPE_MOBILE, ConnectivityManager.TYPE_WIFI};

  /** What it said before the network was lost. */
  private static Map<Integer, NetworkInfo> byType;
  private static Map<Integer, Network> networks;
  private static Map<Integer, NetworkInfo> byId;
  private static NetworkInfo active;

  /** In the order of registration; Robolectric's set has another order in each run. Apps register on any thread. */
  private static final Map<NetworkCallback, Registered> CALLBACKS = Collections.synchronizedMap(new LinkedHashMap<>());

  private Connectivity() {}

  /** Robolectric's networks do not have these two capabilities; a connected phone's have. */
  static void some() {
    for (Network network : networks().values()) {
      ShadowNetworkCapabilities capabilities = Shadow.extract(manager().getNetworkCapabilities(network));
      capabilities.addCapability(NetworkCapabilities.NET_CAPABILITY_INTERNET);
      if (Build.VERSION.SDK_INT >= Build.VERSION_CODES.M) {
        capabilities.addCapability(NetworkCapabilities.NET_CAPABILITY_VALIDATED);
      }
    }
  }

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
    CALLBACKS.clear();
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
      new ArrayList<>(CALLBACKS.values()).forEach(Registered::offer);
      return true;
    }
    byType = new HashMap<>(byType());
    networks = new HashMap<>(networks());
    byId = new HashMap<>(byId());
    active = ReflectionHelpers.getStaticField(ShadowConnectivityManager.class, "activeNetworkInfo");
    Online.lose(true);
    none();
    new ArrayList<>(CALLBACKS.values()).forEach(Registered::lose);
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

  private static ConnectivityManager manager() {
    return (ConnectivityManager) AppProcess.application().getSystemService(Context.CONNECTIVITY_SERVICE);
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

  /** A callback and the network that it has. */
  private static final class Registered {
    private final NetworkCallback callback;
    /** Null: for the default network. */
    private final NetworkRequest request;

    private final Handler handler;
    private volatile Network network;
    /** Whether {@code onAvailable} was called for it. */
    private volatile boolean available;

    Registered(NetworkRequest request, NetworkCallback callback, Handler handler) {
      this.request = request;
      this.callback = callback;
      this.handler = handler == null ? new Handler(Looper.getMainLooper()) : handler;
    }

    /** Posts the active network to the callback's handler, if the request fits. */
    void offer() {
      Network here = off() ? null : manager().getActiveNetwork();
      NetworkCapabilities capabilities = here == null ? null : manager().getNetworkCapabilities(here);
      if (network != null || capabilities == null || !fits(capabilities)) {
        return;
      }
      network = here;
      LinkProperties link = manager().getLinkProperties(here);
      handler.post(
          () -> {
            // Unregistered, or the network was lost before this ran.
            if (CALLBACKS.get(callback) != this || network != here) {
              return;
            }
            available = true;
            callback.onAvailable(here);
            callback.onCapabilitiesChanged(here, new NetworkCapabilities(capabilities));
            if (link != null) {
              callback.onLinkPropertiesChanged(here, new LinkProperties(link));
            }
          });
    }

    void lose() {
      Network had = network;
      network = null;
      handler.post(
          () -> {
            if (CALLBACKS.get(callback) == this && available) {
              available = false;
              callback.onLost(had);
            }
          });
    }

    private boolean fits(NetworkCapabilities offered) {
      if (request == null) {
        return true;
      }
      NetworkCapabilities wanted = ReflectionHelpers.getField(request, "networkCapabilities");
      return ReflectionHelpers.<Boolean>callInstanceMethod(
          wanted, "satisfiedByNetworkCapabilities", ReflectionHelpers.ClassParameter.from(NetworkCapabilities.class, offered));
    }
  }

  private static void register(NetworkRequest request, NetworkCallback callback, Handler handler) {
    Registered registered = new Registered(request, callback, handler);
    CALLBACKS.put(callback, registered);
    registered.offer();
  }

  /** Reports the active network to each callback that is registered, as Android does. */
  @Implements(ConnectivityManager.class)
  public static class OfConnectivityManager extends ShadowConnectivityManager {
    @Override
    @Implementation
    protected void registerNetworkCallback(NetworkRequest request, NetworkCallback callback) {
      super.registerNetworkCallback(request, callback);
      register(request, callback, null);
    }

    @Override
    @Implementation
    protected void registerNetworkCallback(NetworkRequest request, NetworkCallback callback, Handler handler) {
      super.registerNetworkCallback(request, callback, handler);
      register(request, callback, handler);
    }

    @Override
    @Implementation
    protected void requestNetwork(NetworkRequest request, NetworkCallback callback) {
      super.requestNetwork(request, callback);
      register(request, callback, null);
    }

    @Override
    @Implementation
    protected void requestNetwork(NetworkRequest request, NetworkCallback callback, int timeout) {
      super.requestNetwork(request, callback, timeout);
      register(request, callback, null);
    }

    @Override
    @Implementation
    protected void requestNetwork(NetworkRequest request, NetworkCallback callback, Handler handler) {
      super.requestNetwork(request, callback, handler);
      register(request, callback, handler);
    }

    @Override
    @Implementation
    protected void requestNetwork(NetworkRequest request, NetworkCallback callback, Handler handler, int timeout) {
      super.requestNetwork(request, callback, handler, timeout);
      register(request, callback, handler);
    }

    @Override
    @Implementation
    protected void registerDefaultNetworkCallback(NetworkCallback callback) {
      super.registerDefaultNetworkCallback(callback);
      register(null, callback, null);
    }

    @Override
    @Implementation
    protected void registerDefaultNetworkCallback(NetworkCallback callback, Handler handler) {
      super.registerDefaultNetworkCallback(callback, handler);
      register(null, callback, handler);
    }

    @Override
    @Implementation
    protected void registerBestMatchingNetworkCallback(NetworkRequest request, NetworkCallback callback, Handler handler) {
      super.registerBestMatchingNetworkCallback(request, callback, handler);
      register(request, callback, handler);
    }

    @Override
    @Implementation
    protected void unregisterNetworkCallback(NetworkCallback callback) {
      super.unregisterNetworkCallback(callback);
      CALLBACKS.remove(callback);
    }
  }
}
