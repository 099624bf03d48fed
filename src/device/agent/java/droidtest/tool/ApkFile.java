package droidtest.tool;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/**
 * The APK as a zip that may lie: sizes are counted while reading (never taken from the header), names that climb out
 * of a folder are passed over.
 */
final class ApkFile implements AutoCloseable {
  /** No single entry of an app is this large; a header that reports it is a bomb. */
  private static final long ENTRY_LIMIT = 512L << 20;

  /** Where the tool puts the resources of an app's splits. */
  static final String SPLITS = "droidtest-splits/";

  private final ZipFile zip;

  private ApkFile(ZipFile zip) {
    this.zip = zip;
  }

  static ApkFile open(Path path) throws IOException {
    if (!Files.isRegularFile(path)) {
      throw new BadApk("no such file");
    }
    ApkFile file;
    try {
      file = new ApkFile(new ZipFile(path.toFile()));
    } catch (IOException | IllegalArgumentException e) {
      throw new BadApk("not a zip file (" + e.getMessage() + ")");
    }
    if (!file.has("AndroidManifest.xml")) {
      file.close();
      throw new BadApk("no AndroidManifest.xml inside");
    }
    return file;
  }

  boolean has(String name) {
    return zip.getEntry(name) != null;
  }

  byte[] read(String name) throws IOException {
    ZipEntry entry = zip.getEntry(name);
    if (entry == null) {
      throw new BadApk("no " + name + " inside");
    }
    return read(entry);
  }

  private byte[] read(ZipEntry entry) throws IOException {
    if (entry.getSize() > ENTRY_LIMIT) {
      throw new BadApk(entry.getName() + " claims " + entry.getSize() + " bytes");
    }
    try (InputStream in = zip.getInputStream(entry)) {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      byte[] buffer = new byte[1 << 16];
      for (int n; (n = in.read(buffer)) > 0; ) {
        if (out.size() + (long) n > ENTRY_LIMIT) {
          throw new BadApk(entry.getName() + " is too large");
        }
        out.write(buffer, 0, n);
      }
      return out.toByteArray();
    }
  }

  /** The dex files in the order Android loads them. */
  List<String> dexNames() {
    List<String> names = new ArrayList<>();
    if (has("classes.dex")) {
      names.add("classes.dex");
    }
    for (int i = 2; has("classes" + i + ".dex"); i++) {
      names.add("classes" + i + ".dex");
    }
    return names;
  }

  /** Plain files that app code reads through its class loader (META-INF/services, properties and the like). */
  List<String> javaResources() {
    List<String> names = new ArrayList<>();
    for (ZipEntry entry : Collections.list(zip.entries())) {
      String name = entry.getName();
      boolean android =
          name.startsWith("res/") || name.startsWith("assets/") || name.startsWith("lib/") || name.endsWith(".dex")
              || name.endsWith(".class") || name.startsWith(SPLITS) || name.equals("resources.arsc") || name.equals("AndroidManifest.xml")
              || name.matches("META-INF/[^/]*\\.(SF|RSA|DSA|EC|MF)");
      if (!entry.isDirectory() && !android && safe(name)) {
        names.add(name);
      }
    }
    return names;
  }

  /** The splits inside, in order. */
  List<String> splits() {
    List<String> names = new ArrayList<>();
    for (ZipEntry entry : Collections.list(zip.entries())) {
      String name = entry.getName();
      if (name.startsWith(SPLITS) && name.endsWith(".apk") && name.indexOf('/', SPLITS.length()) < 0 && safe(name)) {
        names.add(name);
      }
    }
    Collections.sort(names);
    return names;
  }

  /** Native libraries by file name, to distinguish a load of one from a load of an unknown one. */
  Set<String> nativeLibraries() {
    Set<String> names = new HashSet<>();
    for (ZipEntry entry : Collections.list(zip.entries())) {
      if (entry.getName().startsWith("lib/") && entry.getName().endsWith(".so")) {
        names.add(entry.getName().substring(entry.getName().lastIndexOf('/') + 1));
      }
    }
    return names;
  }

  /** A copy of the complete file with one entry replaced, and that entry stored uncompressed as Android asks. */
  void copyReplacing(String replaced, byte[] content, Path target) throws IOException {
    Set<String> seen = new HashSet<>();
    try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(target))) {
      for (ZipEntry entry : Collections.list(zip.entries())) {
        String name = entry.getName();
        if (!safe(name) || !seen.add(name) || entry.isDirectory() || name.endsWith(".dex")) {
          continue;
        }
        byte[] bytes = name.equals(replaced) ? content : read(entry);
        ZipEntry copy = new ZipEntry(name);
        if (name.equals(replaced) || entry.getMethod() == ZipEntry.STORED) {
          CRC32 crc = new CRC32();
          crc.update(bytes);
          copy.setMethod(ZipEntry.STORED);
          copy.setSize(bytes.length);
          copy.setCrc(crc.getValue());
        }
        out.putNextEntry(copy);
        out.write(bytes);
        out.closeEntry();
      }
    }
  }

  private static boolean safe(String name) {
    return !name.startsWith("/") && !name.contains("..") && !name.contains("\\") && !name.contains("\0");
  }

  @Override
  public void close() throws IOException {
    zip.close();
  }
}
