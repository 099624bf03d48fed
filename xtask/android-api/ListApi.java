import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.zip.GZIPInputStream;
import org.codehaus.mojo.animal_sniffer.Clazz;

/**
 * Prints Java's part of an Android version: a line for each package, and below it a line for each of its classes with
 * the names of the fields and methods that the class itself declares.
 *
 * <p>Usage: {@code ListApi SIGNATURES}, a file of animal-sniffer's format.
 */
final class ListApi {
  /** Where the packages of Java's modules begin; all else in an Android version is the framework's. */
  private static final String[] JAVA = {"java/", "javax/", "org/w3c/dom/", "org/xml/sax/"};

  private ListApi() {}

  public static void main(String[] args) throws IOException, ClassNotFoundException {
    Map<String, Map<String, TreeSet<String>>> packages = new TreeMap<>();
    try (InputStream file = new GZIPInputStream(new BufferedInputStream(new FileInputStream(args[0])));
        ObjectInputStream in = new ObjectInputStream(file)) {
      for (Clazz each = next(in); each != null; each = next(in)) {
        String name = each.getName();
        if (isJava(name)) {
          int slash = name.lastIndexOf('/');
          packages
              .computeIfAbsent(name.substring(0, slash).replace('/', '.'), none -> new TreeMap<>())
              .computeIfAbsent(name.substring(slash + 1), none -> new TreeSet<>())
              .addAll(names(each));
        }
      }
    }
    StringBuilder out = new StringBuilder();
    packages.forEach((name, classes) -> {
      out.append("package ").append(name).append('\n');
      classes.forEach((type, members) -> {
        out.append(type);
        members.forEach(member -> out.append(' ').append(member));
        out.append('\n');
      });
    });
    System.out.print(out);
  }

  private static Clazz next(ObjectInputStream in) throws IOException, ClassNotFoundException {
    try {
      return (Clazz) in.readObject();
    } catch (EOFException end) {
      return null;
    }
  }

  private static boolean isJava(String name) {
    for (String prefix : JAVA) {
      if (name.startsWith(prefix)) {
        // OpenGL for Java is a part of Android's framework.
        return !name.startsWith("javax/microedition/");
      }
    }
    return false;
  }

  /** Signatures are {@code name(descriptor)result} and {@code name#type}. */
  private static TreeSet<String> names(Clazz of) {
    TreeSet<String> names = new TreeSet<>();
    for (String signature : of.getSignatures()) {
      String name = signature.split("[(#]", 2)[0];
      if (!name.startsWith("<")) {
        names.add(name);
      }
    }
    return names;
  }
}
