package droidtest.tool;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import org.jacoco.core.internal.flow.ClassProbesAdapter;
import org.jacoco.core.internal.flow.ClassProbesVisitor;
import org.jacoco.core.internal.flow.MethodProbesVisitor;
import org.jacoco.core.internal.instr.InstrSupport;
import org.objectweb.asm.ClassReader;

/**
 * Writes which of JaCoCo's probes lie in which method: a line {@code class TAB method TAB descriptor TAB first TAB end}
 * for each method with probes of the named classes, {@code end} not included.
 *
 * <p>Usage: {@code MethodProbes NAMES_FILE OUT_FILE JAR..}; the names are internal ({@code a/b/C$D}), one a line.
 */
public final class MethodProbes {
  private MethodProbes() {}

  public static void main(String[] args) {
    try {
      Set<String> open = new HashSet<>(Files.readAllLines(Path.of(args[0])));
      try (BufferedWriter out = Files.newBufferedWriter(Path.of(args[1]), StandardCharsets.UTF_8)) {
        for (int i = 2; i < args.length; i++) {
          try (JarFile jar = new JarFile(args[i])) {
            for (String name : Set.copyOf(open)) {
              JarEntry entry = jar.getJarEntry(name + ".class");
              if (entry != null && open.remove(name)) {
                try (InputStream in = jar.getInputStream(entry)) {
                  ClassReader reader = InstrSupport.classReaderFor(in.readAllBytes());
                  reader.accept(new Ranges(name, out).numbering(), 0);
                }
              }
            }
          }
        }
      }
    } catch (IOException | RuntimeException e) {
      System.err.println("method probes: " + String.valueOf(e.getMessage()).replaceAll("\\s+", " "));
      System.exit(2);
    }
  }

  /** Notes the numbers that JaCoCo gives to the probes of each method, in the order of the class file. */
  private static final class Ranges extends ClassProbesVisitor {
    private final String owner;
    private final BufferedWriter out;
    private String method;
    private int first;
    private int end;

    Ranges(String owner, BufferedWriter out) {
      super(null);
      this.owner = owner;
      this.out = out;
    }

    /** A visitor that numbers the probes. */
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
      method = name + "\t" + desc;
      return null;
    }

    @Override
    public void visitTotalProbeCount(int count) {
      finish();
    }

    private void finish() {
      if (end > first) {
        try {
          out.write(owner + "\t" + method + "\t" + first + "\t" + end + "\n");
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }
      first = end;
    }
  }
}
