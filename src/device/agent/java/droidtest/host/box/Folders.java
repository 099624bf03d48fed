package droidtest.host.box;

import java.io.File;
import java.io.FileFilter;
import java.io.FilenameFilter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;

/** Android's folders outside the app's own: what the root holds, and which of them an app may look into. */
public final class Folders {
  private static final String[] OPEN = {
    "apex", "bin", "dev", "etc", "mnt", "odm", "oem", "product/app", "product/media/audio/ringtones", "sys", "storage",
    "system/app", "system/bin", "system/etc", "system/fonts", "system/framework", "system/lib64", "system/media",
    "system/priv-app", "system_ext", "vendor/etc", "vendor/lib64", "proc"
  };
  /** There, but an app that looks into them is refused. */
  private static final Set<String> CLOSED = Set.of("acct", "cache", "config", "data", "metadata", "postinstall", "data_mirror");
  /** The same, below others. */
  private static final Set<String> CLOSED_BELOW =
      Set.of("data/data", "data/app", "data/user", "data/user/0", "storage/emulated", "mnt/user");

  private Folders() {}

  /** Makes them below the device's folder. */
  public static void make(Path device) throws IOException {
    Path root = device.resolve("root");
    for (String name : OPEN) {
      Files.createDirectories(root.resolve(name));
    }
    for (String name : CLOSED) {
      Files.createDirectories(root.resolve(name));
    }
    Files.createDirectories(root.resolve("storage/emulated"));
    link(root.resolve("sdcard"), device.resolve("sdcard"));
    link(root.resolve("mnt/sdcard"), device.resolve("sdcard"));
  }

  private static void link(Path from, Path to) throws IOException {
    if (!Files.exists(from)) {
      try {
        Files.createSymbolicLink(from, to);
      } catch (UnsupportedOperationException | IOException e) {
        // A system without links: the folder is there, and empty.
        Files.createDirectories(from);
      }
    }
  }

  private static boolean refused(File file) {
    String root = Paths.use(new File("/")).getPath();
    String path = file.getPath();
    if (!path.startsWith(root + "/")) {
      return false;
    }
    String name = path.substring(root.length() + 1).replaceAll("/+$", "");
    return CLOSED.contains(name) || CLOSED_BELOW.contains(name);
  }

  public static String[] list(File file) {
    File used = Paths.use(file);
    return refused(used) ? null : used.list();
  }

  public static String[] list(File file, FilenameFilter filter) {
    File used = Paths.use(file);
    return refused(used) ? null : used.list(filter);
  }

  public static File[] listFiles(File file) {
    File used = Paths.use(file);
    return refused(used) ? null : used.listFiles();
  }

  public static File[] listFiles(File file, FilenameFilter filter) {
    File used = Paths.use(file);
    return refused(used) ? null : used.listFiles(filter);
  }

  public static File[] listFiles(File file, FileFilter filter) {
    File used = Paths.use(file);
    return refused(used) ? null : used.listFiles(filter);
  }

  public static boolean canRead(File file) {
    File used = Paths.use(file);
    return !refused(used) && used.canRead();
  }
}
