package droidtest.tool;

import droidtest.host.AndroidApi;
import droidtest.host.AppClassLoader;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import java.util.zip.ZipFile;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.Opcodes;

/**
 * Lists the classes of the platform that an app can see, with superclass, interfaces and methods, in one file for the
 * translator, which runs without Java.
 *
 * <p>A class is found where the system class loader finds its file: Java's modules first, then the class path in its
 * order. None is loaded. What Robolectric's instrumentation adds for itself is left out. The format is documented with
 * its reader, {@code crates/dex2class/src/hierarchy/index.rs}.
 *
 * <p>Usage: {@code PlatformIndex OUT}, with the device's class path.
 */
public final class PlatformIndex {
  private static final int MAGIC = 0x44545049; // "DTPI"
  private static final int VERSION = 1;
  /** Magic number, version and checksum. */
  private static final int UNCHECKED = 16;
  /** The above, the numbers of slots and classes, and the length of the file. */
  private static final int HEADER = UNCHECKED + 12;
  private static final String CLASS = ".class";

  /** Classes by internal name. */
  private final Map<String, Found> classes = new TreeMap<>();

  private PlatformIndex() {}

  public static void main(String[] args) throws IOException {
    PlatformIndex index = new PlatformIndex();
    index.readModules();
    for (String part : System.getProperty("java.class.path").split(File.pathSeparator)) {
      index.readPart(Path.of(part));
    }
    Files.write(Path.of(args[0]), new Output(index.classes).bytes());
  }

  private static final class Found {
    final String name;
    final String parent;
    final int access;
    final List<String> interfaces = new ArrayList<>();
    final List<Method> methods = new ArrayList<>();

    /** Reads what is needed of a class file; {@link ClassReader#accept} would read all of it. */
    Found(byte[] file) {
      ClassReader reader = new ClassReader(file);
      name = reader.getClassName();
      parent = reader.getSuperName();
      access = reader.getAccess();
      interfaces.addAll(List.of(reader.getInterfaces()));
      char[] buffer = new char[reader.getMaxStringLength()];
      int at = reader.header + 8 + 2 * interfaces.size();
      int fields = reader.readUnsignedShort(at);
      at += 2;
      for (int ix = 0; ix < fields; ix++) {
        at = read(reader, at, buffer, null);
      }
      int count = reader.readUnsignedShort(at);
      at += 2;
      for (int ix = 0; ix < count; ix++) {
        at = read(reader, at, buffer, methods);
      }
      methods.sort(Comparator.comparingInt((Method method) -> method.hash ^ Integer.MIN_VALUE));
    }

    /** Reads a field or method, which is added to the methods if they are given; returns where the next one begins. */
    private static int read(ClassReader reader, int start, char[] buffer, List<Method> methods) {
      int access = reader.readUnsignedShort(start);
      int attributes = reader.readUnsignedShort(start + 6);
      int at = start + 8;
      for (int ix = 0; ix < attributes; ix++) {
        // Before Java 5 there was no flag for it.
        if (methods != null && reader.readUTF8(at, buffer).equals("Synthetic")) {
          access |= Opcodes.ACC_SYNTHETIC;
        }
        at += 6 + reader.readInt(at + 2);
      }
      String name = reader.readUTF8(start + 2, buffer);
      if (methods != null && !instrumented(name)) {
        methods.add(new Method(name, reader.readUTF8(start + 4, buffer), access));
      }
      return at;
    }

    /** Methods that the framework's real classes do not have. */
    private static boolean instrumented(String method) {
      return method.startsWith("$$robo$") || method.equals("__constructor__");
    }
  }

  private static final class Method {
    final String name;
    final String descriptor;
    final int access;
    final int hash;

    Method(String name, String descriptor, int access) {
      this.name = name;
      this.descriptor = descriptor;
      this.access = access;
      hash = hash(name + descriptor);
    }
  }

  /** Only the modules that this Java has resolved: the others' classes cannot be loaded. */
  private void readModules() throws IOException {
    Path modules = FileSystems.getFileSystem(URI.create("jrt:/")).getPath("/modules");
    for (Module module : ModuleLayer.boot().modules()) {
      try {
        readFolder(modules.resolve(module.getName()));
      } catch (NoSuchFileException e) {
        throw new IOException("Java holds no files of its module " + module.getName(), e);
      }
    }
  }

  private void readPart(Path part) throws IOException {
    if (Files.isDirectory(part)) {
      readFolder(part);
    } else if (Files.exists(part)) {
      readJar(part);
    }
  }

  private void readFolder(Path folder) throws IOException {
    try (Stream<Path> walk = Files.walk(folder)) {
      for (Iterator<Path> all = walk.iterator(); all.hasNext(); ) {
        Path file = all.next();
        String name = folder.relativize(file).toString().replace('\\', '/');
        if (wanted(name)) {
          add(name, Files.readAllBytes(file));
        }
      }
    }
  }

