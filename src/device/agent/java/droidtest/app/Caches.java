package droidtest.app;

import java.lang.reflect.Field;
import java.util.Map;

/**
 * What the framework remembers of the app's classes in its static fields. A process life has a class loader of its own,
 * so a constructor or class kept by name from an earlier life would bring that life's classes back (and a cast between
 * the two fails); on a device these caches die with the process. Clearing those kept by class releases those of old lives.
 */
final class Caches {
  private static final String[][] OF_APP_CLASSES = {
    {"android.app.Fragment", "sClassMap"},
    {"android.view.LayoutInflater", "sConstructorMap"},
    {"android.preference.GenericInflater", "sConstructorMap"},
    {"android.transition.TransitionInflater", "sConstructors"},
    {"android.graphics.drawable.DrawableInflater", "CONSTRUCTOR_MAP"},
    {"android.animation.PropertyValuesHolder", "sSetterPropertyMap"},
    {"android.animation.PropertyValuesHolder", "sGetterPropertyMap"},
    {"android.os.Parcel", "mCreators"},
    {"android.os.Parcel", "sPairedCreators"},
  };

  private Caches() {}

  static void clear() {
    for (String[] cache : OF_APP_CLASSES) {
      try {
        Field field = Class.forName(cache[0]).getDeclaredField(cache[1]);
        field.setAccessible(true);
        Map<?, ?> map = (Map<?, ?>) field.get(null);
        if (map != null) {
          synchronized (map) {
            map.clear();
          }
        }
      } catch (NoSuchFieldException e) {
        // Not in this version of Android.
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
