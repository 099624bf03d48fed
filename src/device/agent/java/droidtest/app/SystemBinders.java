package droidtest.app;

import android.media.metrics.IMediaMetricsManager;
import android.os.IBinder;
import android.os.IInterface;
import android.os.ServiceManager;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.shadows.ShadowServiceManager;

/** System services that every phone has and Robolectric does not, by the names that they are published under. */
public final class SystemBinders {
  private static final Map<String, Supplier<IInterface>> MAKERS =
      Map.of("media_metrics", () -> Binders.proxy(IMediaMetricsManager.class, Metrics.class, () -> Metrics.ONE));
  private static final Map<String, IInterface> MADE = new ConcurrentHashMap<>();

  private SystemBinders() {}

  /** Null if there is no such service here. */
  private static IBinder find(String name) {
    Supplier<IInterface> maker = MAKERS.get(name);
    return maker == null ? null : MADE.computeIfAbsent(name, any -> maker.get()).asBinder();
  }

  /** The services above, and Robolectric's. */
  @Implements(value = ServiceManager.class, isInAndroidSdk = false)
  public static class OfServiceManager extends ShadowServiceManager {
    @Implementation
    protected static IBinder getService(String name) {
      IBinder found = find(name);
      return found != null ? found : ShadowServiceManager.getService(name);
    }

    @Implementation
    protected static IBinder checkService(String name) {
      return getService(name);
    }
  }

  /** Gives each session of a player, a recorder or an editor a name; what they report is discarded. */
  static final class Metrics {
    static final Metrics ONE = new Metrics();

    private int sessions;

    synchronized String getPlaybackSessionId(Object[] args) {
      sessions++;
      return String.format("%016x", sessions);
    }

    String getRecordingSessionId(Object[] args) {
      return getPlaybackSessionId(args);
    }

    String getTranscodingSessionId(Object[] args) {
      return getPlaybackSessionId(args);
    }

    String getEditingSessionId(Object[] args) {
      return getPlaybackSessionId(args);
    }

    String getBundleSessionId(Object[] args) {
      return getPlaybackSessionId(args);
    }
  }
}
