import java.io.BufferedWriter;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jacoco.core.analysis.Analyzer;
import org.jacoco.core.analysis.CoverageBuilder;
import org.jacoco.core.analysis.IBundleCoverage;
import org.jacoco.core.data.ExecutionData;
import org.jacoco.core.instr.Instrumenter;
import org.jacoco.core.internal.data.CRC64;
import org.jacoco.core.internal.flow.ClassProbesAdapter;
import org.jacoco.core.internal.flow.ClassProbesVisitor;
import org.jacoco.core.internal.flow.MethodProbesVisitor;
import org.jacoco.core.internal.instr.InstrSupport;
import org.jacoco.core.runtime.IExecutionDataAccessorGenerator;
import org.jacoco.core.tools.ExecFileLoader;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * What JaCoCo makes of class files.
 *
 * <ul>
 *   <li>{@code number FOLDER OUT}: each class's id, and the numbers of its methods' probes.
 *   <li>{@code instrument FOLDER OUT_FOLDER}: the classes with JaCoCo's probes, whose array {@link Recorder} gives.
 *   <li>{@code compare A.exec B.exec FOLDER}: fails unless both have the same classes and probes, and prints what JaCoCo
 *       reports.
 *   <li>{@code link FOLDER OUT JAR ..}: loads and links the classes; writes a line for each that fails.
 * </ul>
 */
public final class Reference {
  private Reference() {}

  public static void main(String[] args) throws IOException {
    Path from = Path.of(args[1]);
    switch (args[0]) {
      case "number":
        number(from, Path.of(args[2]));
        break;
      case "instrument":
        instrument(from, Path.of(args[2]));
        break;
      case "compare":
        compare(new File(args[1]), new File(args[2]), new File(args[3]));
        break;
      case "link":
        link(from, Path.of(args[2]), List.of(args).subList(3, args.length));
        break;
      default:
        throw new IllegalArgumentException(args[0]);
    }
  }

  private static List<Path> classes(Path folder) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      return all.filter(path -> path.toString().endsWith(".class")).sorted().collect(Collectors.toList());
    }
  }

  private static void number(Path folder, Path to) throws IOException {
    try (BufferedWriter out = Files.newBufferedWriter(to, StandardCharsets.UTF_8)) {
      for (Path path : classes(folder)) {
        byte[] bytes = Files.readAllBytes(path);
        out.write("class " + folder.relativize(path) + " " + Long.toHexString(CRC64.classId(bytes)) + "\n");
        InstrSupport.classReaderFor(bytes).accept(new Ranges(out).numbering(), 0);
      }
    }
  }

  private static void instrument(Path folder, Path to) throws IOException {
    Instrumenter instrumenter = new Instrumenter(new Access());
    for (Path path : classes(folder)) {
      Path file = to.resolve(folder.relativize(path));
      Files.createDirectories(file.getParent());
      Files.write(file, instrumenter.instrument(Files.readAllBytes(path), path.toString()));
    }
  }

  private static void compare(File first, File second, File classes) throws IOException {
    ExecFileLoader one = new ExecFileLoader();
    one.load(first);
    ExecFileLoader other = new ExecFileLoader();
    other.load(second);
    TreeSet<String> different = new TreeSet<>();
    int probes = 0;
    for (ExecutionData data : one.getExecutionDataStore().getContents()) {
      ExecutionData same = other.getExecutionDataStore().get(data.getId());
      if (same == null || !Arrays.equals(data.getProbes(), same.getProbes())) {
        different.add(data.getName());
      }
      probes += data.getProbes().length;
    }
    for (ExecutionData data : other.getExecutionDataStore().getContents()) {
      if (one.getExecutionDataStore().get(data.getId()) == null) {
        different.add(data.getName());
      }
    }
    System.out.println(one.getExecutionDataStore().getContents().size() + " classes, " + probes + " probes");
    for (ExecFileLoader each : List.of(one, other)) {
      CoverageBuilder builder = new CoverageBuilder();
      new Analyzer(each.getExecutionDataStore(), builder).analyzeAll(classes);
      IBundleCoverage bundle = builder.getBundle("all");
      System.out.println(
          bundle.getLineCounter().getCoveredCount() + " lines, "
              + bundle.getBranchCounter().getCoveredCount() + " branches, "
              + bundle.getInstructionCounter().getCoveredCount() + " instructions covered; "
              + builder.getNoMatchClasses().size() + " classes do not match");
    }
    if (!different.isEmpty() || probes == 0) {
      System.err.println("different: " + different);
      System.exit(1);
    }
  }

  private static void link(Path folder, Path to, List<String> jars) throws IOException {
    List<URL> urls = new ArrayList<>();
    urls.add(folder.toUri().toURL());
    for (String jar : jars) {
      urls.add(new File(jar).toURI().toURL());
    }
    int linked = 0;
    ClassLoader loader = new URLClassLoader(urls.toArray(new URL[0]), ClassLoader.getPlatformClassLoader());
    try (BufferedWriter out = Files.newBufferedWriter(to, StandardCharsets.UTF_8)) {
      for (Path path : classes(folder)) {
        String file = folder.relativize(path).toString();
        String name = file.substring(0, file.length() - ".class".length()).replace('/', '.');
        try {
          // HotSpot links a class before it lists its methods.
          Class.forName(name, false, loader).getDeclaredMethods();
          linked++;
        } catch (LinkageError | SecurityException e) {
          // Which of several missing classes is named differs.
          out.write(name + ": " + e.getClass().getName() + "\n");
        } catch (ClassNotFoundException e) {
          out.write(name + ": is not found\n");
        }
      }
    }
    System.out.println(linked + " classes linked");
  }

  private static final class Access implements IExecutionDataAccessorGenerator {
    @Override
    public int generateDataAccessor(long id, String name, int count, MethodVisitor mv) {
      mv.visitLdcInsn(id);
      mv.visitLdcInsn(name);
      mv.visitLdcInsn(count);
      mv.visitMethodInsn(Opcodes.INVOKESTATIC, "Recorder", "of", "(JLjava/lang/String;I)[Z", false);
      return 4;
    }
  }

  /** Notes the numbers that JaCoCo gives to the probes of each method, in the order of the class file. */
  private static final class Ranges extends ClassProbesVisitor {
    private final BufferedWriter out;
    private String method;
    private int first;
    private int end;

    Ranges(BufferedWriter out) {
      super(null);
      this.out = out;
    }

    ClassProbesAdapter numbering() {
      return new ClassProbesAdapter(this, false) {
        @Override
        public int nextId() {
          int id = super.nextId();
          end = id + 1;
          return id;
        }
      };
    }

    @Override
    public MethodProbesVisitor visitMethod(int access, String name, String desc, String signature, String[] exceptions) {
      finish();
      method = name + desc;
      return null;
    }

    @Override
    public void visitTotalProbeCount(int count) {
      finish();
    }

    private void finish() {
      if (end > first) {
        try {
          out.write("method " + method + " " + first + " " + end + "\n");
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }
      first = end;
    }
  }
}
