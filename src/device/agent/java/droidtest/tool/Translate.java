package droidtest.tool;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Turns an APK into what the host can run: translated classes (plain, and with coverage probes), the APK with a
 * resource table that Robolectric can read, the manifest as text, and a summary. A broken APK ends in one line on
 * stderr and exit code 2, never in a stack trace: the file may be anybody's.
 *
 * <p>Usage: {@code Translate confined|open APK OUT [CLASSES..]}; progress is printed as {@code progress <done> <total>}
 * lines. Classes found in the folders CLASSES (a build's own) replace those in the dex files. With {@code open}
 * what the app calls stays unchanged.
 */
public final class Translate {
  private Translate() {}

  public static void main(String[] args) throws ReflectiveOperationException {
    new Ordered(Translate.class.getClassLoader())
        .loadClass(Translate.class.getName())
        .getMethod("translate", String[].class)
        .invoke(null, (Object) args);
  }

  /** All of it, with the tables of {@link Ordered}; ends the process. */
  public static void translate(String[] args) {
    if (args.length < 3) {
      System.err.println("usage: Translate confined|open APK OUT [CLASSES..]");
      System.exit(2);
    }
    // The translator's chatter must not reach the progress stream.
    PrintStream progress = System.out;
    System.setOut(System.err);
    try {
      List<Path> folders = Arrays.stream(args).skip(3).map(Path::of).collect(Collectors.toList());
      run(args[0].equals("open"), Path.of(args[1]), Path.of(args[2]), folders, progress);
    } catch (BadApk e) {
      System.err.println("bad apk: " + e.getMessage());
      System.exit(2);
    } catch (IOException | RuntimeException | StackOverflowError | OutOfMemoryError e) {
      System.err.println("bad apk: " + oneLine(e));
      System.exit(2);
    }
    System.exit(0);
  }

  private static void run(boolean open, Path apk, Path out, List<Path> folders, PrintStream progress) throws IOException {
    Files.createDirectories(out);
    try (ApkFile file = ApkFile.open(apk)) {
      Manifest manifest = Manifest.parse(file.read("AndroidManifest.xml"));
      Files.writeString(out.resolve("AndroidManifest.xml"), manifest.text());
      DexClasses classes = new DexClasses(file, new BuildClasses(folders), open, progress);
      classes.writeJars(out.resolve("original.jar"), out.resolve("app.jar"));
      byte[] table = file.has("resources.arsc") ? file.read("resources.arsc") : null;
      byte[] corrected = table == null ? null : ResourceTable.corrected(table);
      Path target = out.resolve("app.apk");
      if (corrected == null) {
        Files.copy(apk, target, StandardCopyOption.REPLACE_EXISTING);
      } else {
        file.copyReplacing("resources.arsc", corrected, target);
      }
      splits(file, out.resolve("splits"));
      Files.writeString(out.resolve("translate.json"), Summary.of(manifest, classes, corrected != null));
    }
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
