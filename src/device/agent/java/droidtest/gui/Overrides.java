package droidtest.gui;

import droidtest.host.AppClassLoader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.function.Predicate;

/** Some methods, and which classes have an own version of one of them in the app's code. */
final class Overrides {
  private final List<Predicate<Class<?>>> methods = new ArrayList<>();
  private final Map<Class<?>, Boolean> known = new WeakHashMap<>();

  /** One more method. */
  Overrides or(String method, Class<?>... parameters) {
    methods.add(type -> declares(type, method, parameters));
    return this;
  }

  /** Whether this class or a parent of it is code of the app and has one of the methods. */
  boolean in(Class<?> type) {
    return known.computeIfAbsent(type, this::look);
  }

  private boolean look(Class<?> type) {
    for (Class<?> c = type; c != null && c.getClassLoader() instanceof AppClassLoader; c = c.getSuperclass()) {
      Class<?> own = c;
      if (!library(own) && methods.stream().anyMatch(method -> method.test(own))) {
        return true;
      }
    }
    return false;
  }

  /** Google's support library does not count as the app. */
  static boolean library(Class<?> type) {
    return type.getName().startsWith("android.support.") || type.getName().startsWith("androidx.");
  }

  /** Whether this class itself, not a parent, has the method. */
  static boolean declares(Class<?> type, String method, Class<?>... parameters) {
    try {
      type.getDeclaredMethod(method, parameters);
      return true;
    } catch (NoSuchMethodException | LinkageError e) {
      return false;
    }
  }
}
