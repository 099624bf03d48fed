package droidtest.host;

import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Whose objects fill the heap, when it is full: by the JVM's own histogram of classes. Arrays, texts and collections are
 * Java's, whoever holds them, so the largest classes are named as well.
 */
public final class HeapOwners {
  /** What the histogram itself needs, given back when memory has run out. */
  private static final int RESERVE = 16 << 20;
  /** Classes that are named. */
  private static final int NAMED = 5;
  /** Lines of the histogram that are read; the rest is small. */
  private static final int READ = 2_000;
  /** Number, instances, bytes, class and, of Java's, its module. */
  private static final Pattern LINE = Pattern.compile("\\s*\\d+:\\s+(\\d+)\\s+(\\d+)\\s+(\\S+).*");

  private static byte[] reserve = new byte[RESERVE];

  private HeapOwners() {}

  /** Prepares what cannot be loaded any more when memory has run out. */
  static void prepare() {
    owner("a.B", null);
  }

  /**
   * For a report, one line; null where the JVM does not answer.
   *
   * @param loader the app's, null before it is known
   */
  public static String describe(AppClassLoader loader) {
    reserve = null;
    try {
      return describe(histogram(), loader);
    } catch (ReflectiveOperationException | RuntimeException | LinkageError | OutOfMemoryError e) {
      System.err.println("no histogram of the heap:");
      e.printStackTrace();
      return null;
    }
  }

  /** By the class behind Java's management bean: the bean itself needs too much memory, and other services of Java. */
  private static String histogram() throws ReflectiveOperationException {
    // Loads the library that the next class's native method is in.
    Class.forName("com.sun.management.internal.PlatformMBeanProviderImpl");
    Class<?> commands = Class.forName("com.sun.management.internal.DiagnosticCommandImpl");
    Constructor<?> constructor = commands.getDeclaredConstructors()[0];
    constructor.setAccessible(true);
    Method execute = commands.getDeclaredMethod("executeDiagnosticCommand", String.class);
    execute.setAccessible(true);
    Field machine = Class.forName("sun.management.ManagementFactoryHelper").getDeclaredField("jvm");
    machine.setAccessible(true);
    return (String) execute.invoke(constructor.newInstance(machine.get(null)), "GC.class_histogram");
  }

  static String describe(String histogram, AppClassLoader loader) {
    long[] bytes = new long[Owner.values().length];
    List<String> largest = new ArrayList<>();
    Matcher line = LINE.matcher("");
    int from = 0;
    for (int read = 0; read < READ; read++) {
      int to = histogram.indexOf('\n', from);
      if (to < 0) {
        break;
      }
      if (line.reset(histogram.substring(from, to)).matches()) {
        long size = Long.parseLong(line.group(2));
        bytes[owner(line.group(3), loader).ordinal()] += size;
        if (largest.size() < NAMED) {
          largest.add(megabytes(size) + " in " + line.group(1) + " " + readable(line.group(3)));
        }
      }
      from = to + 1;
    }
    StringBuilder out = new StringBuilder("memory at the end:");
    for (Owner owner : Owner.values()) {
      out.append(owner.ordinal() == 0 ? " " : ", ").append(megabytes(bytes[owner.ordinal()])).append(' ').append(owner.words);
    }
    return out.append("; the largest: ").append(String.join(", ", largest)).toString();
  }

  /** Who wrote a class. */
  private enum Owner {
    APP("in objects of the app"),
    ANDROID("of Android"),
    DEVICE("of this device"),
    JAVA("of Java (arrays, texts, collections)");

    final String words;

    Owner(String words) {
      this.words = words;
    }
  }

  private static Owner owner(String type, AppClassLoader loader) {
    if (type.startsWith("[L")) {
      return owner(type.substring(2), loader);
    } else if (loader != null && loader.owns(type)) {
      return Owner.APP;
    } else if (type.startsWith("android.") || type.startsWith("com.android.") || type.startsWith("libcore.")) {
      return Owner.ANDROID;
    } else if (type.startsWith("org.robolectric.") || type.startsWith("droidtest.") || type.startsWith("org.htmlunit.")) {
      return Owner.DEVICE;
    }
    return Owner.JAVA;
  }

  private static String readable(String type) {
    switch (type) {
      case "[B":
        return "byte[]";
      case "[I":
        return "int[]";
      case "[C":
        return "char[]";
      case "[J":
        return "long[]";
      default:
        return type.startsWith("[L") ? type.substring(2, type.length() - 1) + "[]" : type;
    }
  }

  private static String megabytes(long bytes) {
    return String.format(Locale.ROOT, "%.1f MB", bytes / 1048576.0);
  }
}
