package droidtest.tool;

import droidtest.host.AppClassLoader;
import droidtest.host.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * Has the JVM's verifier judge every class of a translated app, loaded as the device loads it, and resolves what
 * its instructions name. Writes one JSON object.
 *
 * <p>Usage: {@code Verify OUT FILE}, with the folder of a translation, and the device's class path.
 */
public final class Verify {
  private static final Pattern LOCATION = Pattern.compile("Location:\\s+(\\S+?)\\.([^.\\s(]+)(\\(\\S*\\)\\S+) @");
  private static final int MOST_EXAMPLES = 50;

  private final Path jar;
  /** Class files with failing methods replaced, so that the next one shows. */
  private final Map<String, byte[]> replaced = new HashMap<>();
  private final Map<String, List<String>> failing = new TreeMap<>();
  private int unavailable;

  private Verify(Path jar) {
    this.jar = jar;
  }

  public static void main(String[] args) throws IOException {
    Path out = Path.of(args[0]);
    Verify verify = new Verify(out.resolve("app.jar"));
    List<String> names = verify.load();
    Linkage linkage = link(out.resolve("original.jar"));
    Map<String, Object> summary = new LinkedHashMap<>();
    summary.put("classes", names.size());
    summary.put("failing_methods", total(verify.failing));
    summary.put("failing", examples(verify.failing));
    summary.put("broken_sites", total(linkage.broken));
    summary.put("broken", examples(linkage.broken));
    summary.put("missing", new TreeMap<>(linkage.missing));
    summary.put("without_parents", verify.unavailable);
    Files.writeString(Path.of(args[1]), Json.write(summary) + "\n");
    System.exit(0);
  }

  private static int total(Map<String, List<String>> all) {
    return all.values().stream().mapToInt(List::size).sum();
  }

  private static Map<String, Object> examples(Map<String, List<String>> all) {
    Map<String, Object> out = new TreeMap<>();
    all.forEach(
        (cause, sites) -> {
          Map<String, Object> one = new LinkedHashMap<>();
          one.put("count", sites.size());
          one.put("sites", sites.subList(0, Math.min(MOST_EXAMPLES, sites.size())));
          out.put(cause, one);
        });
    return out;
  }

  private final class Loader extends AppClassLoader {
    Loader() throws IOException {
      super(jar, Verify.class.getClassLoader());
    }

    @Override
    protected byte[] read(String name) throws IOException {
      byte[] bytes = replaced.get(name);
      return bytes == null ? super.read(name) : bytes;
    }
  }

  private List<String> load() throws IOException {
    List<String> names = new ArrayList<>();
    try (JarFile file = new JarFile(jar.toFile())) {
      for (Enumeration<JarEntry> entries = file.entries(); entries.hasMoreElements(); ) {
        String name = entries.nextElement().getName();
        if (name.endsWith(".class")) {
          names.add(name.substring(0, name.length() - ".class".length()).replace('/', '.'));
        }
      }
    }
    Loader loader = new Loader();
    for (String name : names) {
      Loader tries = loader;
      // Each round replaces one more failing method of this class.
      while (loader.owns(name) && !links(tries, name)) {
        tries = new Loader();
      }
    }
    return names;
  }

  /** Links a class; false if a failing method was found and replaced, so that it can be tried again. */
  private boolean links(Loader loader, String name) {
    try {
      // Asking for the fields links the class without starting it.
      Class.forName(name, false, loader).getDeclaredFields();
    } catch (VerifyError e) {
      return note("VerifyError", name, e);
    } catch (ClassFormatError | IncompatibleClassChangeError | ClassCircularityError | SecurityException e) {
      failing.computeIfAbsent(e.getClass().getSimpleName(), key -> new ArrayList<>()).add(name + ": " + oneLine(e));
    } catch (ClassNotFoundException | NoClassDefFoundError e) {
      // It extends or names a class that the app does not bring: Android would not load it either.
      unavailable++;
    }
    return true;
  }

  private boolean note(String kind, String name, VerifyError e) {
    String message = String.valueOf(e.getMessage());
    Matcher at = LOCATION.matcher(message);
    boolean known = at.find();
    if (known && !at.group(1).replace('/', '.').equals(name)) {
      // A class above fails; it is counted under its name.
      return true;
    }
    String reason = message.lines().findFirst().orElse("").replaceAll("\\(class: .*", "").strip();
    String method = known ? at.group(2) + at.group(3) : "?";
    failing.computeIfAbsent(kind + ": " + reason, key -> new ArrayList<>()).add(name + "." + method + ": " + oneLine(e));
    try {
      return !(known && replace(name, at.group(2), at.group(3)));
    } catch (IOException | RuntimeException unreadable) {
      return true;
    }
  }

  private boolean replace(String name, String method, String descriptor) throws IOException {
    byte[] bytes = replaced.get(name);
    if (bytes == null) {
      try (Loader loader = new Loader()) {
        bytes = loader.read(name);
      }
    }
    ClassNode node = new ClassNode();
    new ClassReader(bytes).accept(node, 0);
    boolean found = false;
    for (MethodNode each : node.methods) {
      if (each.name.equals(method) && each.desc.equals(descriptor)) {
        empty(each);
        each.maxStack = 3;
        found = true;
      }
    }
    ClassWriter writer = new ClassWriter(0);
    node.accept(writer);
    replaced.put(name, writer.toByteArray());
    return found;
  }

  private static Linkage link(Path jar) throws IOException {
    Hierarchy hierarchy = new Hierarchy();
    List<byte[]> classes = new ArrayList<>();
    Set<String> own = new HashSet<>();
    try (JarFile file = new JarFile(jar.toFile())) {
      for (Enumeration<JarEntry> entries = file.entries(); entries.hasMoreElements(); ) {
        JarEntry entry = entries.nextElement();
        if (entry.getName().endsWith(".class")) {
          byte[] bytes = file.getInputStream(entry).readAllBytes();
          hierarchy.put(bytes);
          classes.add(bytes);
        }
      }
    }
    Linkage linkage = new Linkage(hierarchy);
    for (byte[] bytes : classes) {
      ClassNode node = new ClassNode();
      new ClassReader(bytes).accept(node, ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
      Hierarchy.Info info = hierarchy.find(node.name);
      // A copy of one of the system's classes is never loaded.
      if (info != null && info.own && own.add(node.name)) {
        linkage.check(node);
      }
    }
    return linkage;
  }

  private static String oneLine(Throwable e) {
    String message = String.valueOf(e.getMessage());
    // What follows shows the method's bytes.
    int dump = message.indexOf("Bytecode:");
    return (dump < 0 ? message : message.substring(0, dump)).replaceAll("\\s+", " ").strip();
  }

  /** Gives a method a body that verifies; nobody calls it. */
  private static void empty(MethodNode method) {
    method.tryCatchBlocks.clear();
    method.localVariables = null;
    method.instructions = new InsnList();
    method.instructions.add(new InsnNode(Opcodes.ACONST_NULL));
    method.instructions.add(new InsnNode(Opcodes.ATHROW));
    method.maxStack = 1;
  }
}
