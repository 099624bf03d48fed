package droidtest.gui;

import java.lang.reflect.Array;

/** Values on their way between a page's scripts and the methods of an app, as Chromium converts them. */
final class WebValues {
  private WebValues() {}

  static Object[] fit(Object[] values, Class<?>[] types) {
    Object[] all = new Object[types.length];
    for (int i = 0; i < all.length; i++) {
      all[i] = fit(values[i], types[i]);
    }
    return all;
  }

  private static Object fit(Object value, Class<?> type) {
    if (type == String.class) {
      return value == null || value instanceof Object[] ? null : text(value);
    }
    if (type.isPrimitive()) {
      return primitive(value, type);
    }
    if (type.isArray() && value instanceof Object[]) {
      Object[] from = (Object[]) value;
      Object to = Array.newInstance(type.getComponentType(), from.length);
      for (int i = 0; i < from.length; i++) {
        Array.set(to, i, fit(from[i], type.getComponentType()));
      }
      return to;
    }
    return null;
  }

  /** A whole number has no point, as in a script. */
  private static String text(Object value) {
    double number = value instanceof Double ? (Double) value : Double.NaN;
    return number == Math.rint(number) && Math.abs(number) < 1e15 ? String.valueOf((long) number) : String.valueOf(value);
  }

  private static Object primitive(Object value, Class<?> type) {
    if (type == boolean.class) {
      return Boolean.TRUE.equals(value);
    }
    double number = value instanceof Double ? (Double) value : 0;
    if (type == int.class) {
      return (int) number;
    }
    if (type == long.class) {
      return (long) number;
    }
    if (type == float.class) {
      return (float) number;
    }
    if (type == double.class) {
      return number;
    }
    if (type == short.class) {
      return (short) number;
    }
    return type == byte.class ? (Object) (byte) number : (Object) (char) number;
  }

  /** Values that can be passed to a script; anything else is undefined there. */
  static Object plain(Object value) {
    boolean simple = value instanceof String || value instanceof Boolean || value instanceof Number;
    return simple ? value : value instanceof Character ? (Object) (double) (Character) value : null;
  }
}
