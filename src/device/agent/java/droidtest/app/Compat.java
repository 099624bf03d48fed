package droidtest.app;

import android.app.Application;
import android.compat.Compatibility;
import java.util.Map;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.shadows.ShadowCompatibility;

/**
 * Android changes its behaviour for apps that target a newer version ({@code @EnabledSince}): an older app keeps the
 * old one. Robolectric switches all changes on.
 */
@Implements(value = Compatibility.class, isInAndroidSdk = false)
public class Compat extends ShadowCompatibility {
  /** The changes that apps meet often, and the target version they start with. */
  private static final Map<Long, Integer> SINCE =
      Map.of(
          // Listeners of preferences hear of clear() by the key null.
          119147584L, 30,
          // Toasts of text are the system's, and have no view.
          147798919L, 30,
          // LocationManager.getGpsStatus and its listeners throw.
          144027538L, 31,
          // DateFormat refuses a field twice in a skeleton.
          170233598L, 31);

  @Implementation
  protected static boolean isChangeEnabled(long change) {
    Integer since = SINCE.get(change);
    Application app = AppProcess.application();
    if (since != null && app != null && app.getApplicationInfo().targetSdkVersion < since) {
      return false;
    }
    return ShadowCompatibility.isChangeEnabled(change);
  }
}
