package droidtest.host.box;

import java.io.File;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;

/**
 * Temporary files as an app makes them: in its cache folder, where Java's are in a folder of this machine, and with names
 * that follow from the seed.
 */
public final class Temporary {
  private Temporary() {}

  /** Makes one of a name that no file has yet. */
  private interface Maker {
    Path make(Path path) throws IOException;
  }

  private static Path make(Path folder, String prefix, String suffix, Maker maker) throws IOException {
    Path in = folder == null ? Path.of(Properties.getProperty("java.io.tmpdir")) : Paths.use(folder);
    while (true) {
      Path name = Path.of(prefix + Long.toUnsignedString(Chance.number()) + suffix);
      if (name.getParent() != null) {
        throw new IllegalArgumentException("Invalid prefix or suffix");
      }
      try {
        return maker.make(in.resolve(name));
      } catch (FileAlreadyExistsException e) {
        // Another number.
      }
    }
  }

  /** Twin of {@link File#createTempFile(String, String)}. */
  public static File createTempFile(String prefix, String suffix) throws IOException {
    return createTempFile(prefix, suffix, (File) null);
  }

  /** Twin of {@link File#createTempFile(String, String, File)}. */
  public static File createTempFile(String prefix, String suffix, File folder) throws IOException {
    if (prefix.length() < 3) {
      throw new IllegalArgumentException("Prefix string \"" + prefix + "\" too short: length must be at least 3");
    }
    File in = folder == null ? new File(Properties.getProperty("java.io.tmpdir")) : Paths.use(folder);
    while (true) {
      // No more of the names than their last part, as Java takes them.
      String name = new File(prefix).getName() + Long.toUnsignedString(Chance.number()) + (suffix == null ? ".tmp" : suffix);
      File file = new File(in, name);
      if (!file.getName().equals(name)) {
        throw new IOException("Unable to create temporary file, " + name);
      }
      if (file.createNewFile()) {
        return file;
      }
    }
  }

  /** Twin of {@link Files#createTempFile(String, String, FileAttribute...)}. */
  public static Path createTempFile(String prefix, String suffix, FileAttribute<?>... attributes) throws IOException {
    return createTempFile(null, prefix, suffix, attributes);
  }

  /** Twin of {@link Files#createTempFile(Path, String, String, FileAttribute...)}. */
  public static Path createTempFile(Path folder, String prefix, String suffix, FileAttribute<?>... attributes)
      throws IOException {
    return make(folder, text(prefix), suffix == null ? ".tmp" : suffix, path -> Files.createFile(path, attributes));
  }

  /** Twin of {@link Files#createTempDirectory(String, FileAttribute...)}. */
  public static Path createTempDirectory(String prefix, FileAttribute<?>... attributes) throws IOException {
    return createTempDirectory(null, prefix, attributes);
  }

  /** Twin of {@link Files#createTempDirectory(Path, String, FileAttribute...)}. */
  public static Path createTempDirectory(Path folder, String prefix, FileAttribute<?>... attributes) throws IOException {
    return make(folder, text(prefix), "", path -> Files.createDirectory(path, attributes));
  }

  private static String text(String prefix) {
    return prefix == null ? "" : prefix;
  }
}
