package droidtest.tool;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Set;
import org.jacoco.report.InputStreamSourceFileLocator;

/**
 * Finds source files below a folder. A class file names its source itself, and it is the app's: JaCoCo's own locator would
 * open {@code ../../home/id_rsa} or a link, and show the file in the report.
 */
final class SourceFolder extends InputStreamSourceFileLocator {
  /** Extensions of the languages that are compiled to class files, as in {@code coverage/sources.rs}. */
  private static final Set<String> LANGUAGES = Set.of("java", "kt", "kts", "scala", "groovy", "clj", "aj", "xtend");
  /** Bytes of a source file at most. */
  private static final long LARGEST = 16 << 20;

  private final Path folder;

  SourceFolder(Path folder) {
    super("UTF-8", 4);
    this.folder = folder;
  }

  @Override
  protected InputStream getSourceStream(String name) throws IOException {
    Path path = folder;
    String[] parts = name.split("/", -1);
    for (int i = 0; i < parts.length; i++) {
      if (!isName(parts[i])) {
        return null;
      }
      path = path.resolve(parts[i]);
      BasicFileAttributes found;
      try {
        found = Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      } catch (NoSuchFileException e) {
        return null;
      }
      boolean last = i == parts.length - 1;
      if (last ? !found.isRegularFile() || found.size() > LARGEST : !found.isDirectory()) {
        return null;
      }
    }
    int dot = parts[parts.length - 1].lastIndexOf('.');
    if (dot <= 0 || !LANGUAGES.contains(parts[parts.length - 1].substring(dot + 1))) {
      return null;
    }
    return Files.newInputStream(path, LinkOption.NOFOLLOW_LINKS);
  }

  /** Names a file or a folder in its parent, and no other place. */
  private static boolean isName(String part) {
    return !part.isEmpty() && !part.equals(".") && !part.equals("..") && part.indexOf('\\') < 0 && part.indexOf(':') < 0
        && part.indexOf('\0') < 0;
  }
}
