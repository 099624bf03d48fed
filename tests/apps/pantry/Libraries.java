package droidtest.tool;

import com.googlecode.d2j.node.DexClassNode;
import com.googlecode.d2j.node.DexDebugNode;
import com.googlecode.d2j.node.DexFileNode;
import com.googlecode.d2j.node.DexMethodNode;
import com.googlecode.d2j.reader.DexFileReader;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.AnnotationNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.IincInsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.VarInsnNode;
import org.objectweb.asm.tree.analysis.Analyzer;
import org.objectweb.asm.tree.analysis.AnalyzerException;
import org.objectweb.asm.tree.analysis.Frame;
import org.objectweb.asm.tree.analysis.SourceInterpreter;
import org.objectweb.asm.tree.analysis.SourceValue;

/**
 * Takes AndroidX out of an APK that holds it unshrunk: translated, to be shrunk into the app, and as kotlinc can compile
 * against it. The device's translator does the first, without what it adds to confine and to measure an app.
 *
 * <p>A dex file keeps {@code @Metadata}, but lacks three things that kotlinc needs:
 *
 * <ul>
 *   <li>{@code @Composable} has binary retention, so D8 drops it. It is put back on every method that takes a {@code
 *       Composer} and the bits after it, which is what the Compose compiler makes of the annotation.
 *   <li>An APK has no {@code .kotlin_module} files, which say in which classes the functions outside of classes are. One
 *       is written, from {@code @Metadata}.
 *   <li>A register that held a parameter is used again for something else. kotlinc inlines a function only where it can
 *       tell the lambda it was given by its slot, so what is stored there later gets a slot of its own. Jumps to the next
 *       instruction go, for the same reason.
 * </ul>
 *
 * <p>Usage: {@code Libraries APK PROGRAM.jar COMPILE.jar}
 */
public final class Libraries {
  private static final String COMPOSABLE = "Landroidx/compose/runtime/Composable;";
  private static final String COMPOSER = "Landroidx/compose/runtime/Composer;";
  private static final String METADATA = "Lkotlin/Metadata;";
  /** Values of {@code Metadata.k}. */
  private static final int FILE = 2;
  private static final int PART = 5;

  /** By package: the classes with functions, and for parts of a facade its name. */
  private final Map<String, Map<String, String>> packages = new TreeMap<>();

  public static void main(String[] args) throws ReflectiveOperationException {
    new Ordered(Libraries.class.getClassLoader())
        .loadClass(Libraries.class.getName())
        .getMethod("make", String.class, String.class, String.class)
        .invoke(null, args[0], args[1], args[2]);
  }

  /** All of it, with the tables of {@link Ordered}. */
  public static void make(String apk, String program, String compile) throws IOException, AnalyzerException {
    new Libraries().run(Path.of(apk), Path.of(program), Path.of(compile));
  }

  private void run(Path apk, Path program, Path compile) throws IOException, AnalyzerException {
    Map<String, byte[]> classes = new TreeMap<>();
    try (ApkFile file = ApkFile.open(apk)) {
      translate(file, classes);
    }
    write(program, classes);
    for (Map.Entry<String, byte[]> each : classes.entrySet()) {
      each.setValue(forCompiler(each.getValue()));
    }
    classes.put("META-INF/androidx.kotlin_module", module());
    write(compile, classes);
  }

  private static void translate(ApkFile apk, Map<String, byte[]> classes) throws IOException {
    Hierarchy hierarchy = new Hierarchy();
    Converter converter =
        new Converter(
            new Constructors(hierarchy),
            method -> {
              throw new IllegalStateException("not translated: " + method);
            });
    Corrections corrections = new Corrections(hierarchy);
    List<DexFileNode> files = new ArrayList<>();
    for (String name : apk.dexNames()) {
      DexFileNode file = new DexFileNode();
      new DexFileReader(apk.read(name)).accept(file, DexFileReader.DONT_SANITIZE_NAMES);
      file.clzs.forEach(Libraries::dropLocals);
      file.clzs.forEach(hierarchy::add);
      files.add(file);
    }
    for (DexFileNode file : files) {
      Map<String, ?> info = Converter.info(file);
      for (DexClassNode node : file.clzs) {
        String name = Hierarchy.internal(node.className) + ".class";
        if (isWanted(name) && !classes.containsKey(name)) {
          ClassNode made = converter.convert(file, node, info);
          corrections.correct(made);
          made.sourceFile = node.source;
          Frames writer = new Frames(hierarchy);
          made.accept(writer);
          classes.put(name, writer.toByteArray());
        }
      }
    }
  }

