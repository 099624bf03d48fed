package droidtest.model;

import java.math.BigDecimal;
import java.nio.charset.Charset;

/**
 * What the expressions of a model mean: Python's operators on null, Boolean, Long, Double and String, with the bounds
 * that the sim device has (64 bits, texts of 64 KiB). A value that there is none of is an ArithmeticException.
 */
public final class Python {
  private static final int MAX_TEXT = 1 << 16;
  private static final long EXACT = 1L << 53;

  private Python() {}

  /** An operand that is evaluated only where the other one does not decide. */
  public interface Late {
    Object get();
  }

  public static boolean truth(Object a) {
    if (a instanceof Boolean) {
      return (Boolean) a;
    }
    if (a instanceof Long) {
      return (Long) a != 0;
    }
    if (a instanceof Double) {
      return (Double) a != 0;
    }
    return a instanceof String && !((String) a).isEmpty();
  }

  public static Object and(Object a, Late b) {
    return truth(a) ? b.get() : a;
  }

  public static Object or(Object a, Late b) {
    return truth(a) ? a : b.get();
  }

  public static Object not(Object a) {
    return !truth(a);
  }

  public static Object plus(Object a) {
    return number(a, "a sign");
  }

  public static Object minus(Object a) {
    Object number = number(a, "a sign");
    if (number instanceof Double) {
      return -(Double) number;
    }
    long whole = (Long) number;
    if (whole == Long.MIN_VALUE) {
      throw tooBig();
    }
    return -whole;
  }

  public static Object equal(Object a, Object b) {
    return same(a, b);
  }

  public static Object notEqual(Object a, Object b) {
    return !same(a, b);
  }

  public static Object less(Object a, Object b) {
    Integer order = order(a, b, "<");
    return order != null && order < 0;
  }

  public static Object lessEqual(Object a, Object b) {
    Integer order = order(a, b, "<=");
    return order != null && order <= 0;
  }

  public static Object greater(Object a, Object b) {
    Integer order = order(a, b, ">");
    return order != null && order > 0;
  }

  public static Object greaterEqual(Object a, Object b) {
    Integer order = order(a, b, ">=");
    return order != null && order >= 0;
  }

  public static Object bitAnd(Object a, Object b) {
    if (a instanceof Boolean && b instanceof Boolean) {
      return (Boolean) a & (Boolean) b;
    }
    return whole(a, b, "&") & (Long) number(b, "&");
  }

  public static Object bitOr(Object a, Object b) {
    if (a instanceof Boolean && b instanceof Boolean) {
      return (Boolean) a | (Boolean) b;
    }
    return whole(a, b, "|") | (Long) number(b, "|");
  }

  public static Object add(Object a, Object b) {
    if (a instanceof String && b instanceof String) {
      return bounded(size((String) a) + size((String) b), (String) a, (String) b);
    }
    if (floats(a, b, "+")) {
      return real(a) + real(b);
    }
    long x = (Long) number(a, "+");
    long y = (Long) number(b, "+");
    long sum = x + y;
    if (((x ^ sum) & (y ^ sum)) < 0) {
      throw tooBig();
    }
    return sum;
  }

  public static Object subtract(Object a, Object b) {
    if (floats(a, b, "-")) {
      return real(a) - real(b);
    }
    long x = (Long) number(a, "-");
    long y = (Long) number(b, "-");
    long difference = x - y;
    if (((x ^ y) & (x ^ difference)) < 0) {
      throw tooBig();
    }
    return difference;
  }

  public static Object multiply(Object a, Object b) {
    if (a instanceof String && (b instanceof Long || b instanceof Boolean)) {
      return repeated((String) a, (Long) number(b, "*"));
    }
    if (b instanceof String && (a instanceof Long || a instanceof Boolean)) {
      return repeated((String) b, (Long) number(a, "*"));
    }
    if (floats(a, b, "*")) {
      return real(a) * real(b);
    }
    long x = (Long) number(a, "*");
    long y = (Long) number(b, "*");
    long product = x * y;
    boolean overflow = x != 0 && (product / x != y || x == -1 && y == Long.MIN_VALUE);
    if (overflow) {
      throw tooBig();
    }
    return product;
  }

  public static Object divide(Object a, Object b) {
    boolean floats = floats(a, b, "/");
    nonzero(b);
    if (!floats) {
      long x = (Long) number(a, "/");
      long y = (Long) number(b, "/");
      if (x > EXACT || x < -EXACT || y > EXACT || y < -EXACT) {
        throw tooBig();
      }
      return (double) x / (double) y;
    }
    return real(a) / real(b);
  }

  public static Object floorDivide(Object a, Object b) {
    boolean floats = floats(a, b, "//");
    nonzero(b);
    if (floats) {
      return divmod(real(a), real(b))[0];
    }
    long x = (Long) number(a, "//");
    long y = (Long) number(b, "//");
    if (x == Long.MIN_VALUE && y == -1) {
      throw tooBig();
    }
    long rest = x % y;
    return x / y - (rest != 0 && rest < 0 != y < 0 ? 1 : 0);
  }

