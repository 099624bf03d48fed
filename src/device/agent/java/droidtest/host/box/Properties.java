package droidtest.host.box;

import java.util.Map;

/**
 * The system properties as an app sees them: Android's, not this machine's. Libraries tell by them whether they run on
 * Android (and the old multi-dex library whether it has to unpack code by itself), and the machine's paths and user are
 * not the app's business.
 */
public final class Properties {
  private static final Map<String, String> ANDROID =
      Map.ofEntries(
          Map.entry("java.vm.name", "Dalvik"),
          Map.entry("java.vm.version", "2.1.0"),
          Map.entry("java.vm.vendor", "The Android Project"),
          Map.entry("java.vm.specification.version", "0.9"),
          Map.entry("java.vm.specification.name", "Dalvik Virtual Machine Specification"),
          Map.entry("java.vendor", "The Android Project"),
          Map.entry("java.vendor.url", "http://www.android.com/"),
          Map.entry("java.runtime.name", "Android Runtime"),
          Map.entry("java.runtime.version", "0.9"),
          Map.entry("java.version", "0"),
          Map.entry("java.specification.version", "0.9"),
          Map.entry("java.class.version", "50.0"),
          Map.entry("java.class.path", "."),
          Map.entry("java.library.path", "/system/lib64:/system_ext/lib64"),
          Map.entry("java.home", "/apex/com.android.art"),
          Map.entry("user.home", ""),
          Map.entry("user.dir", "/"),
          Map.entry("user.name", "root"),
          Map.entry("os.name", "Linux"),
          Map.entry("os.arch", "aarch64"),
          Map.entry("os.version", "6.1"),
          Map.entry("http.agent", "Dalvik/2.1.0 (Linux; U; Android 14)"));

  /** What belongs to this process and has no place in Android. */
  private static final String[] HIDDEN = {"java.", "sun.", "jdk.", "robolectric.", "user.", "os.", "jna."};

  private Properties() {}

  /** Twin of {@link System#getProperty(String)}. */
  public static String getProperty(String name) {
    if (name == null || name.isEmpty()) {
      return System.getProperty(name);
    }
    if (name.equals("java.io.tmpdir")) {
      return Paths.path("/data/user/0/" + Paths.packageName() + "/cache");
    }
    String android = ANDROID.get(name);
    if (android != null) {
      return android;
    }
    for (String prefix : HIDDEN) {
      if (name.startsWith(prefix)) {
        return name.equals("user.language") || name.equals("user.region") || name.equals("java.net.preferIPv6Addresses")
            ? System.getProperty(name)
            : null;
      }
    }
    return System.getProperty(name);
  }

  /** Twin of {@link System#getProperty(String, String)}. */
  public static String getProperty(String name, String otherwise) {
    String value = getProperty(name);
    return value == null ? otherwise : value;
  }
}
