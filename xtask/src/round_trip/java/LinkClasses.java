import java.io.File;
import java.io.IOException;
import java.util.List;
import java.util.stream.Collectors;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * Loads and verifies every class of jars on the class path, initialising none, and prints a line for each that the
 * JVM rejects: {@code CLASS<tab>ERROR}. The last line is {@code end<tab>COUNT}.
 *
 * <p>Usage: {@code LinkClasses A.jar[:B.jar..]}.
 */
public final class LinkClasses {
  private LinkClasses() {}

  public static void main(String[] args) throws IOException {
    int count = 0;
    for (String jar : args[0].split(File.pathSeparator)) {
      for (String name : names(jar)) {
        count++;
        try {
          // Reading the members links the class, which runs the verifier.
          Class.forName(name, false, LinkClasses.class.getClassLoader()).getDeclaredMethods();
        } catch (Throwable e) {
          String text = String.valueOf(e.getMessage()).replaceAll("\\s+", " ");
          System.out.println(name + "\t" + e.getClass().getSimpleName() + ": " + text);
        }
      }
    }
    System.out.println("end\t" + count);
    Runtime.getRuntime().halt(0);
  }

  private static List<String> names(String jar) throws IOException {
    try (ZipFile file = new ZipFile(jar)) {
      return file.stream()
          .map(ZipEntry::getName)
          .filter(n -> n.endsWith(".class") && !n.startsWith("META-INF/") && !n.endsWith("module-info.class"))
          .map(n -> n.substring(0, n.length() - 6).replace('/', '.'))
          .collect(Collectors.toList());
    }
  }
}
