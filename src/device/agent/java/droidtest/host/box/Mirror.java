package droidtest.host.box;

import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.function.IntFunction;

/** What an app sees of classes by reflection: not what was put into them here. */
public final class Mirror {
  private Mirror() {}

  public static Field[] getFields(Class<?> type) {
    return without(type.getFields(), Field[]::new);
  }

  public static Field[] getDeclaredFields(Class<?> type) {
    return without(type.getDeclaredFields(), Field[]::new);
  }

  public static Method[] getMethods(Class<?> type) {
    return without(type.getMethods(), Method[]::new);
  }

  public static Method[] getDeclaredMethods(Class<?> type) {
    return without(type.getDeclaredMethods(), Method[]::new);
  }

  private static <T extends Member> T[] without(T[] all, IntFunction<T[]> make) {
    for (T one : all) {
      if (ours(one.getName())) {
        return Arrays.stream(all).filter(member -> !ours(member.getName())).toArray(make);
      }
    }
    return all;
  }

  private static boolean ours(String name) {
    return name.startsWith("$jacoco") || name.startsWith("__robo") || name.startsWith("$$robo$$");
  }
}