  public static Object modulo(Object a, Object b) {
    boolean floats = floats(a, b, "%");
    nonzero(b);
    if (floats) {
      return divmod(real(a), real(b))[1];
    }
    long y = (Long) number(b, "%");
    long rest = (Long) number(a, "%") % y;
    return rest != 0 && rest < 0 != y < 0 ? rest + y : rest;
  }

  /** Floored quotient and remainder with the divisor's sign, step by step as CPython computes them. */
  private static double[] divmod(double a, double b) {
    double remainder = a % b;
    double quotient = (a - remainder) / b;
    if (remainder == 0) {
      remainder = Math.copySign(0.0, b);
    } else if (b < 0 != remainder < 0) {
      remainder += b;
      quotient -= 1;
    }
    double floored = Math.copySign(0.0, a / b);
    if (quotient != 0) {
      floored = Math.floor(quotient);
      if (quotient - floored > 0.5) {
        floored += 1;
      }
    }
    return new double[] {floored, remainder};
  }

  private static boolean same(Object a, Object b) {
    if (a instanceof String || b instanceof String || a == null || b == null) {
      return a == null ? b == null : a.equals(b);
    }
    Integer order = numbers(a, b);
    return order != null && order == 0;
  }

  /** Null if a NaN is compared. */
  private static Integer order(Object a, Object b, String op) {
    if (a instanceof String && b instanceof String) {
      return codePoints((String) a, (String) b);
    }
    if (!isNumber(a) || !isNumber(b)) {
      throw types(op, a, b);
    }
    return numbers(a, b);
  }

  private static Integer numbers(Object a, Object b) {
    Object x = number(a, "");
    Object y = number(b, "");
    if (x instanceof Long && y instanceof Long) {
      return ((Long) x).compareTo((Long) y);
    }
    double left = real(a);
    double right = real(b);
    if (Double.isNaN(left) || Double.isNaN(right)) {
      return null;
    }
    boolean finite = !Double.isInfinite(left) && !Double.isInfinite(right);
    if (finite && (x instanceof Long || y instanceof Long)) {
      return exact(x).compareTo(exact(y));
    }
    return left == right ? 0 : left < right ? -1 : 1;
  }

  private static BigDecimal exact(Object number) {
    return number instanceof Long ? new BigDecimal((Long) number) : new BigDecimal((Double) number);
  }

  /** Java compares UTF-16 units, Python code points. */
  private static int codePoints(String a, String b) {
    int i = 0;
    while (i < a.length() && i < b.length()) {
      int left = a.codePointAt(i);
      int right = b.codePointAt(i);
      if (left != right) {
        return left < right ? -1 : 1;
      }
      i += Character.charCount(left);
    }
    return Integer.compare(a.length(), b.length());
  }

  private static boolean isNumber(Object a) {
    return a instanceof Boolean || a instanceof Long || a instanceof Double;
  }

  /** A Long or a Double; booleans count as 0 and 1. */
  private static Object number(Object a, String op) {
    if (a instanceof Boolean) {
      return (Boolean) a ? 1L : 0L;
    }
    if (a instanceof Long || a instanceof Double) {
      return a;
    }
    throw new ArithmeticException(op + " cannot be applied to " + kind(a));
  }

  private static double real(Object a) {
    return ((Number) number(a, "")).doubleValue();
  }

  private static boolean floats(Object a, Object b, String op) {
    if (!isNumber(a) || !isNumber(b)) {
      throw types(op, a, b);
    }
    return a instanceof Double || b instanceof Double;
  }

  private static long whole(Object a, Object b, String op) {
    if (floats(a, b, op)) {
      throw types(op, a, b);
    }
    return (Long) number(a, op);
  }

  private static void nonzero(Object b) {
    if (real(b) == 0) {
      throw new ArithmeticException("division by zero");
    }
  }

  private static Object repeated(String text, long times) {
    long many = Math.max(0, times);
    if (text.isEmpty() || many == 0) {
      return "";
    }
    if (many > MAX_TEXT || many * size(text) > MAX_TEXT) {
      throw tooLong();
    }
    StringBuilder all = new StringBuilder();
    for (long i = 0; i < many; i++) {
      all.append(text);
    }
    return all.toString();
  }

  private static Object bounded(long size, String a, String b) {
    if (size > MAX_TEXT) {
      throw tooLong();
    }
    return a + b;
  }

  private static long size(String text) {
    return text.getBytes(Charset.forName("UTF-8")).length;
  }

  private static ArithmeticException types(String op, Object a, Object b) {
    return new ArithmeticException(op + " cannot be applied to " + kind(a) + " and " + kind(b));
  }

  private static String kind(Object a) {
    return a == null ? "None" : a.getClass().getSimpleName();
  }

  private static ArithmeticException tooBig() {
    return new ArithmeticException("a number that does not fit in 64 bits");
  }

  private static ArithmeticException tooLong() {
    return new ArithmeticException("a text of more than 64 KiB");
  }
}
