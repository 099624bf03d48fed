package droidtest.tool;

import com.googlecode.d2j.node.DexClassNode;
import com.googlecode.d2j.node.DexDebugNode;
import com.googlecode.d2j.node.DexFileNode;
import com.googlecode.d2j.node.DexMethodNode;
import com.googlecode.d2j.reader.DexFileReader;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodTooLargeException;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * Translates all dex files of an APK to class files, corrects what the two formats see differently ({@link
 * Constructors}, {@link Corrections}), confines the classes ({@link Rewriter}) and adds probes.
 */
final class DexClasses {
  private final ApkFile apk;
  private final BuildClasses build;
  private final boolean open;
  private final PrintStream progress;
  private final Hierarchy hierarchy = new Hierarchy();
  private final Constructors constructors = new Constructors(hierarchy);
  private final Corrections corrections = new Corrections(hierarchy);
  private final Set<String> failedMethods = new TreeSet<>();
  private final Set<String> failedClasses = new TreeSet<>();
  private final Set<String> unprobedMethods = new TreeSet<>();
  private int count;
  private volatile boolean linesKnown;

  /** @param open whether calls may leave the device */
  DexClasses(ApkFile apk, BuildClasses build, boolean open, PrintStream progress) {
    this.apk = apk;
    this.build = build;
    this.open = open;
    this.progress = progress;
  }

  int count() {
    return count;
  }

  boolean linesKnown() {
    return linesKnown;
  }

  /** Methods that throw when they are called, since they could not be translated. */
  List<String> failedMethods() {
    return new ArrayList<>(failedMethods);
  }

  /** Classes whose methods all throw, or that are missing, since they could not be translated, each with the reason. */
  List<String> failedClasses() {
    return new ArrayList<>(failedClasses);
  }

  /** Methods too large to take probes. */
  List<String> unprobedMethods() {
    return new ArrayList<>(unprobedMethods);
  }

  List<String> nativeLibraries() {
    return new ArrayList<>(new TreeSet<>(apk.nativeLibraries()));
  }

  /** A class on its way: what the dex holds, then the class file without confinement, then its two forms. */
  private static final class Item {
    final String name;
    final String source;
    /** A class of the build needs no frames: its compiler has made them. */
    final boolean built;
    DexFileNode file;
    DexClassNode node;
    byte[] bytes;
    Probing.Probed done;

    Item(String name, String source, DexFileNode file, DexClassNode node, byte[] bytes) {
      this.name = name;
      this.source = source;
      this.file = file;
      this.node = node;
      this.bytes = bytes;
      built = bytes != null;
    }
  }

  /** Writes the classes without probes to one jar and with probes to the other; plain resources go into the latter. */
  void writeJars(Path original, Path instrumented) throws IOException {
    List<Item> items = read();
    int total = items.size() * 2;
    AtomicInteger done = new AtomicInteger();
    Map<DexFileNode, Map<String, ?>> infos = infos(items);
    ThreadLocal<Converter> converters =
        ThreadLocal.withInitial(() -> new Converter(constructors, name -> note(failedMethods, name)));
    Consumer<Integer> report =
        now -> {
          if (now % 200 == 0) {
            synchronized (progress) {
              progress.println("progress " + now + " " + total);
              progress.flush();
            }
          }
        };
    Workers.each(
        items,
        item -> {
          report.accept(done.getAndIncrement());
          if (!item.built) {
            convert(converters.get(), item, infos.get(item.file));
          }
        });
    ThreadLocal<Probing> probings = ThreadLocal.withInitial(Probing::new);
    Workers.each(
        items,
        item -> {
          report.accept(done.getAndIncrement());
          if (item.bytes != null) {
            finish(item, probings.get());
          }
        });
    try (ZipOutputStream plain = jar(original); ZipOutputStream probed = jar(instrumented)) {
      for (Item item : items) {
        if (item.done != null) {
          put(plain, item.name + ".class", item.done.plain);
          put(probed, item.name + ".class", item.done.probed);
          unprobedMethods.addAll(item.done.without);
          count++;
        }
      }
      for (String name : apk.javaResources()) {
        put(probed, name, apk.read(name));
      }
    }
    progress.println("progress " + total + " " + total);
    progress.flush();
  }

  private static void note(Set<String> names, String name) {
    synchronized (names) {
      names.add(name);
    }
  }

