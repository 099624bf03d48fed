package droidtest.tool;

import java.io.BufferedInputStream;
import java.io.File;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import org.jacoco.core.analysis.Analyzer;
import org.jacoco.core.analysis.CoverageBuilder;
import org.jacoco.core.analysis.IBundleCoverage;
import org.jacoco.core.analysis.IClassCoverage;
import org.jacoco.core.internal.analysis.ClassCoverageImpl;
import org.jacoco.core.tools.ExecFileLoader;
import org.jacoco.report.FileMultiReportOutput;
import org.jacoco.report.IReportVisitor;
import org.jacoco.report.MultiReportVisitor;
import org.jacoco.report.MultiSourceFileLocator;
import org.jacoco.report.html.HTMLFormatter;
import org.jacoco.report.xml.XMLFormatter;

/**
 * Writes JaCoCo's XML and HTML reports, of each execution file for itself: in {@code DIR/0}, {@code DIR/1} and so on. One
 * process for many is several times as fast as a process for each.
 *
 * <p>Usage: {@code Coverage --exec FILE.. --classes JAR_OR_FOLDER.. --out DIR [--name NAME] [--sources DIR].. [--html no]
 * [--exclude PREFIX_FILE]}; the exclude file holds one package or class prefix ({@code android.support.}) a line.
 */
public final class Coverage {
  private final List<File> execs = new ArrayList<>();
  private final List<File> classes = new ArrayList<>();
  private final List<File> sources = new ArrayList<>();
  private final List<String> excluded = new ArrayList<>();
  private String name = "app";
  private boolean html = true;
  private File out;

  private Coverage() {}

  public static void main(String[] args) {
    Coverage coverage = new Coverage();
    try {
      coverage.parse(args);
      for (int i = 0; i < coverage.execs.size(); i++) {
        coverage.report(coverage.execs.get(i), new File(coverage.out, String.valueOf(i)));
      }
    } catch (IOException | RuntimeException e) {
      System.err.println("coverage: " + String.valueOf(e.getMessage()).replaceAll("\\s+", " "));
      System.exit(2);
    }
  }

  private void parse(String[] args) throws IOException {
    for (int i = 0; i + 1 < args.length; i += 2) {
      String value = args[i + 1];
      switch (args[i]) {
        case "--exec":
          execs.add(new File(value));
          break;
        case "--classes":
          classes.add(new File(value));
          break;
        case "--sources":
          sources.add(new File(value));
          break;
        case "--out":
          out = new File(value);
          break;
        case "--html":
          html = !value.equals("no");
          break;
        case "--name":
          name = value;
          break;
        case "--exclude":
          for (String line : Files.readAllLines(Path.of(value))) {
            if (!line.isBlank()) {
              excluded.add(line.trim().replace('.', '/'));
            }
          }
          break;
        default:
          throw new IllegalArgumentException("unknown option " + args[i]);
      }
    }
    if (execs.isEmpty() || classes.isEmpty() || out == null) {
      throw new IllegalArgumentException("--exec, --classes and --out are needed");
    }
  }

  private void report(File exec, File to) throws IOException {
    ExecFileLoader loader = new ExecFileLoader();
    loader.load(exec);
    CoverageBuilder builder = new Named();
    Analyzer analyzer = new Analyzer(loader.getExecutionDataStore(), builder);
    for (File file : classes) {
      if (file.isDirectory()) {
        analyzeFolder(analyzer, file, "");
      } else {
        analyzeJar(analyzer, file);
      }
    }
    IBundleCoverage bundle = builder.getBundle(name);
    Files.createDirectories(to.toPath());
    try (OutputStream xml = new FileOutputStream(new File(to, "jacoco.xml"))) {
      List<IReportVisitor> visitors = new ArrayList<>();
      visitors.add(new XMLFormatter().createVisitor(xml));
      if (html) {
        visitors.add(new HTMLFormatter().createVisitor(new FileMultiReportOutput(new File(to, "html"))));
      }
      IReportVisitor visitor = new MultiReportVisitor(visitors);
      visitor.visitInfo(loader.getSessionInfoStore().getInfos(), loader.getExecutionDataStore().getContents());
      MultiSourceFileLocator locator = new MultiSourceFileLocator(4);
      for (File folder : sources) {
        locator.add(new SourceFolder(folder.toPath()));
      }
      visitor.visitBundle(bundle, locator);
      visitor.visitEnd();
    }
  }

  private boolean wanted(String path) {
    if (!path.endsWith(".class")) {
      return false;
    }
    for (String prefix : excluded) {
      if (path.startsWith(prefix)) {
        return false;
      }
    }
    // Generated constants are no code of anybody's.
    return !path.matches("(.*/)?(R|R\\$[a-z]+|BuildConfig|Manifest|Manifest\\$[a-z_]+)\\.class");
  }

  private void analyzeJar(Analyzer analyzer, File file) throws IOException {
    try (JarFile jar = new JarFile(file)) {
      for (Enumeration<JarEntry> entries = jar.entries(); entries.hasMoreElements(); ) {
        JarEntry entry = entries.nextElement();
        if (wanted(entry.getName())) {
          try (InputStream in = jar.getInputStream(entry)) {
            analyzer.analyzeClass(in, entry.getName());
          }
        }
      }
    }
  }

  private void analyzeFolder(Analyzer analyzer, File folder, String prefix) throws IOException {
    File[] files = folder.listFiles();
    if (files == null) {
      throw new IOException("cannot read " + folder.getName());
    }
    for (File file : files) {
      if (file.isDirectory()) {
        analyzeFolder(analyzer, file, prefix + file.getName() + "/");
      } else if (wanted(prefix + file.getName())) {
        try (InputStream in = new BufferedInputStream(new FileInputStream(file))) {
          analyzer.analyzeClass(in, prefix + file.getName());
        }
      }
    }
  }

  /**
   * Names a source file for classes that have none, or the one name an obfuscator gave to all ("SourceFile",
   * "r8-map-id-..."): under one name JaCoCo would take the lines of different files for the same lines.
   */
  private static final class Named extends CoverageBuilder {
    @Override
    public void visitCoverage(IClassCoverage coverage) {
      String source = coverage.getSourceFileName();
      if (coverage instanceof ClassCoverageImpl && (source == null || source.indexOf('.') < 0)) {
        String name = coverage.getName().substring(coverage.getName().lastIndexOf('/') + 1);
        int nested = name.indexOf('$', 1);
        ((ClassCoverageImpl) coverage).setSourceFileName((nested < 0 ? name : name.substring(0, nested)) + ".java");
      }
      super.visitCoverage(coverage);
    }
  }
}
