package droidtest.host.box;

import java.io.File;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;

/**
 * Temporary files as an app makes them: in its cache folder, where Java's are in a folder of this machine, and with names
 * that follow from the seed.
 */
public final class Temporary {
  private Temporary() {}

  /** Makes one of a name that nothing has yet, with these attributes. */
  private interface Maker {
    Path make(Path path, FileAttribute<?>... attributes) throws IOException;
  }

  /** @param mode permissions where no attributes are given, as Java has them */
  private static Path make(Path folder, String prefix, String suffix, String mode, FileAttribute<?>[] attributes, Maker maker)
      throws IOException {
    boolean posix = folder.getFileSystem().supportedFileAttributeViews().contains("posix");
    FileAttribute<?>[] given =
        attributes.length > 0 || !posix
            ? attributes
            : new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(mode))};
    while (true) {
      String name = (prefix == null ? "" : prefix) + Long.toUnsignedString(Chance.number()) + suffix;
      if (folder.getFileSystem().getPath(name).getParent() != null) {
        throw new IllegalArgumentException("Invalid prefix or suffix");
      }
      try {
        return maker.make(folder.resolve(name), given);
      } catch (FileAlreadyExistsException e) {
        // Another number.
      }
    }
  }

  private static String cache() {
    return Properties.getProperty("java.io.tmpdir");
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
    // Read once: a class of the app may extend File.
    String in = folder == null ? cache() : Paths.useName(folder.getPath());
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
    return createTempFile(Path.of(cache()), prefix, suffix, attributes);
  }

  /** Twin of {@link Files#createTempFile(Path, String, String, FileAttribute...)}. */
  public static Path createTempFile(Path folder, String prefix, String suffix, FileAttribute<?>... attributes)
      throws IOException {
    Path in = Paths.use(Objects.requireNonNull(folder));
    return make(in, prefix, suffix == null ? ".tmp" : suffix, "rw-------", attributes, Files::createFile);
  }

  /** Twin of {@link Files#createTempDirectory(String, FileAttribute...)}. */
  public static Path createTempDirectory(String prefix, FileAttribute<?>... attributes) throws IOException {
    return createTempDirectory(Path.of(cache()), prefix, attributes);
  }

  /** Twin of {@link Files#createTempDirectory(Path, String, FileAttribute...)}. */
  public static Path createTempDirectory(Path folder, String prefix, FileAttribute<?>... attributes) throws IOException {
    return make(Paths.use(Objects.requireNonNull(folder)), prefix, "", "rwx------", attributes, Files::createDirectory);
  }
}
