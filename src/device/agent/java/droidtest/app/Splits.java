package droidtest.app;

import android.app.LoadedApk;
import android.content.pm.ApplicationInfo;
import droidtest.host.Host;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.robolectric.util.ReflectionHelpers;

/** The APKs next to the app's base whose resources and assets it has. */
final class Splits {
  private Splits() {}

  private static List<Path> all() throws IOException {
    Path folder = Host.options().app().resolve("splits");
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files.sorted().collect(Collectors.toList());
    }
  }

  /** Registers them with the framework, before it has made the app's resources. */
  static void describe(ApplicationInfo info, LoadedApk apk) throws IOException {
    List<Path> all = all();
    if (all.isEmpty()) {
      return;
    }
    String[] files = all.stream().map(Path::toString).toArray(String[]::new);
    info.splitSourceDirs = files;
    info.splitPublicSourceDirs = files;
    info.splitNames = all.stream().map(Splits::name).toArray(String[]::new);
    ReflectionHelpers.setField(apk, "mSplitNames", info.splitNames);
    ReflectionHelpers.setField(apk, "mSplitAppDirs", files);
    ReflectionHelpers.setField(apk, "mSplitResDirs", files);
    // Those that there are were made of the base alone.
    ReflectionHelpers.setField(apk, "mResources", null);
  }

  private static String name(Path file) {
    String name = file.getFileName().toString();
    return name.substring(0, name.length() - ".apk".length());
  }
}
