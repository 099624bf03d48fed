package droidtest.host.box;

import droidtest.host.AndroidApi;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.function.Predicate;

/**
 * Reflection as the app would see itself on Android: without what the probes and Robolectric put into classes, without the
 * parts of large methods, without the constructors that lead past others (the translator's {@code constructors}), without
 * the agent ({@link Loaders}), and without what only this machine's Java has ({@link AndroidApi}).
 */
public final class Reflection {
  private static final String PROBES = "$jacoco";
  /** A line number that only such constructors have; the translator gives it to them. */
  public static final int BRIDGE_LINE = 65_535;
  /** How the names of a large method's parts begin; a number, two dollar signs and the method's name follow. */
  public static final String PART = "$$part$$";

  private Reflection() {}

  public static Field[] getDeclaredFields(Class<?> of) {
    Class<?> seen = Loaders.seen(of);
    return without(seen.getDeclaredFields(), field -> ours(seen, field));
  }

  public static Field[] getFields(Class<?> of) {
    Class<?> seen = Loaders.seen(of);
    return without(seen.getFields(), field -> ours(seen, field));
  }

  public static Method[] getDeclaredMethods(Class<?> of) {
    Class<?> seen = Loaders.seen(of);
    return without(seen.getDeclaredMethods(), method -> ours(seen, method));
  }

  public static Method[] getMethods(Class<?> of) {
    Class<?> seen = Loaders.seen(of);
    return without(seen.getMethods(), method -> ours(seen, method));
  }

  public static Constructor<?>[] getDeclaredConstructors(Class<?> of) {
    Class<?> seen = Loaders.seen(of);
    return without(seen.getDeclaredConstructors(), constructor -> ours(seen, constructor));
  }

  public static Constructor<?>[] getConstructors(Class<?> of) {
    Class<?> seen = Loaders.seen(of);
    return without(seen.getConstructors(), constructor -> ours(seen, constructor));
  }

  public static Field getDeclaredField(Class<?> of, String name) throws NoSuchFieldException {
    return shown(of, Loaders.seen(of).getDeclaredField(name));
  }

  public static Field getField(Class<?> of, String name) throws NoSuchFieldException {
    return shown(of, Loaders.seen(of).getField(name));
  }

  public static Method getDeclaredMethod(Class<?> of, String name, Class<?>[] types) throws NoSuchMethodException {
    return shown(of, Loaders.seen(of).getDeclaredMethod(name, types));
  }

  public static Method getMethod(Class<?> of, String name, Class<?>[] types) throws NoSuchMethodException {
    Class<?> seen = Loaders.seen(of);
    try {
      return shown(of, seen.getMethod(name, types));
    } catch (NoSuchMethodException e) {
      // What an object of a hidden class has by an interface.
      for (Class<?> at = of; at != null && at != seen; at = at.getSuperclass()) {
        Method found = byInterface(at, name, types);
        if (found != null) {
          return found;
        }
      }
      throw e;
    }
  }

  private static Method byInterface(Class<?> of, String name, Class<?>[] types) {
    for (Class<?> each : of.getInterfaces()) {
      try {
        if (!AndroidApi.hides(each)) {
          return shown(each, each.getMethod(name, types));
        }
      } catch (NoSuchMethodException e) {
        // Another one may have it.
      }
    }
    return null;
  }

  public static Constructor<?> getDeclaredConstructor(Class<?> of, Class<?>[] types) throws NoSuchMethodException {
    return shown(of, shownClass(of).getDeclaredConstructor(types));
  }

  public static Constructor<?> getConstructor(Class<?> of, Class<?>[] types) throws NoSuchMethodException {
    return shown(of, shownClass(of).getConstructor(types));
  }

  private static Class<?> shownClass(Class<?> of) throws NoSuchMethodException {
    if (AndroidApi.hides(of)) {
      throw new NoSuchMethodException(of.getName() + ".<init>");
    }
    return of;
  }

  private static Field shown(Class<?> of, Field field) throws NoSuchFieldException {
    if (AndroidApi.hides(Loaders.seen(of), field)) {
      throw new NoSuchFieldException(field.getName());
    }
    return field;
  }

  private static <T extends Executable> T shown(Class<?> of, T found) throws NoSuchMethodException {
    if (AndroidApi.hides(Loaders.seen(of), found)) {
      throw new NoSuchMethodException(of.getName() + '.' + (found instanceof Method ? found.getName() : "<init>"));
    }
    return found;
  }

  private static boolean ours(Class<?> of, Member member) {
    return member instanceof Constructor && bridge((Constructor<?>) member)
        || !(member instanceof Constructor) && ours(member)
        || AndroidApi.hides(of, member);
  }

  private static boolean ours(Member member) {
    String name = member.getName();
    return name.startsWith(PROBES) || name.startsWith("__robo") || name.startsWith("$$robo$$") || name.startsWith(PART);
  }

  private static boolean bridge(Constructor<?> constructor) {
    if (!constructor.isSynthetic() || constructor.getParameterCount() == 0) {
      return false;
    }
    Class<?>[] parameters = constructor.getParameterTypes();
    return parameters[parameters.length - 1].getName().startsWith("[[[L");
  }

  /** Whether a frame is one of a constructor that leads past others, or of the probes. */
  public static boolean ours(StackTraceElement frame) {
    return frame.getLineNumber() == BRIDGE_LINE && frame.getMethodName().equals("<init>")
        || frame.getMethodName().startsWith(PROBES);
  }

  private static <T> T[] without(T[] all, Predicate<T> ours) {
    int kept = 0;
    for (T each : all) {
      if (!ours.test(each)) {
        kept++;
      }
    }
    if (kept == all.length) {
      return all;
    }
    T[] rest = Arrays.copyOf(all, kept);
    int at = 0;
    for (T each : all) {
      if (!ours.test(each)) {
        rest[at++] = each;
      }
    }
    return rest;
  }
}
