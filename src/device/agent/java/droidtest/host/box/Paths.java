package droidtest.host.box;

import java.io.File;
import java.io.IOException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;

/**
 * Where the app's files are. Android's absolute paths lead into the device's folder, and so does everything else: a path
 * of the machine is looked for below {@code root/} there, and is not found.
 */
public final class Paths {
  private static final String[] SDCARD = {
    "/sdcard", "/mnt/sdcard", "/storage/emulated/0", "/storage/emulated/legacy", "/storage/sdcard0", "/storage/self/primary"
  };

  /** Where Java makes temporary files: on Android that is the app's cache. */
  private static final String TEMPORARY = Path.of(System.getProperty("java.io.tmpdir")).toAbsolutePath().normalize().toString();

  /** Where paths lead whose first folder Android does not have. */
  private static final String ABSENT = "/root/absent";

  /** Arguments that are above a path on the stack while it is looked at. */
  private static final ThreadLocal<ArrayList<Object>> ASIDE = ThreadLocal.withInitial(ArrayList::new);

  private static volatile String device = "/nowhere";
  private static volatile String packageName = "";
  private static volatile String data = "/nowhere";
  private static volatile String shared = "/nowhere";

  private Paths() {}

  /** Called before any code of the app runs. */
  public static void configure(Path deviceFolder, String thePackage, Path dataFolder, Path sharedFolder) {
    device = deviceFolder.toAbsolutePath().normalize().toString();
    packageName = thePackage;
    data = dataFolder.toString();
    shared = sharedFolder.toString();
  }

  static String packageName() {
    return packageName;
  }

  /**
   * What a user reads: where a text of the app's names a place in the device's folder, the place it has on Android. The
   * folder is another in every run, and pages and findings must not be.
   */
  public static CharSequence shown(CharSequence text) {
    if (text.length() < device.length()) {
      return text;
    }
    String given = text.toString();
    if (!given.contains(device)) {
      return text;
    }
    return given
        .replace(device + "/sdcard", "/storage/emulated/0")
        .replace(device + "/data/", "/data/")
        .replace(device + ABSENT, "")
        .replace(device + "/root/", "/")
        .replace(device + "/root", "/")
        .replace(device, "/storage/emulated");
  }

  /** For an absolute path that the app names: its place in the device. Relative ones stay until they are used. */
  public static String path(String path) {
    return path == null || !path.startsWith("/") || inside(path) ? path : map(path);
  }

  /** For a file that is about to be used. */
  public static File use(File file) {
    if (file == null || inside(file.getPath())) {
      return file;
    }
    return new File(map(file.getPath()));
  }

  /** For a path that is about to be used by name. */
  public static String useName(String path) {
    return path == null || inside(path) ? path : map(path);
  }

  public static Path use(Path path) {
    return path == null || !path.getFileSystem().equals(java.nio.file.FileSystems.getDefault()) || inside(path.toString())
        ? path
        : Path.of(map(path.toString()));
  }

  /** {@code File.getParent}: above the folders that an app sees is what Android has there. */
  public static String getParent(File file) {
    String path = file.getPath();
    return root(path) ? above(path) : file.getParent();
  }

  /** {@code File.getParentFile}. */
  public static File getParentFile(File file) {
    if (!root(file.getPath())) {
      return file.getParentFile();
    }
    String above = above(file.getPath());
    return above == null ? null : new File(above);
  }

  /** {@code Path.getParent}. */
  public static Path getParent(Path path) {
    String name = path.toString();
    if (!root(name)) {
      return path.getParent();
    }
    String above = above(name);
    return above == null ? null : Path.of(above);
  }

  private static boolean root(String path) {
    return path.equals(data) || path.equals(shared) || path.startsWith(device) && path.equals(device + "/root");
  }

  private static String above(String root) {
    if (root.equals(data)) {
      return device + "/root/data/user/0";
    }
    return root.equals(shared) ? device + "/root/storage/emulated" : null;
  }

  public static void putAside(Object argument) {
    ASIDE.get().add(argument);
  }

  /** The last that was put aside. */
  public static Object takeBack() {
    ArrayList<Object> aside = ASIDE.get();
    return aside.remove(aside.size() - 1);
  }

  /** Of the device's folder an app sees its data, the shared storage and what other paths lead to. */
  private static boolean inside(String path) {
    return !path.contains("/..")
        && (below(path, data) || below(path, shared) || path.startsWith(device) && below(path, device + "/root"));
  }

  /** {@code File.getCanonicalPath}. */
  public static String getCanonicalPath(File file) throws IOException {
    return canonical(file.getCanonicalPath());
  }

  /** {@code File.getCanonicalFile}. */
  public static File getCanonicalFile(File file) throws IOException {
    return new File(getCanonicalPath(file));
  }

  /** {@code Path.toRealPath}. */
  public static Path toRealPath(Path path, LinkOption[] options) throws IOException {
    Path real = path.toRealPath(options);
    String name = real.toString();
    String clean = canonical(name);
    return clean.equals(name) ? real : Path.of(clean);
  }

  /** Android's path of a file below the device's folder, if the app knows it by that. */
  private static String canonical(String real) {
    if (!real.startsWith(device) || data.startsWith(device)) {
      return real;
    }
    if (below(real, device + "/data")) {
      return real.substring(device.length());
    }
    return below(real, device + "/sdcard") ? shared + real.substring(device.length() + "/sdcard".length()) : real;
  }

  private static String map(String path) {
    String clean = Path.of("/" + path).normalize().toString();
    if (inside(clean)) {
      return clean;
    }
    for (String prefix : SDCARD) {
      if (below(clean, prefix)) {
        return shared + clean.substring(prefix.length());
      }
    }
    for (String prefix : new String[] {"/data/data/" + packageName, "/data/user/0/" + packageName}) {
      if (below(clean, prefix)) {
        return data + clean.substring(prefix.length());
      }
    }
    if (below(clean, TEMPORARY)) {
      return data + "/cache" + clean.substring(TEMPORARY.length());
    }
    if (clean.equals("/")) {
      return device + "/root";
    }
    // Android's root takes no new files: what it does not hold leads to a folder that is not there.
    int end = clean.indexOf('/', 1);
    String first = device + "/root" + (end < 0 ? clean : clean.substring(0, end));
    return (new File(first).exists() ? device + "/root" : device + ABSENT) + clean;
  }

  private static boolean below(String path, String prefix) {
    return path.startsWith(prefix) && (path.length() == prefix.length() || path.charAt(prefix.length()) == '/');
  }
}