  /** As the device's translator does: with them dex2jar keeps registers apart wrongly. */
  private static void dropLocals(DexClassNode node) {
    for (DexMethodNode method : node.methods == null ? List.<DexMethodNode>of() : node.methods) {
      if (method.codeNode != null && method.codeNode.debugNode != null) {
        method.codeNode.debugNode.debugNodes.removeIf(op -> !(op instanceof DexDebugNode.DexDebugOpNode.LineNumber));
      }
    }
  }

  private static void write(Path to, Map<String, byte[]> files) throws IOException {
    try (ZipOutputStream out = new ZipOutputStream(new BufferedOutputStream(Files.newOutputStream(to)))) {
      for (Map.Entry<String, byte[]> each : files.entrySet()) {
        ZipEntry entry = new ZipEntry(each.getKey());
        entry.setTime(315532800000L);
        out.putNextEntry(entry);
        out.write(each.getValue());
        out.closeEntry();
      }
    }
  }

  /** AndroidX itself: Kotlin's classes come from Maven Central, and the classes of resources from our own resources. */
  private static boolean isWanted(String name) {
    return name.startsWith("androidx/") && name.endsWith(".class")
        && !name.startsWith("androidx/test/") && !name.startsWith("androidx/compose/ui/test/")
        && !name.matches(".*/R(\\$[a-z]+)?\\.class");
  }

  private byte[] forCompiler(byte[] bytes) throws AnalyzerException {
    ClassNode node = new ClassNode();
    new ClassReader(bytes).accept(node, ClassReader.SKIP_FRAMES);
    note(node);
    for (MethodNode method : node.methods) {
      if (isComposable(method.desc)) {
        method.visitAnnotation(COMPOSABLE, false).visitEnd();
      }
      if (method.desc.contains("Lkotlin/jvm/functions/Function")) {
        keepParameters(node.name, method);
        dropJumps(method);
      }
    }
    ClassWriter writer = new ClassWriter(0);
    node.accept(writer);
    return writer.toByteArray();
  }

  /** Stores into the slot of a parameter that no read of the parameter sees go to new slots. */
  private static void keepParameters(String owner, MethodNode method) throws AnalyzerException {
    AbstractInsnNode parameter = new LabelNode();
    Frame<SourceValue>[] frames = new Analyzer<>(new Sources(parameter)).analyze(owner, method);
    int slot = (method.access & Opcodes.ACC_STATIC) == 0 ? 1 : 0;
    for (Type type : Type.getArgumentTypes(method.desc)) {
      keep(method, frames, slot, parameter);
      slot += type.getSize();
    }
  }

  private static void keep(MethodNode method, Frame<SourceValue>[] frames, int slot, AbstractInsnNode parameter) {
    Set<AbstractInsnNode> ofParameter = new HashSet<>(Collections.singleton(parameter));
    List<VarInsnNode> others = new ArrayList<>();
    for (int before = 0; before < ofParameter.size(); ) {
      before = ofParameter.size();
      others.clear();
      for (int i = 0; i < frames.length; i++) {
        AbstractInsnNode at = method.instructions.get(i);
        if (at instanceof IincInsnNode && ((IincInsnNode) at).var == slot) {
          return;
        }
        if (frames[i] == null || !(at instanceof VarInsnNode) || ((VarInsnNode) at).var != slot) {
          continue;
        }
        Set<AbstractInsnNode> sources = frames[i].getLocal(slot).insns;
        if (at.getOpcode() >= Opcodes.ISTORE) {
          if (!ofParameter.contains(at)) {
            others.add((VarInsnNode) at);
          }
        } else if (Collections.disjoint(sources, ofParameter)) {
          others.add((VarInsnNode) at);
        } else {
          ofParameter.addAll(sources);
        }
      }
    }
    // Two slots: a long may be among what the register holds later.
    others.forEach(other -> other.var = method.maxLocals);
    method.maxLocals += others.isEmpty() ? 0 : 2;
  }

