import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * Compares the class files of jars: how many, how many bytes, and the length of all code arrays, in all and over the
 * methods that both sides have (a shrinker or a desugaring adds and removes methods): {@code common}, and {@code
 * bodies} for those that are not class initializers.
 *
 * <p>Usage: {@code Measure ORIGINAL.jar[:..] TRANSLATED.jar[:..] [LARGEST]}; prints one line of JSON, then the LARGEST
 * methods by growth.
 */
public final class Measure {
  private final Map<String, Integer> code = new HashMap<>();
  private int classes;
  private long bytes;

  private Measure() {}

  public static void main(String[] args) throws IOException {
    Measure original = jars(args[0]);
    Measure translated = jars(args[1]);
    System.out.printf(
        "{\"original\":%s,\"translated\":%s,\"common\":%s,\"bodies\":%s}%n",
        original.json(), translated.json(), common(original, translated, true), common(original, translated, false));
    if (args.length > 2) {
      largest(original, translated, Integer.parseInt(args[2]));
    }
  }

  /** The code of the methods that both have; without initializers, tables of constants do not hide all else. */
  private static String common(Measure original, Measure translated, boolean initializers) {
    long before = 0;
    long after = 0;
    int methods = 0;
    for (Map.Entry<String, Integer> method : translated.code.entrySet()) {
      Integer was = original.code.get(method.getKey());
      if (was != null && (initializers || !method.getKey().endsWith(".<clinit>()V"))) {
        methods++;
        before += was;
        after += method.getValue();
      }
    }
    return String.format("{\"methods\":%d,\"original_code\":%d,\"translated_code\":%d}", methods, before, after);
  }

  private static void largest(Measure original, Measure translated, int count) {
    translated.code.keySet().stream()
        .filter(original.code::containsKey)
        .sorted((a, b) -> Integer.compare(original.code.get(a) - translated.code.get(a), original.code.get(b) - translated.code.get(b)))
        .limit(count)
        .forEach(m -> System.out.println(original.code.get(m) + " -> " + translated.code.get(m) + "  " + m));
  }

  private String json() {
    long sum = code.values().stream().mapToLong(Integer::longValue).sum();
    return String.format("{\"classes\":%d,\"bytes\":%d,\"methods\":%d,\"code\":%d}", classes, bytes, code.size(), sum);
  }

  private static Measure jars(String path) throws IOException {
    Measure sum = new Measure();
    for (String jar : path.split(":")) {
      try (ZipFile file = new ZipFile(jar)) {
        for (ZipEntry entry : file.stream().collect(Collectors.toList())) {
          // Neither versions for other Javas nor module descriptors are translated.
          boolean counts = entry.getName().endsWith(".class") && !entry.getName().startsWith("META-INF/");
          if (counts && !entry.getName().endsWith("module-info.class")) {
            sum.read(file.getInputStream(entry).readAllBytes());
          }
        }
      }
    }
    return sum;
  }

  private void read(byte[] file) {
    ClassFile read;
    try {
      read = ClassFile.read(file);
    } catch (IOException | RuntimeException e) {
      // Tests of tools have broken class files as data.
      return;
    }
    classes++;
    bytes += file.length;
    read.code.forEach((method, length) -> code.put(read.name + "." + method, length));
  }
}
