package droidtest.sched;

import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Comparator;

/**
 * The members of a class in a fixed order. The JVM keeps methods by the addresses of their names, which differ from run to
 * run; whoever goes through them then loads classes, and gives them identity hashes, in another order each time. Android
 * lists them by name, as dex files do.
 */
public final class Order implements Comparator<Executable> {
  private static final Order ORDER = new Order();

  private Order() {}

  /** {@code Class.getDeclaredMethods0}. */
  public static Method[] sorted(Method[] methods) {
    Arrays.sort(methods, ORDER);
    return methods;
  }

  /** {@code Class.getDeclaredConstructors0}. */
  public static Constructor<?>[] sorted(Constructor<?>[] constructors) {
    Arrays.sort(constructors, ORDER);
    return constructors;
  }

  @Override
  public int compare(Executable one, Executable other) {
    int order = one.getName().compareTo(other.getName());
    if (order != 0) {
      return order;
    }
    Class<?>[] these = one.getParameterTypes();
    Class<?>[] those = other.getParameterTypes();
    for (int i = 0; order == 0 && i < these.length && i < those.length; i++) {
      order = these[i].getName().compareTo(those[i].getName());
    }
    if (order == 0) {
      order = these.length - those.length;
    }
    // A bridge differs from what it stands for by its result alone.
    return order != 0 || !(one instanceof Method) ? order : result(one).compareTo(result(other));
  }

  private static String result(Executable method) {
    return ((Method) method).getReturnType().getName();
  }
}