  /** All classes in the order of the dex files; where two hold the same class Android loads the first. */
  private List<Item> read() throws IOException {
    List<Item> items = new ArrayList<>();
    Set<String> seen = new HashSet<>();
    for (String name : apk.dexNames()) {
      DexFileNode file = new DexFileNode();
      try {
        new DexFileReader(apk.read(name))
            .accept(file, DexFileReader.IGNORE_READ_EXCEPTION | DexFileReader.DONT_SANITIZE_NAMES);
      } catch (RuntimeException e) {
        throw new BadApk(name + " is not a readable dex file");
      }
      for (DexClassNode node : file.clzs) {
        String internal = Hierarchy.internal(node.className);
        if (seen.add(internal)) {
          byte[] built = build.read(internal);
          dropLocals(node);
          hierarchy.add(node);
          items.add(new Item(internal, node.source, file, node, built));
        }
      }
    }
    if (items.isEmpty()) {
      throw new BadApk("no dex code inside");
    }
    for (String name : build.names()) {
      if (seen.add(name)) {
        items.add(new Item(name, null, null, null, build.read(name)));
      }
    }
    for (Item item : items) {
      if (item.built) {
        put(item);
      }
    }
    return items;
  }

  private void put(Item item) {
    try {
      hierarchy.put(item.bytes);
    } catch (RuntimeException e) {
      note(failedClasses, item.name + ": " + e);
      item.bytes = null;
    }
  }

  private static Map<DexFileNode, Map<String, ?>> infos(List<Item> items) {
    Map<DexFileNode, Map<String, ?>> infos = new java.util.IdentityHashMap<>();
    for (Item item : items) {
      if (item.file != null && !infos.containsKey(item.file)) {
        infos.put(item.file, Converter.info(item.file));
        item.file.clzs = new ArrayList<>();
      }
    }
    return infos;
  }

  private void convert(Converter converter, Item item, Map<String, ?> info) {
    try {
      ClassNode node = converter.convert(item.file, item.node, info);
      corrections.correct(node);
      corrections.noteConstants(node);
      item.bytes = write(node);
    } catch (RuntimeException | StackOverflowError e) {
      note(failedClasses, item.name + ": " + e);
      item.bytes = write(standIn(item.node));
    }
    item.node = null;
  }

  private ClassNode standIn(DexClassNode node) {
    ClassNode made = Converter.standIn(node);
    corrections.correct(made);
    return made;
  }

  /** Maxima and frames come later, from {@link Frames}. */
  private byte[] write(ClassNode node) {
    while (true) {
      ClassWriter writer = new ClassWriter(0);
      try {
        node.accept(writer);
        return writer.toByteArray();
      } catch (MethodTooLargeException e) {
        replace(node, e);
      }
    }
  }

  private void replace(ClassNode node, MethodTooLargeException large) {
    for (MethodNode method : node.methods) {
      if (method.name.equals(large.getMethodName()) && method.desc.equals(large.getDescriptor())) {
        Converter.replace(node.name, method);
        note(failedMethods, "L" + node.name + ";." + method.name + method.desc);
        return;
      }
    }
    throw large;
  }

  private void finish(Item item, Probing probing) {
    ClassReader reader = new ClassReader(item.bytes);
    try {
      byte[] rewritten;
      if (item.built) {
        ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
        rewritten = new Rewriter(hierarchy, open).rewrite(to -> reader.accept(to, 0), writer, item.source);
      } else {
        ClassNode node = new ClassNode();
        reader.accept(node, ClassReader.SKIP_FRAMES);
        constructors.addBridges(node);
        corrections.nameConstants(node);
        new Missing(hierarchy).replace(node);
        rewritten = rewrite(node, item.source);
      }
      item.done = probing.instrument(rewritten, item.name);
    } catch (IOException | RuntimeException | StackOverflowError e) {
      note(failedClasses, item.name + ": " + e);
    }
    item.bytes = null;
  }

  private byte[] rewrite(ClassNode node, String source) {
    while (true) {
      try {
        Consumer<ClassVisitor> from = node::accept;
        return new Rewriter(hierarchy, open).rewrite(from, new Frames(hierarchy), source);
      } catch (MethodTooLargeException e) {
        replace(node, e);
      }
    }
  }

  /** Debug locals make the translator keep registers apart wrongly (classes that do not verify); lines are enough. */
  private void dropLocals(DexClassNode node) {
    if (node.methods == null) {
      return;
    }
    for (DexMethodNode method : node.methods) {
      if (method.codeNode == null || method.codeNode.debugNode == null) {
        continue;
      }
      method.codeNode.debugNode.debugNodes.removeIf(
          op -> !(op instanceof DexDebugNode.DexDebugOpNode.LineNumber));
      linesKnown |= !method.codeNode.debugNode.debugNodes.isEmpty();
    }
  }

  private static ZipOutputStream jar(Path path) throws IOException {
    OutputStream out = new BufferedOutputStream(Files.newOutputStream(path), 1 << 16);
    ZipOutputStream zip = new ZipOutputStream(out);
    zip.setLevel(Deflater.BEST_SPEED);
    return zip;
  }

  private static void put(ZipOutputStream out, String name, byte[] bytes) throws IOException {
    ZipEntry entry = new ZipEntry(name);
    entry.setTime(315532800000L);
    out.putNextEntry(entry);
    out.write(bytes);
    out.closeEntry();
  }
}