  /** Jumps to what follows anyway, which hide from kotlinc where the code of a parameter's default ends. */
  private static void dropJumps(MethodNode method) {
    for (AbstractInsnNode at : method.instructions.toArray()) {
      AbstractInsnNode next = at.getNext();
      while (at.getOpcode() == Opcodes.GOTO && next != null && next.getOpcode() < 0) {
        if (next == ((JumpInsnNode) at).label) {
          method.instructions.remove(at);
          break;
        }
        next = next.getNext();
      }
    }
  }

  /** Which stores a local may come from; a parameter's first value has a source of its own. */
  private static final class Sources extends SourceInterpreter {
    private final AbstractInsnNode parameter;

    Sources(AbstractInsnNode parameter) {
      super(Opcodes.ASM9);
      this.parameter = parameter;
    }

    @Override
    public SourceValue newParameterValue(boolean isInstance, int local, Type type) {
      return new SourceValue(type.getSize(), parameter);
    }
  }

  /** A composer, then nothing but the bits of what has changed and what is left to its default. */
  private static boolean isComposable(String descriptor) {
    Type[] parameters = Type.getArgumentTypes(descriptor);
    int i = parameters.length - 1;
    while (i >= 0 && parameters[i] == Type.INT_TYPE) {
      i--;
    }
    return i >= 0 && i < parameters.length - 1 && parameters[i].getDescriptor().equals(COMPOSER);
  }

  private void note(ClassNode node) {
    if (node.visibleAnnotations == null) {
      return;
    }
    for (AnnotationNode annotation : node.visibleAnnotations) {
      if (!annotation.desc.equals(METADATA)) {
        continue;
      }
      int kind = 0;
      String facade = "";
      for (int i = 0; i < annotation.values.size(); i += 2) {
        Object value = annotation.values.get(i + 1);
        if (annotation.values.get(i).equals("k")) {
          kind = (Integer) value;
        } else if (annotation.values.get(i).equals("xs")) {
          facade = (String) value;
        }
      }
      if (kind == FILE || kind == PART) {
        int slash = node.name.lastIndexOf('/');
        packages
            .computeIfAbsent(node.name.substring(0, slash).replace('/', '.'), name -> new TreeMap<>())
            .put(node.name.substring(slash + 1), kind == PART ? facade.substring(facade.lastIndexOf('/') + 1) : "");
      }
    }
  }

  /** The protocol buffer {@code JvmModuleProtoBuf.Module} behind the format's version. */
  private byte[] module() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    DataOutputStream head = new DataOutputStream(out);
    int[] version = {2, 1, 0};
    head.writeInt(version.length);
    for (int number : version) {
      head.writeInt(number);
    }
    head.writeInt(0);
    for (Map.Entry<String, Map<String, String>> each : packages.entrySet()) {
      bytes(out, 1, parts(each.getKey(), each.getValue()));
    }
    return out.toByteArray();
  }

  private static byte[] parts(String name, Map<String, String> classes) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    bytes(out, 1, name.getBytes("UTF-8"));
    ByteArrayOutputStream ids = new ByteArrayOutputStream();
    List<String> facades = new ArrayList<>(new LinkedHashSet<>(classes.values()));
    facades.remove("");
    for (Map.Entry<String, String> each : classes.entrySet()) {
      bytes(out, 2, each.getKey().getBytes("UTF-8"));
      varint(ids, facades.indexOf(each.getValue()) + 1);
    }
    bytes(out, 3, ids.toByteArray());
    for (String facade : facades) {
      bytes(out, 4, facade.getBytes("UTF-8"));
    }
    return out.toByteArray();
  }

  private static void bytes(ByteArrayOutputStream out, int field, byte[] value) throws IOException {
    varint(out, field << 3 | 2);
    varint(out, value.length);
    out.write(value);
  }

  private static void varint(ByteArrayOutputStream out, int value) {
    int rest = value;
    while (rest >= 0x80) {
      out.write(rest & 0x7f | 0x80);
      rest >>>= 7;
    }
    out.write(rest);
  }
}
