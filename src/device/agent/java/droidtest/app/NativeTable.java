package droidtest.app;

import droidtest.host.MissingNatives;
import droidtest.host.Shadowing;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;

/** What implements the framework's native methods: the table of {@code docs/natives.md}. */
final class NativeTable {
  /** Robolectric keeps each native method under this name, and gives its own one a body. */
  private static final String SUFFIX = "$nativeBinding";

  private NativeTable() {}

  /** A row for each native method of these classes: the class, the method, what implements it. Overloads are one row. */
  static List<Object> rows(List<?> classes) {
    List<Object> rows = new ArrayList<>();
    for (Object name : classes) {
      TreeMap<String, String> methods = new TreeMap<>();
      try {
        Class<?> type = Class.forName((String) name, false, NativeTable.class.getClassLoader());
        for (Method binding : type.getDeclaredMethods()) {
          if (binding.getName().endsWith(SUFFIX)) {
            Method method = named(type, binding);
            methods.merge(method.getName(), Shadowing.implementation(method), NativeTable::lesser);
          }
        }
      } catch (ReflectiveOperationException | LinkageError e) {
        rows.add(List.of(name, "", "fails: " + e));
      }
      methods.forEach((method, answers) -> rows.add(List.of(name, method, answers)));
    }
    return rows;
  }

  /**
   * The native method that should have made the native half of this class's objects: one without an implementation that a
   * constructor has called, of a class whose native methods all have none. Without that half an object refuses whatever it
   * is asked. Null if there is none.
   */
  static String missingHalf(String type) {
    String called = MissingNatives.calledByConstructor(type);
    boolean isWhole = called == null || rows(List.of(type)).stream().anyMatch(row -> !((List<?>) row).get(2).equals("missing"));
    return isWhole ? null : called;
  }

  private static String lesser(String one, String other) {
    return one.equals("missing") ? one : other;
  }

  /** The method under its own name. */
  private static Method named(Class<?> type, Method binding) throws NoSuchMethodException {
    String kept = binding.getName();
    for (Method method : type.getDeclaredMethods()) {
      String name = method.getName();
      if (!name.startsWith("$$robo$$")
          && kept.endsWith("$" + name + SUFFIX)
          && Arrays.equals(method.getParameterTypes(), binding.getParameterTypes())) {
        return method;
      }
    }
    throw new NoSuchMethodException(type.getName() + "." + kept);
  }
}
