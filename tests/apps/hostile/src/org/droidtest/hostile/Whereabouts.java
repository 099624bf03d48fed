package org.droidtest.hostile;

import android.app.Activity;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Attempts to learn where on the machine the app runs, and for whom: its paths, which no phone has. */
final class Whereabouts {
  private Whereabouts() {}

  static Escape.Attempt attempt(String name, Activity activity) {
    switch (name) {
      case "host_path_of_files": return () -> tells(activity.getFilesDir().getAbsolutePath());
      case "host_path_of_storage": return () -> tells(activity.getExternalFilesDir(null).getAbsolutePath());
      case "host_path_of_cache": return () -> tells(File.createTempFile("abc", null).getPath());
      case "host_path_of_database": return () -> tells(activity.getDatabasePath("a").getPath());
      case "host_path_canonical": return () -> tells(activity.getFilesDir().getCanonicalPath());
      case "host_path_real": return () -> tells(activity.getFilesDir().toPath().toRealPath().toString());
      case "host_path_reflected": return () -> tells((String) File.class.getMethod("getCanonicalPath").invoke(activity.getFilesDir()));
      case "host_path_of_code": return () -> tells(activity.getPackageCodePath() + activity.getApplicationInfo().nativeLibraryDir);
      case "host_path_of_folder": return () -> tells(Around.raw("").toAbsolutePath().toString());
      case "host_path_of_root": return () -> tells(new File("/").listFiles()[0].getPath() + new File("/system").getAbsolutePath());
      case "host_path_of_command": return () -> tells(text("/proc/self/cmdline"));
      case "host_path_of_environment": return () -> tells(text("/proc/self/environ"));
      case "host_path_of_memory": return () -> tells(text("/proc/self/maps"));
      case "host_path_of_mounts": return () -> tells(text("/proc/self/mountinfo") + text("/proc/self/mounts") + text("/proc/mounts"));
      case "host_path_of_descriptors": return () -> {
        StringBuilder all = new StringBuilder();
        for (int number = 0; number < 100; number++) {
          Path link = Around.raw("/proc/self/fd/" + number);
          if (Files.isSymbolicLink(link)) {
            all.append(Files.readSymbolicLink(link)).append('\n');
          }
        }
        return tells(all.toString());
      };
      case "host_path_of_properties": return () -> tells(System.getProperties().toString());
      case "host_users": return () -> text("/etc/passwd").lines().count() > 1;
      default: return null;
    }
  }

  private static String text(String path) throws Exception {
    return new String(Files.readAllBytes(Around.raw(path)), StandardCharsets.UTF_8);
  }

  /** Whether a text names the folder of the run, or that of the tool's parts. */
  private static boolean tells(String text) {
    // No File: that is rewritten.
    String picture = Aims.get("PICTURE");
    String folder = picture.substring(0, picture.lastIndexOf('/'));
    return text.contains(folder) || text.contains("cargo-droidtest");
  }
}
