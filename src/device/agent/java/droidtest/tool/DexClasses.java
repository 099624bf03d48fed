package droidtest.tool;

import com.googlecode.d2j.Method;
import com.googlecode.d2j.dex.ClassVisitorFactory;
import com.googlecode.d2j.dex.DexExceptionHandler;
import com.googlecode.d2j.dex.ExDex2Asm;
import com.googlecode.d2j.node.DexClassNode;
import com.googlecode.d2j.node.DexDebugNode;
import com.googlecode.d2j.node.DexFileNode;
import com.googlecode.d2j.node.DexMethodNode;
import com.googlecode.d2j.reader.DexFileReader;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** Translates all dex files of an APK to class files, confines them ({@link Rewriter}) and adds probes. */
final class DexClasses {
  private final ApkFile apk;
  private final BuildClasses build;
  private final PrintStream progress;
  private final List<String> failedMethods = new ArrayList<>();
  private final List<String> failedClasses = new ArrayList<>();
  private int count;
  private boolean linesKnown;

  DexClasses(ApkFile apk, BuildClasses build, PrintStream progress) {
    this.apk = apk;
    this.build = build;
    this.progress = progress;
  }

  int count() {
    return count;
  }

  boolean linesKnown() {
    return linesKnown;
  }

  List<String> failedMethods() {
    return failedMethods;
  }

  List<String> failedClasses() {
    return failedClasses;
  }

  List<String> nativeLibraries() {
    return new ArrayList<>(new TreeSet<>(apk.nativeLibraries()));
  }

  /** Writes the classes without probes to one jar and with probes to the other; plain resources go into the latter. */
  void writeJars(Path original, Path instrumented) throws IOException {
    List<DexFileNode> files = new ArrayList<>();
    int total = 0;
    for (String name : apk.dexNames()) {
      DexFileNode file = new DexFileNode();
      try {
        new DexFileReader(apk.read(name)).accept(file, DexFileReader.IGNORE_READ_EXCEPTION | DexFileReader.DONT_SANITIZE_NAMES);
      } catch (RuntimeException e) {
        throw new BadApk(name + " is not a readable dex file");
      }
      files.add(file);
      total += file.clzs.size();
    }
    if (total == 0) {
      throw new BadApk("no dex code inside");
    }
    Set<String> seen = new HashSet<>();
    Probing probing = new Probing();
    Rewriter rewriter = new Rewriter();
    try (ZipOutputStream plain = jar(original); ZipOutputStream probed = jar(instrumented)) {
      Converter converter = new Converter();
      int done = 0;
      for (DexFileNode file : files) {
        Map<String, ?> info = converter.info(file);
        for (DexClassNode node : file.clzs) {
          if (done++ % 100 == 0) {
            progress.println("progress " + (done - 1) + " " + total);
            progress.flush();
          }
          // Where two dex files hold the same class Android loads the first.
          if (seen.add(node.className)) {
            convert(converter, file, node, info, rewriter, probing, plain, probed);
          }
        }
        file.clzs.clear();
      }
      for (String name : build.names()) {
        if (seen.add("L" + name + ";")) {
          take(name, build.read(name), null, rewriter, probing, plain, probed);
        }
      }
      for (String name : apk.javaResources()) {
        put(probed, name, apk.read(name));
      }
    }
    progress.println("progress " + total + " " + total);
    progress.flush();
  }

  private void convert(
      Converter converter, DexFileNode file, DexClassNode node, Map<String, ?> info, Rewriter rewriter, Probing probing,
      ZipOutputStream plain, ZipOutputStream probed)
      throws IOException {
    String name = node.className.substring(1, node.className.length() - 1);
    try {
      dropLocals(node);
      byte[] built = build.read(name);
      byte[] bytes = built != null ? built : converter.convert(file, node, info);
      take(name, bytes, node.source, rewriter, probing, plain, probed);
    } catch (RuntimeException | StackOverflowError e) {
      failedClasses.add(name + ": " + e);
    }
  }

  private void take(
      String name, byte[] bytes, String source, Rewriter rewriter, Probing probing, ZipOutputStream plain,
      ZipOutputStream probed)
      throws IOException {
    byte[] rewritten;
    byte[] withProbes;
    try {
      rewritten = rewriter.rewrite(bytes, source);
      withProbes = probing.instrument(rewritten, name);
    } catch (RuntimeException | StackOverflowError e) {
      failedClasses.add(name + ": " + e);
      return;
    }
    put(plain, name + ".class", rewritten);
    put(probed, name + ".class", withProbes);
    count++;
  }

  /** Debug locals make the translator keep registers apart wrongly (classes that do not verify); lines are enough. */
  private void dropLocals(DexClassNode node) {
    if (node.methods == null) {
      return;
    }
    for (DexMethodNode method : node.methods) {
      if (method.codeNode == null || method.codeNode.debugNode == null) {
        continue;
      }
      method.codeNode.debugNode.debugNodes.removeIf(
          op -> !(op instanceof DexDebugNode.DexDebugOpNode.LineNumber));
      linesKnown |= !method.codeNode.debugNode.debugNodes.isEmpty();
    }
  }

  private static ZipOutputStream jar(Path path) throws IOException {
    OutputStream out = new BufferedOutputStream(Files.newOutputStream(path), 1 << 16);
    ZipOutputStream zip = new ZipOutputStream(out);
    zip.setLevel(Deflater.BEST_SPEED);
    return zip;
  }

  private static void put(ZipOutputStream out, String name, byte[] bytes) throws IOException {
    ZipEntry entry = new ZipEntry(name);
    entry.setTime(315532800000L);
    out.putNextEntry(entry);
    out.write(bytes);
    out.closeEntry();
  }

  /** The translator with its protected parts within reach. */
  private final class Converter extends ExDex2Asm {
    private ClassWriter writer;
    private final ClassVisitorFactory factory = name -> writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);

    Converter() {
      super(new Failures());
    }

    Map<String, ?> info(DexFileNode file) {
      return collectClzInfo(file);
    }

    @SuppressWarnings("unchecked")
    byte[] convert(DexFileNode file, DexClassNode node, Map<String, ?> info) {
      writer = null;
      convertClass(file, node, factory, (Map<String, Clz>) info);
      return writer.toByteArray();
    }
  }

  /** A method that cannot be translated throws when it is called, and is named in the summary. */
  private final class Failures implements DexExceptionHandler {
    @Override
    public void handleFileException(Exception e) {
      failedClasses.add(String.valueOf(e));
    }

    @Override
    public void handleMethodTranslateException(Method method, DexMethodNode node, MethodVisitor mv, Exception e) {
      failedMethods.add(method.toString());
      mv.visitTypeInsn(Opcodes.NEW, "java/lang/VerifyError");
      mv.visitInsn(Opcodes.DUP);
      mv.visitLdcInsn("droidtest: this method could not be translated");
      mv.visitMethodInsn(Opcodes.INVOKESPECIAL, "java/lang/VerifyError", "<init>", "(Ljava/lang/String;)V", false);
      mv.visitInsn(Opcodes.ATHROW);
      mv.visitMaxs(0, 0);
    }
  }
}
