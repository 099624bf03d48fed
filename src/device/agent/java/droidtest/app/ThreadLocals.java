package droidtest.app;

import java.lang.ref.Reference;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/**
 * What code keeps by {@link ThreadLocal} on the main thread. All lives of the app run on one thread, whereas on a device
 * it ends with the process: left there, the session of one open database keeps a complete life in memory.
 */
final class ThreadLocals {
  private static final String[] MAPS = {"threadLocals", "inheritableThreadLocals"};

  private ThreadLocals() {}

  /** Those of this thread that have a value now. */
  static Set<ThreadLocal<?>> present() {
    Set<ThreadLocal<?>> all = Collections.newSetFromMap(new IdentityHashMap<>());
    all.addAll(keys());
    return all;
  }

  /** Takes the values from all but these. */
  static void keepOnly(Set<ThreadLocal<?>> kept) {
    for (ThreadLocal<?> key : keys()) {
      if (!kept.contains(key)) {
        key.remove();
      }
    }
  }

  private static List<ThreadLocal<?>> keys() {
    List<ThreadLocal<?>> keys = new ArrayList<>();
    try {
      for (String name : MAPS) {
        Object map = field(Thread.class, name).get(Thread.currentThread());
        if (map == null) {
          continue;
        }
        for (Object entry : (Object[]) field(map.getClass(), "table").get(map)) {
          ThreadLocal<?> key = entry == null ? null : (ThreadLocal<?>) ((Reference<?>) entry).get();
          if (key != null) {
            keys.add(key);
          }
        }
      }
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
    return keys;
  }

  private static Field field(Class<?> of, String name) throws NoSuchFieldException {
    Field field = of.getDeclaredField(name);
    field.setAccessible(true);
    return field;
  }
}
