package droidtest.tool;

import droidtest.host.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeSet;

/**
 * Turns an APK into what Robolectric can read, its code apart: the manifest as text, the APK with a resource table that
 * it understands, the resources of splits, and a summary. A broken APK ends in one line on stderr and exit code 2, never
 * in a stack trace: the file may be anybody's.
 *
 * <p>Usage: {@code AppResources APK OUT}.
 */
public final class AppResources {
  private AppResources() {}

  public static void main(String[] args) {
    if (args.length != 2) {
      System.err.println("usage: AppResources APK OUT");
      System.exit(2);
    }
    try {
      run(Path.of(args[0]), Path.of(args[1]));
    } catch (BadApk e) {
      System.err.println("bad apk: " + e.getMessage());
      System.exit(2);
    } catch (IOException | RuntimeException | StackOverflowError | OutOfMemoryError e) {
      System.err.println("bad apk: " + oneLine(e));
      System.exit(2);
    }
  }

  private static void run(Path apk, Path out) throws IOException {
    try (ApkFile file = ApkFile.open(apk)) {
      Manifest manifest = Manifest.parse(file.read("AndroidManifest.xml"));
      Files.writeString(out.resolve("AndroidManifest.xml"), manifest.text());
      byte[] table = file.has("resources.arsc") ? file.read("resources.arsc") : null;
      byte[] corrected = table == null ? null : ResourceTable.corrected(table);
      Path target = out.resolve("app.apk");
      if (corrected == null) {
        Files.copy(apk, target, StandardCopyOption.REPLACE_EXISTING);
      } else {
        file.copyReplacing("resources.arsc", corrected, target);
      }
      splits(file, out.resolve("splits"));
      Files.writeString(out.resolve("resources.json"), summary(file, manifest, corrected != null));
    }
  }

  private static String summary(ApkFile file, Manifest manifest, boolean corrected) {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("package", manifest.packageName());
    all.put("application", manifest.application());
    all.put("component_factory", manifest.componentFactory());
    all.put("target_sdk", manifest.targetSdk());
    all.put("min_sdk", manifest.minSdk());
    all.put("resource_table_corrected", corrected);
    all.put("native_libraries", new ArrayList<>(new TreeSet<>(file.nativeLibraries())));
    return Json.write(all) + "\n";
  }

  /** The resources of the app's other APKs, which the tool has put into this one. */
  private static void splits(ApkFile file, Path to) throws IOException {
    for (String name : file.splits()) {
      Files.createDirectories(to);
      Path split = to.resolve(name.substring(ApkFile.SPLITS.length()));
      Files.write(split, file.read(name));
      byte[] corrected;
      try (ApkFile resources = ApkFile.open(split)) {
        corrected = resources.has("resources.arsc") ? ResourceTable.corrected(resources.read("resources.arsc")) : null;
        if (corrected != null) {
          resources.copyReplacing("resources.arsc", corrected, to.resolve("corrected.tmp"));
        }
      }
      if (corrected != null) {
        Files.move(to.resolve("corrected.tmp"), split, StandardCopyOption.REPLACE_EXISTING);
      }
    }
  }

  private static String oneLine(Throwable e) {
    String text = e.getMessage() == null ? e.getClass().getSimpleName() : e.getClass().getSimpleName() + ": " + e.getMessage();
    return text.replaceAll("\\s+", " ");
  }
}
