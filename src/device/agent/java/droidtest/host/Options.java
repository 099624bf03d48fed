package droidtest.host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** What the tool requested on the command line, and what the translation found in the app. */
public final class Options {
  private final Map<String, String> values = new HashMap<>();
  private final Map<?, ?> translation;

  private Options(String[] args) throws IOException {
    for (int i = 0; i + 1 < args.length; i += 2) {
      if (!args[i].startsWith("--")) {
        throw new IllegalArgumentException("unexpected argument " + args[i]);
      }
      values.put(args[i].substring(2), args[i + 1]);
    }
    translation = (Map<?, ?>) Json.parse(Files.readString(app().resolve("translate.json")));
  }

  static Options parse(String[] args) throws IOException {
    return new Options(args);
  }

  private String get(String name, String otherwise) {
    String value = values.get(name);
    if (value == null && otherwise == null) {
      throw new IllegalArgumentException("--" + name + " is missing");
    }
    return value == null ? otherwise : value;
  }

  /** Whether the wire is the standard input, inherited from the tool; otherwise it is a port. */
  boolean inherited() {
    return values.containsKey("wire");
  }

  int port() {
    return Integer.parseInt(get("port", null));
  }

  String token() {
    return get("token", "");
  }

  /** The folder that {@code droidtest.tool.Translate} wrote. */
  public Path app() {
    return Path.of(get("app", null)).toAbsolutePath();
  }

  /** The folder that holds all files of the device. */
  public Path device() {
    return Path.of(get("device", null)).toAbsolutePath();
  }

  /** Whether the folders that Android gives an app are at Android's paths here: the sandbox has links to the device's. */
  public boolean phonePaths() {
    return "phone".equals(get("paths", "host"));
  }

  /** The folder of the app's data. */
  public Path appData() {
    return phonePaths() ? Path.of("/data/user/0", packageName()) : device().resolve("data/user/0").resolve(packageName());
  }

  /** The shared storage. */
  public Path sharedStorage() {
    return phonePaths() ? Path.of("/storage/emulated/0") : device().resolve("sdcard");
  }

  /** What the app is to find on the device, or null. */
  public Path data() {
    String folder = values.get("data");
    return folder == null ? null : Path.of(folder).toAbsolutePath();
  }

  public int sdk() {
    return Integer.parseInt(get("sdk", "34"));
  }

  /** Robolectric's resource qualifiers: locale, size, orientation, density. */
  public String qualifiers() {
    return get("qualifiers", "en-rUS-w411dp-h891dp-normal-long-notround-port-notnight-mdpi-keyshidden-nonav");
  }

  public long seed() {
    return Long.parseLong(get("seed", "1"));
  }

  /** When every process life starts, in milliseconds since 1970. */
  public long start() {
    return Long.parseLong(get("start", "1767603600000"));
  }

  /** Whether runtime permissions are granted from the start (otherwise the app has to ask). */
  public boolean permissionsGranted() {
    return !"asked".equals(get("permissions", "granted"));
  }

  /** Whether the app may reach the machine's network. */
  public boolean networkOpen() {
    return "open".equals(get("network", "closed"));
  }

  /** The folder of the answers that a network gives which is none; null if there is no such. */
  public Path replay() {
    String folder = values.get("replay");
    return folder == null ? null : Path.of(folder).toAbsolutePath();
  }

  /** Whether the app finds a network, the machine's or one of answers. */
  public boolean connected() {
    return networkOpen() || replay() != null;
  }

  /** The libraries of the engine behind web views; null if there is to be none. */
  public Path web() {
    String folder = values.get("web");
    return folder == null ? null : Path.of(folder).toAbsolutePath();
  }

  /** The folder of the pipes to Chromium, which is the engine behind web views then; else null. */
  public Path browser() {
    String folder = values.get("browser");
    return folder == null ? null : Path.of(folder).toAbsolutePath();
  }

  /** Whether other apps show pages with answers; else the user returns immediately. */
  public boolean outside() {
    return "seeded".equals(get("outside", "empty"));
  }

  /** Whether the tool owns our standard input: when it closes, this process exits, whatever the main thread does. */
  boolean leashed() {
    return "stdin".equals(get("leash", "none"));
  }

  public String packageName() {
    return (String) translation.get("package");
  }

  /** The app's application class, or null. */
  public String applicationClass() {
    return (String) translation.get("application");
  }

  public String appComponentFactory() {
    return (String) translation.get("component_factory");
  }

  public int targetSdk() {
    return ((Long) translation.get("target_sdk")).intValue();
  }

  /** Whether the APK carries this native library (none can be loaded here). */
  public boolean hasNativeLibrary(String file) {
    return ((java.util.List<?>) translation.get("native_libraries")).contains(file);
  }
}
