import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/**
 * Makes the jars that a library runs from, before and after its translation.
 *
 * <ul>
 *   <li>{@code Jars platform OUT.jar}: the classes of the running Java, for a translator that reads class paths of jars.
 *   <li>{@code Jars divide IN.jar ORIGINAL.jar CODE.jar DATA}: a published jar without signatures and without versions for
 *       other Javas; the same with only those class files that can become dex. Tests of tools have class files as data:
 *       broken ones, and those that match the regular expression DATA.
 *   <li>{@code Jars repack CLASSES.jar RESOURCES.jar CODE.jar NAMES.jar with|without OUT.jar}: the classes of CLASSES that
 *       NAMES has, or those it does not have ({@code -} has none), and all of RESOURCES but the classes of CODE.
 *   <li>{@code Jars merge OUT.jar IN.jar..}: the classes of all.
 *   <li>{@code Jars resources IN.jar FOLDER}: what is not a class, as files; {@code Jars files} the same with classes;
 *       {@code Jars dex} the dex files.
 * </ul>
 */
public final class Jars {
  private static final String DEX = "classes\\d*\\.dex";
  private static final String SIGNATURE = "META-INF/[^/]*\\.(SF|RSA|DSA|EC)";

  private Jars() {}

  public static void main(String[] args) throws IOException {
    switch (args[0]) {
      case "platform":
        platform(Path.of(args[1]));
        break;
      case "divide":
        divide(args[1], Path.of(args[2]), Path.of(args[3]), args[4]);
        break;
      case "repack":
        repack(args[1], args[2], names(args[3]), names(args[4]), args[5].equals("with"), Path.of(args[6]));
        break;
      case "merge":
        merge(Path.of(args[1]), Arrays.asList(args).subList(2, args.length));
        break;
      case "resources":
        extract(args[1], Path.of(args[2]), name -> !name.endsWith(".class"));
        break;
      case "files":
        extract(args[1], Path.of(args[2]), name -> true);
        break;
      case "dex":
        extract(args[1], Path.of(args[2]), name -> name.matches(DEX));
        break;
      default:
        throw new IllegalArgumentException(args[0]);
    }
  }

  private static void platform(Path to) throws IOException {
    Path modules = FileSystems.getFileSystem(URI.create("jrt:/")).getPath("/modules");
    try (ZipOutputStream out = open(to);
        Stream<Path> all = Files.walk(modules)) {
      for (Path file : all.filter(Jars::isPlatformClass).collect(Collectors.toList())) {
        put(out, file.subpath(2, file.getNameCount()).toString(), Files.readAllBytes(file));
      }
    }
  }

  private static boolean isPlatformClass(Path file) {
    String name = file.toString();
    boolean module = name.startsWith("/modules/java.") || name.startsWith("/modules/jdk.");
    return module && name.endsWith(".class") && !name.endsWith("module-info.class");
  }

  private static void divide(String from, Path original, Path code, String data) throws IOException {
    try (ZipFile file = new ZipFile(from);
        ZipOutputStream all = open(original);
        ZipOutputStream some = open(code)) {
      for (ZipEntry entry : list(file)) {
        String name = entry.getName();
        if (entry.isDirectory() || name.matches(SIGNATURE) || name.startsWith("META-INF/versions/")) {
          continue;
        }
        byte[] bytes = read(file, entry);
        put(all, name, bytes);
        if (!name.endsWith(".class") || !name.matches(data) && isCode(name, bytes)) {
          put(some, name, bytes);
        }
      }
    }
  }

  /** Whether this is a class that can be loaded by its place in the jar. */
  private static boolean isCode(String name, byte[] bytes) {
    if (name.startsWith("META-INF/") || name.endsWith("module-info.class") || name.indexOf(' ') >= 0) {
      return false;
    }
    try {
      return name.equals(ClassFile.read(bytes).name + ".class");
    } catch (IOException | RuntimeException e) {
      return false;
    }
  }

  private static void repack(
      String classes, String resources, Set<String> code, Set<String> known, boolean with, Path to) throws IOException {
    Set<String> written = new HashSet<>();
    try (ZipOutputStream out = open(to);
        ZipFile from = new ZipFile(resources);
        ZipFile translated = new ZipFile(classes)) {
      for (ZipEntry entry : list(from)) {
        String name = entry.getName();
        boolean isClass = name.endsWith(".class") && code.contains(name);
        if (!entry.isDirectory() && !isClass && !name.matches(DEX) && written.add(name)) {
          put(out, name, read(from, entry));
        }
      }
      for (ZipEntry entry : list(translated)) {
        String name = entry.getName();
        if (name.endsWith(".class") && known.contains(name) == with && written.add(name)) {
          put(out, name, read(translated, entry));
        }
      }
    }
  }

  private static void merge(Path to, List<String> jars) throws IOException {
    Set<String> written = new HashSet<>();
    try (ZipOutputStream out = open(to)) {
      for (String jar : jars) {
        try (ZipFile file = new ZipFile(jar)) {
          for (ZipEntry entry : list(file)) {
            if (entry.getName().endsWith(".class") && written.add(entry.getName())) {
              put(out, entry.getName(), read(file, entry));
            }
          }
        }
      }
    }
  }

  private static void extract(String from, Path to, Predicate<String> wanted) throws IOException {
    try (ZipFile file = new ZipFile(from)) {
      for (ZipEntry entry : list(file)) {
        Path target = to.resolve(entry.getName()).normalize();
        if (!entry.isDirectory() && wanted.test(entry.getName()) && target.startsWith(to)) {
          Files.createDirectories(target.getParent());
          Files.write(target, read(file, entry));
        }
      }
    }
  }

  private static Set<String> names(String jar) throws IOException {
    Set<String> names = new HashSet<>();
    if (!jar.equals("-")) {
      try (ZipFile file = new ZipFile(jar)) {
        file.stream().map(ZipEntry::getName).forEach(names::add);
      }
    }
    return names;
  }

  private static List<ZipEntry> list(ZipFile file) {
    return file.stream().collect(Collectors.toList());
  }

  private static ZipOutputStream open(Path to) throws IOException {
    ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(to));
    out.setLevel(1);
    return out;
  }

  private static byte[] read(ZipFile file, ZipEntry entry) throws IOException {
    try (InputStream in = file.getInputStream(entry)) {
      return in.readAllBytes();
    }
  }

  private static void put(ZipOutputStream out, String name, byte[] bytes) throws IOException {
    ZipEntry entry = new ZipEntry(name);
    entry.setTime(0);
    out.putNextEntry(entry);
    out.write(bytes);
    out.closeEntry();
  }
}
