package droidtest.host.box;

import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.function.Predicate;

/**
 * Reflection as the app would see itself on Android: without what the probes and Robolectric put into classes, without the
 * parts of large methods, without the constructors that lead past others (the translator's {@code constructors}), and without the agent ({@link Loaders}).
 */
public final class Reflection {
  private static final String PROBES = "$jacoco";
  /** A line number that only such constructors have; the translator gives it to them. */
  public static final int BRIDGE_LINE = 65_535;
  /** How the names of a large method's parts begin; a number, two dollar signs and the method's name follow. */
  public static final String PART = "$$part$$";

  private Reflection() {}

  public static Field[] getDeclaredFields(Class<?> of) {
    return without(Loaders.seen(of).getDeclaredFields(), Reflection::ours);
  }

  public static Field[] getFields(Class<?> of) {
    return without(Loaders.seen(of).getFields(), Reflection::ours);
  }

  public static Method[] getDeclaredMethods(Class<?> of) {
    return without(Loaders.seen(of).getDeclaredMethods(), Reflection::ours);
  }

  public static Method[] getMethods(Class<?> of) {
    return without(Loaders.seen(of).getMethods(), Reflection::ours);
  }

  public static Constructor<?>[] getDeclaredConstructors(Class<?> of) {
    return without(Loaders.seen(of).getDeclaredConstructors(), Reflection::bridge);
  }

  public static Constructor<?>[] getConstructors(Class<?> of) {
    return without(Loaders.seen(of).getConstructors(), Reflection::bridge);
  }

  public static Field getDeclaredField(Class<?> of, String name) throws NoSuchFieldException {
    return Loaders.seen(of).getDeclaredField(name);
  }

  public static Field getField(Class<?> of, String name) throws NoSuchFieldException {
    return Loaders.seen(of).getField(name);
  }

  public static Method getDeclaredMethod(Class<?> of, String name, Class<?>[] types) throws NoSuchMethodException {
    return Loaders.seen(of).getDeclaredMethod(name, types);
  }

  public static Method getMethod(Class<?> of, String name, Class<?>[] types) throws NoSuchMethodException {
    return Loaders.seen(of).getMethod(name, types);
  }

  public static Constructor<?> getDeclaredConstructor(Class<?> of, Class<?>[] types) throws NoSuchMethodException {
    return Loaders.seen(of).getDeclaredConstructor(types);
  }

  public static Constructor<?> getConstructor(Class<?> of, Class<?>[] types) throws NoSuchMethodException {
    return Loaders.seen(of).getConstructor(types);
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
