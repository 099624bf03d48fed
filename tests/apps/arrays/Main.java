package arrays;

import java.util.Arrays;

/** Initialized arrays: large ones, ones that are used several times, and ones that a loop changes; prints their contents. */
public class Main {
  static int[] shared;
  static int uses;

  static int[] once() {
    return new int[] {/*I*/};
  }

  static int hash(Object array) {
    uses++;
    if (array instanceof byte[]) {
      return Arrays.hashCode((byte[]) array);
    }
    if (array instanceof short[]) {
      return Arrays.hashCode((short[]) array);
    }
    if (array instanceof char[]) {
      return Arrays.hashCode((char[]) array);
    }
    if (array instanceof int[]) {
      return Arrays.hashCode((int[]) array);
    }
    if (array instanceof long[]) {
      return Arrays.hashCode((long[]) array);
    }
    if (array instanceof float[]) {
      return Arrays.hashCode((float[]) array);
    }
    if (array instanceof double[]) {
      return Arrays.hashCode((double[]) array);
    }
    if (array instanceof boolean[]) {
      return Arrays.hashCode((boolean[]) array);
    }
    return Arrays.deepHashCode((Object[]) array);
  }

  static int bytes() {
    byte[] a = {/*B*/};
    return hash(a) + a[3];
  }

  static int shorts() {
    short[] a = {/*S*/};
    return hash(a) + a[3];
  }

  static int chars() {
    char[] a = {/*C*/};
    return hash(a) + a[3];
  }

  static int ints() {
    int[] a = {/*I*/};
    return hash(a) + a[3];
  }

  static int longs() {
    long[] a = {/*J*/};
    return hash(a) + (int) a[3];
  }

  static int floats() {
    float[] a = {/*F*/};
    return hash(a) + (int) a[3];
  }

  static int doubles() {
    double[] a = {/*D*/};
    return hash(a) + (int) a[3];
  }

  static int booleans() {
    boolean[] a = {/*Z*/};
    return hash(a) + (a[3] ? 1 : 0);
  }

  static int strings() {
    String[] a = {"a", "b", "c", "d", "e", "f", "g"};
    return hash(a) + a[3].length();
  }

  static void bump(int[] a) {
    a[0]++;
    shared = a;
  }

  /** One array for all rounds. */
  static int counted(int rounds) {
    int[] counter = {5, 6};
    for (int i = 0; i < rounds; i++) {
      bump(counter);
    }
    return shared[0];
  }

  static int countedStrings(int rounds) {
    String[] names = {"x", "y", "z"};
    for (int i = 0; i < rounds; i++) {
      note(names);
    }
    return last[0].length();
  }

  static String[] last;

  static void note(String[] names) {
    names[0] += "!";
    last = names;
  }

  static int[] half(boolean full) {
    int[] a = new int[] {1, 2, 3};
    if (full) {
      a[1] = 7;
    }
    return a;
  }

  static int[] refilled(int rounds) {
    int[] sum = new int[2];
    for (int i = 0; i < rounds; i++) {
      int[] a = {i, i + 1, 4};
      bump(a);
      sum[0] += a[0];
      sum[1] += shared[1];
    }
    return sum;
  }

  /** The array is there before the call, and its elements are those of that moment. */
  static int order() {
    int before = uses;
    int[] a = {uses, hash(new int[] {1}), uses};
    return a[2] - a[0] + (before - a[0]);
  }

  static String stored() {
    Object[] a = new Integer[1];
    Object o = "text";
    try {
      a[0] = o;
      return Arrays.toString(a);
    } catch (ArrayStoreException e) {
      return "refused";
    }
  }

  static String outOfRange() {
    try {
      int[] a = new int[1];
      a[1] = 3;
      return Arrays.toString(a);
    } catch (ArrayIndexOutOfBoundsException e) {
      return "refused";
    }
  }

  static String below() {
    try {
      int[] a = new int[1];
      a[-1] = 3;
      return Arrays.toString(a);
    } catch (ArrayIndexOutOfBoundsException e) {
      return "refused";
    }
  }

  public static void main(String[] args) {
    System.out.println("once " + hash(once()));
    System.out.println("bytes " + bytes());
    System.out.println("shorts " + shorts());
    System.out.println("chars " + chars());
    System.out.println("ints " + ints());
    System.out.println("longs " + longs());
    System.out.println("floats " + floats());
    System.out.println("doubles " + doubles());
    System.out.println("booleans " + booleans());
    System.out.println("strings " + strings());
    System.out.println("counted " + counted(3));
    System.out.println("countedStrings " + countedStrings(3));
    System.out.println("half " + Arrays.toString(half(true)) + Arrays.toString(half(false)));
    System.out.println("refilled " + Arrays.toString(refilled(3)));
    System.out.println("order " + order());
    System.out.println("stored " + stored());
    System.out.println("outOfRange " + outOfRange());
    System.out.println("below " + below());
    System.out.println("table " + hash(Table.rows()));
  }
}
