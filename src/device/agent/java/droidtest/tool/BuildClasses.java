package droidtest.tool;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The class files of a build, by internal name; the first folder that has a class gives it. */
final class BuildClasses {
  private static final String SUFFIX = ".class";

  private final Map<String, Path> files = new TreeMap<>();

  BuildClasses(List<Path> folders) throws IOException {
    for (Path folder : folders) {
      try (Stream<Path> walk = Files.walk(folder)) {
        for (Iterator<Path> all = walk.iterator(); all.hasNext(); ) {
          add(folder, all.next());
        }
      }
    }
  }

  private void add(Path folder, Path file) {
    String name = folder.relativize(file).toString().replace('\\', '/');
    if (name.endsWith(SUFFIX) && !name.endsWith("module-info.class")) {
      files.putIfAbsent(name.substring(0, name.length() - SUFFIX.length()), file);
    }
  }

  /** The class's bytes, or null if the build's folders do not hold it. */
  byte[] read(String name) throws IOException {
    Path file = files.get(name);
    return file == null ? null : Files.readAllBytes(file);
  }

  Set<String> names() {
    return files.keySet();
  }
}