  private void readJar(Path file) throws IOException {
    try (JarFile jar = new JarFile(file.toFile(), false, ZipFile.OPEN_READ, JarFile.runtimeVersion())) {
      for (Iterator<JarEntry> all = jar.versionedStream().iterator(); all.hasNext(); ) {
        JarEntry entry = all.next();
        if (wanted(entry.getName())) {
          try (InputStream in = jar.getInputStream(entry)) {
            add(entry.getName(), in.readAllBytes());
          }
        }
      }
    }
  }

  /** Whether a file is that of a class that the app can see and that nothing before it holds. */
  private boolean wanted(String file) {
    return file.endsWith(CLASS) && AppClassLoader.fromSystem(dotted(file))
        && !classes.containsKey(internal(file));
  }

  private void add(String file, byte[] bytes) throws IOException {
    Found found = new Found(bytes);
    if (AndroidApi.ofJava(dotted(file)) && !AndroidApi.finds(dotted(file), (found.access & Opcodes.ACC_PUBLIC) != 0)) {
      return;
    }
    if (found.name.equals(internal(file))) {
      classes.put(found.name, found);
    } else if (!file.endsWith("module-info.class")) {
      throw new IOException(file + " is the file of another class, " + found.name);
    }
  }

  private static String internal(String file) {
    return file.substring(0, file.length() - CLASS.length());
  }

  private static String dotted(String file) {
    return internal(file).replace('/', '.');
  }

  /** FNV-1a over the characters' bytes in modified UTF-8. */
  private static int hash(String text) {
    int hash = 0x811c9dc5;
    for (int ix = 0; ix < text.length(); ix++) {
      char c = text.charAt(ix);
      if (c != 0 && c < 0x80) {
        hash = (hash ^ c) * 0x01000193;
      } else {
        if (c >= 0x800) {
          hash = (hash ^ (0xe0 | c >> 12)) * 0x01000193;
          hash = (hash ^ (0x80 | c >> 6 & 0x3f)) * 0x01000193;
        } else {
          hash = (hash ^ (0xc0 | c >> 6)) * 0x01000193;
        }
        hash = (hash ^ (0x80 | c & 0x3f)) * 0x01000193;
      }
    }
    return hash;
  }

  /** The file: header, hash table, classes, texts. */
  private static final class Output {
    private final Map<String, Found> classes;
    private final Map<String, Integer> texts = new HashMap<>();
    private final ByteArrayOutputStream textBytes = new ByteArrayOutputStream();
    private final DataOutputStream textOut = new DataOutputStream(textBytes);
    private int textStart;

    Output(Map<String, Found> classes) {
      this.classes = classes;
    }

    byte[] bytes() throws IOException {
      int slots = Integer.highestOneBit(Math.max(classes.size(), 1)) * 4;
      int size = HEADER + 4 * slots;
      textStart = size;
      for (Found found : classes.values()) {
        textStart += 16 + 4 * found.interfaces.size() + 16 * found.methods.size();
      }
      ByteBuffer out = ByteBuffer.allocate(textStart);
      out.position(size);
      for (Found found : classes.values()) {
        int slot = hash(found.name) & slots - 1;
        while (out.getInt(HEADER + 4 * slot) != 0) {
          slot = slot + 1 & slots - 1;
        }
        out.putInt(HEADER + 4 * slot, out.position());
        put(found, out);
      }
      byte[] all = new byte[textStart + textOut.size() + 7 & ~7];
      out.putInt(0, MAGIC).putInt(4, VERSION);
      out.putInt(UNCHECKED, slots).putInt(UNCHECKED + 4, classes.size()).putInt(UNCHECKED + 8, all.length);
      out.get(0, all, 0, textStart);
      System.arraycopy(textBytes.toByteArray(), 0, all, textStart, textOut.size());
      ByteBuffer whole = ByteBuffer.wrap(all);
      return whole.putLong(8, checksum(whole)).array();
    }

    private void put(Found found, ByteBuffer out) throws IOException {
      out.putInt(text(found.name)).putInt(found.parent == null ? 0 : text(found.parent));
      boolean first = AppClassLoader.systemFirst(found.name.replace('/', '.'));
      out.putShort((short) found.access).putShort((short) (first ? 1 : 0));
      out.putShort((short) found.interfaces.size()).putShort((short) found.methods.size());
      for (String each : found.interfaces) {
        out.putInt(text(each));
      }
      for (Method method : found.methods) {
        out.putInt(method.hash).putInt(text(method.name)).putInt(text(method.descriptor));
        out.putShort((short) method.access).putShort((short) 0);
      }
    }

    /** Where a text stands, which is added if it is new. */
    private int text(String text) throws IOException {
      Integer known = texts.get(text);
      if (known != null) {
        return known;
      }
      int at = textStart + textOut.size();
      texts.put(text, at);
      textOut.writeUTF(text);
      return at;
    }

    private static long checksum(ByteBuffer file) {
      long sum = 0;
      for (int at = UNCHECKED; at < file.capacity(); at += 8) {
        sum = (Long.rotateLeft(sum, 5) ^ file.getLong(at)) * 0x517cc1b727220a95L;
      }
      return sum;
    }
  }
}
