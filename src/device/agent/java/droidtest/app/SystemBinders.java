package droidtest.app;

import android.media.metrics.IMediaMetricsManager;
import android.os.Binder;
import android.os.IBinder;
import android.os.IInterface;
import android.os.ServiceManager;
import java.lang.reflect.Field;
import java.util.Map;
import java.util.Set;
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
  /** Robolectric's services whose calls are noted already. */
  private static final Set<String> NOTING = ConcurrentHashMap.newKeySet();

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
      if (found != null) {
        return found;
      }
      found = ShadowServiceManager.getService(name);
      if (found instanceof Binder && NOTING.add(name)) {
        note(name, (Binder) found);
      }
      return found;
    }

    /** Robolectric keeps what it publishes under the binder's own descriptor. */
    private static void note(String name, Binder binder) {
      try {
        Object service = binderServices.get(name);
        String kind = String.valueOf(get(service, "binderType"));
        if (kind.equals("NULL_PROXY") || kind.equals("DEEP_PROXY")) {
          String descriptor = (String) get(service, "className");
          Class<?> type = (Class<?>) get(service, "clazz");
          binder.attachInterface(EmptyAnswers.noting(type, binder.queryLocalInterface(descriptor)), descriptor);
        }
      } catch (ReflectiveOperationException e) {
        throw new LinkageError("Robolectric's service manager has changed", e);
      }
    }

    private static Object get(Object service, String field) throws ReflectiveOperationException {
      Field found = service.getClass().getDeclaredField(field);
      found.setAccessible(true);
      return found.get(service);
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
