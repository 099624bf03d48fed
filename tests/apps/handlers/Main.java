package handlers;
/**
 * Exceptions that a handler of the same method catches, one method for each kind of instruction that throws. Prints
 * for each what its handler returned; an exception that leaves the method is printed by its name.
 */
public class Main {
  static int calls;
  int field;
  interface Case {
    Object run();
  }
  static int load(int[] a, int i) {
    try {
      return a[i] == 7 ? 1 : 2;
    } catch (ArrayIndexOutOfBoundsException e) {
      return -1;
    }
  }
  static int loadUnused(int[] a, int i) {
    try {
      int v = a[i];
    } catch (ArrayIndexOutOfBoundsException e) {
      return -1;
    }
    return 0;
  }
  static long loadObject(String[] a, int i) {
    try {
      return a[i].length();
    } catch (IndexOutOfBoundsException e) {
      return -1;
    }
  }
  static int loadNull(byte[] a) {
    try {
      return a[0] + 1;
    } catch (NullPointerException e) {
      return -1;
    }
  }
  static int loadSwitch(int[] a, int i) {
    try {
      switch (a[i]) {
        case 1:
          return 1;
        case 5:
          return 5;
        default:
          return 2;
      }
    } catch (ArrayIndexOutOfBoundsException e) {
      return -1;
    }
  }
  static long storeLong(long[] a, int i) {
    try {
      a[i] = a[i + 1];
      return 1;
    } catch (ArrayIndexOutOfBoundsException e) {
      return -1;
    }
  }
  static int store(boolean[] a, int i) {
    try {
      a[i] = true;
    } catch (RuntimeException e) {
      return -1;
    }
    return 0;
  }
  static int storeWrongKind(Object[] a) {
    try {
      a[0] = "text";
    } catch (ArrayStoreException e) {
      return -1;
    }
    return 0;
  }
  /** The handler sees the value of the moment at which the access failed. */
  static int progress(int[] a, int i) {
    int reached = 0;
    int sum = 0;
    try {
      sum += a[i];
      reached = 1;
      sum += a[i + 1];
      reached = 2;
      sum += a[i + 2];
      reached = 3;
    } catch (ArrayIndexOutOfBoundsException e) {
      return reached * 100 + sum;
    } finally {
      calls += 1000;
    }
    return -sum;
  }
  static int loop(int[] a) {
    int n = 0;
    try {
      while (true) {
        a[n] = n * n;
        n++;
      }
    } catch (ArrayIndexOutOfBoundsException e) {
      return n;
    }
  }
  static int nested(int[] a, int i) {
    try {
      try {
        return a[i];
      } catch (NullPointerException e) {
        return -2;
      }
    } catch (ArrayIndexOutOfBoundsException e) {
      return -1;
    }
  }
  static int mixed(int[] a, int i) {
    try {
      int v = call(a[i]) + a[i + 1];
      return v;
    } catch (ArrayIndexOutOfBoundsException e) {
      return -calls;
    }
  }
  static int call(int v) {
    calls++;
    return v;
  }
  static int divide(int x, int y) {
    try {
      return x / y == 7 ? 1 : 2;
    } catch (ArithmeticException e) {
      return -1;
    }
  }
  static int remainder(int x, int y) {
    try {
      return x % y == 7 ? 1 : 2;
    } catch (ArithmeticException e) {
      return -1;
    }
  }
  static long remainderLong(long x, long y) {
    try {
      return x % y;
    } catch (ArithmeticException e) {
      return -1;
    }
  }
  static int remainderUnused(int x, int y) {
    try {
      int unused = x % y;
    } catch (ArithmeticException e) {
      return -1;
    }
    return 0;
  }
  /** The remainder is computed before the call, although its value is used after it. */
  static int remainderFirst(int x, int y) {
    int before = calls;
    try {
      int v = x % y;
      call(1);
      return v;
    } catch (ArithmeticException e) {
      return before - calls - 1;
    }
  }
  static int remainderOutside(int x, int y) {
    int v;
    try {
      v = x % y;
    } catch (ArithmeticException e) {
      return -1;
    }
    return v + 1;
  }
  /** What a handler that does nothing leaves as it was. */
  static String remainderState(int x, int y) {
    int state = 1;
    int v = 0;
    try {
      v = x % 5;
      state = 2;
      v = x % y;
      state = 3;
    } catch (ArithmeticException e) {
    }
    return state + "/" + v;
  }
  static float remainderFloat(float x, float y) {
    try {
      return call(3) + x % y;
    } catch (ArithmeticException e) {
      return -1;
    }
  }
  static int cast(Object o) {
    try {
      return ((String) o).isEmpty() ? 1 : 2;
    } catch (ClassCastException e) {
      return -1;
    }
  }
  static int castUnused(Object o) {
    try {
      Integer i = (Integer) o;
      return 3;
    } catch (ClassCastException e) {
      return -1;
    }
  }
  static int length(int[] a) {
    try {
      return a.length == 7 ? 1 : 2;
    } catch (NullPointerException e) {
      return -1;
    }
  }
  static int read(Main m) {
    try {
      return m.field == 7 ? 1 : 2;
    } catch (NullPointerException e) {
      return -1;
    }
  }
  static int write(Main m) {
    try {
      m.field = 7;
    } catch (NullPointerException e) {
      return -1;
    }
    return 0;
  }
  static class Broken {
    static int value = Integer.parseInt("none");
    int one;
  }
  static class BrokenToo {
    static int value = Integer.parseInt("none");
    int one;
  }
  static int readStatic() {
    try {
      return Broken.value;
    } catch (ExceptionInInitializerError e) {
      return -1;
    }
  }
  static int make() {
    try {
      return new BrokenToo().one;
    } catch (LinkageError e) {
      return -1;
    }
  }
  static int newArray(int n) {
    try {
      return new byte[n].length;
    } catch (NegativeArraySizeException e) {
      return -1;
    }
  }
  static int newArrays(int n) {
    try {
      return new int[2][n].length;
    } catch (NegativeArraySizeException e) {
      return -1;
    }
  }
  static int filled(Object[] to, int i) {
    try {
      to[i] = new int[] {1, 2, 3, 4, 5, 6};
      return 0;
    } catch (ArrayIndexOutOfBoundsException e) {
      return -1;
    }
  }
  static int lock(Object o) {
    try {
      synchronized (o) {
        return 1;
      }
    } catch (NullPointerException e) {
      return -1;
    }
  }
  static int lockAround(Object lock, int[] a, int i) {
    try {
      synchronized (lock) {
        return a[i];
      }
    } catch (ArrayIndexOutOfBoundsException e) {
      return Thread.holdsLock(lock) ? -2 : -1;
    }
  }
  static String invoke(int i) {
    try {
      return "a".substring(i);
    } catch (StringIndexOutOfBoundsException e) {
      return "x";
    }
  }
  static int box(Integer i) {
    try {
      return i + 1;
    } catch (NullPointerException e) {
      return -1;
    }
  }
  static int raise(RuntimeException e) {
    try {
      throw e;
    } catch (NullPointerException caught) {
      return -1;
    }
  }
  /** A class that is not there: {@code classes.dex} leaves it out. */
  static class Absent {}
  static int constantClass(Object o) {
    try {
      return o == Absent.class ? 1 : 0;
    } catch (NoClassDefFoundError e) {
      return -1;
    }
  }
  static String constantState() {
    Class<?> one = null;
    Class<?> two = null;
    try {
      one = Main.class;
      two = Absent.class;
    } catch (NoClassDefFoundError e) {
    }
    return (one == null) + "/" + (two == null);
  }
  static int instance(Object o) {
    try {
      return o instanceof Absent ? 1 : 0;
    } catch (NoClassDefFoundError e) {
      return -1;
    }
  }
  static void print(String name, Case what) {
    Object said;
    try {
      said = what.run();
    } catch (Throwable e) {
      said = e.getClass().getSimpleName();
    }
    System.out.println(name + " " + said);
  }
  public static void main(String[] args) {
    int[] two = new int[2];
    print("load", () -> load(two, 5));
    print("loadUnused", () -> loadUnused(two, 5));
    print("loadObject", () -> loadObject(new String[1], 1));
    print("loadNull", () -> loadNull(null));
    print("loadSwitch", () -> loadSwitch(two, 5));
    print("storeLong", () -> storeLong(new long[1], 0));
    print("store", () -> store(new boolean[1], 1));
    print("storeWrongKind", () -> storeWrongKind(new Integer[1]));
    print("progress", () -> progress(new int[] {3, 4}, 0));
    print("progress", () -> progress(new int[] {3, 4}, 1));
    print("progress", () -> progress(new int[] {3, 4}, 2));
    print("finally", () -> calls);
    calls = 0;
    print("loop", () -> loop(new int[4]));
    print("nested", () -> nested(two, 2));
    print("mixed", () -> mixed(two, 1));
    print("divide", () -> divide(3, 0));
    print("remainder", () -> remainder(3, 0));
    print("remainderLong", () -> remainderLong(3, 0));
    print("remainderUnused", () -> remainderUnused(3, 0));
    print("remainderFirst", () -> remainderFirst(3, 0));
    print("remainderOutside", () -> remainderOutside(3, 0));
    print("remainderState", () -> remainderState(8, 0));
    print("remainderFloat", () -> remainderFloat(3, 2));
    print("cast", () -> cast(5));
    print("castUnused", () -> castUnused("s"));
    print("length", () -> length(null));
    print("read", () -> read(null));
    print("write", () -> write(null));
    print("readStatic", () -> readStatic());
    print("make", () -> make());
    print("newArray", () -> newArray(-1));
    print("newArrays", () -> newArrays(-1));
    print("filled", () -> filled(new Object[1], 1));
    print("lock", () -> lock(null));
    print("lockAround", () -> lockAround(two, two, 2));
    print("invoke", () -> invoke(9));
    print("box", () -> box(null));
    print("raise", () -> raise(new NullPointerException()));
    print("constantClass", () -> constantClass("text"));
    print("constantState", () -> constantState());
    print("instance", () -> instance("text"));
  }
}
