package droidtest.framework;

import droidtest.host.Shadowing;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.zip.Deflater;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * Makes the instrumented framework call its methods directly. In Robolectric's framework every method only asks, by
 * an {@code invokedynamic} of its own, whether a shadow replaces it; its code is in a twin. Where no shadow can ever
 * take its place, the method gets its code back and the twin calls it: what takes most of the time of an event otherwise
 * is asking in vain.
 */
public final class Direct {
  private static final String SUPPORT = "org/robolectric/internal/bytecode/InvokeDynamicSupport";
  private static final String INSTRUMENTED = "org/robolectric/internal/bytecode/ShadowedObject";
  private static final String TWIN = "$$robo$$";
  private static final String CONSTRUCTOR = "__constructor__";

  /** Robolectric's loopers, whose threads wait for messages. */
  private static final String QUEUE = "org/robolectric/shadows/ShadowPausedMessageQueue";

  private final Shadowed shadowed;
  private int swapped;

  private Direct(Shadowed shadowed) {
    this.shadowed = shadowed;
  }

  /**
   * @param args the instrumented framework's jar, the jar to write, the jar of Robolectric's resource tables, the folder
   *     for what is changed of the libraries, Robolectric's sandbox, and the jars and folders with shadows
   */
  public static void main(String[] args) throws IOException {
    List<Path> paths = Arrays.stream(args).map(Path::of).toList();
    Direct direct = new Direct(new Shadowed(paths.subList(5, paths.size())));
    direct.copy(paths.get(0), paths.get(1));
    if (direct.swapped == 0) {
      throw new IllegalStateException(paths.get(0) + " is not instrumented as Robolectric 4.16 does it");
    }
    for (Map.Entry<String, Kept> kept : Kept.ALL.entrySet()) {
      change(paths.get(2), kept.getKey(), paths.get(3), kept.getValue()::changed);
    }
    change(paths.get(2), Unsigned.TABLE, paths.get(3), Unsigned::changed);
    change(paths.get(2), Themes.THEME, paths.get(3), Themes::changed);
    change(paths.get(4), Bound.TYPE, paths.get(3), Bound::changed);
    change(paths.get(5), QUEUE, paths.get(3), Taking::polls);
  }

  /** Writes a class of a library as it is to be. */
  private static void change(Path jar, String type, Path out, UnaryOperator<byte[]> how) throws IOException {
    String file = type + ".class";
    try (JarFile from = new JarFile(jar.toFile(), false)) {
      if (from.getEntry(file) == null) {
        throw new IllegalStateException(jar + " has no " + file);
      }
      Path to = out.resolve(file);
      Files.createDirectories(to.getParent());
      Files.write(to, how.apply(from.getInputStream(from.getEntry(file)).readAllBytes()));
    }
  }

  private void copy(Path framework, Path out) throws IOException {
    try (JarFile from = new JarFile(framework.toFile(), false);
        OutputStream file = new BufferedOutputStream(Files.newOutputStream(out), 1 << 16);
        JarOutputStream to = new JarOutputStream(file)) {
      // Read at every start, written once: read speed matters more than size.
      to.setLevel(Deflater.BEST_SPEED);
      List<JarEntry> entries = from.stream().toList();
      int done = 0;
      for (JarEntry entry : entries) {
        try (InputStream in = from.getInputStream(entry)) {
          byte[] bytes = in.readAllBytes();
          JarEntry copy = new JarEntry(entry.getName());
          copy.setTime(entry.getTime());
          to.putNextEntry(copy);
          to.write(entry.getName().endsWith(".class") ? Taking.turns(rewrite(bytes)) : bytes);
          to.closeEntry();
        }
        if (++done % 1000 == 0) {
          System.out.println("progress " + done + " " + entries.size());
        }
      }
    }
  }

  /** A class with direct calls where there can be; the same bytes where there is nothing to change. */
  private byte[] rewrite(byte[] bytes) {
    ClassReader reader = new ClassReader(bytes);
    if (!Arrays.asList(reader.getInterfaces()).contains(INSTRUMENTED)) {
      return bytes;
    }
    ClassNode node = new ClassNode();
    reader.accept(node, 0);
    Map<String, MethodNode> methods = new HashMap<>();
    node.methods.forEach(method -> methods.put(method.name + method.desc, method));
    boolean changed = false;
    for (MethodNode method : List.copyOf(node.methods)) {
      InvokeDynamicInsnNode asks = asks(node.name, method);
      Handle twin = asks == null ? null : (Handle) asks.bsmArgs[0];
      if (twin == null || !twin.getOwner().equals(node.name)) {
        continue;
      }
      if (asks.name.equals(CONSTRUCTOR)) {
        int call = Opcodes.INVOKESPECIAL;
        method.instructions.set(
            asks, new MethodInsnNode(call, twin.getOwner(), twin.getName(), twin.getDesc(), false));
        changed = true;
      } else if (methods.containsKey(twin.getName() + twin.getDesc()) && asks.name.equals(method.name)) {
        if (swap(node.name, method, methods.get(twin.getName() + twin.getDesc()))) {
          changed = true;
          swapped++;
        }
      }
    }
    if (!changed) {
      return bytes;
    }
    // Stacks are as deep as before, and frames go with their code.
    ClassWriter writer = new ClassWriter(reader, 0);
    node.accept(writer);
    return writer.toByteArray();
  }

  /** The method's only shadow check, if no shadow can exist, or null. */
  private InvokeDynamicInsnNode asks(String owner, MethodNode method) {
    InvokeDynamicInsnNode found = null;
    for (AbstractInsnNode at : method.instructions) {
      if (at instanceof InvokeDynamicInsnNode call
          && call.bsm.getOwner().equals(SUPPORT)
          && call.bsm.getName().equals("bootstrap")) {
        // The code of a native method is not in its twin; 1 says that it is native.
        if (found != null || !(call.bsmArgs[0] instanceof Handle) || Integer.valueOf(1).equals(call.bsmArgs[1])) {
          return null;
        }
        found = call;
      }
    }
    return found == null || asked(owner, found.name) ? null : found;
  }

  private boolean asked(String owner, String method) {
    String name = owner.replace('/', '.');
    return Shadowing.led(name, method) || shadowed.contains(owner, method) && !Shadowing.real(name, method);
  }

  /** The method gets its twin's code, the twin a call of the method. */
  private static boolean swap(String owner, MethodNode method, MethodNode twin) {
    if (!twin.name.startsWith(TWIN) || (twin.access & (Opcodes.ACC_NATIVE | Opcodes.ACC_ABSTRACT)) != 0) {
      return false;
    }
    method.access |= twin.access & Opcodes.ACC_SYNCHRONIZED;
    method.instructions = twin.instructions;
    method.tryCatchBlocks = twin.tryCatchBlocks;
    method.localVariables = twin.localVariables;
    method.maxLocals = twin.maxLocals;
    method.maxStack = twin.maxStack;
    boolean isStatic = (method.access & Opcodes.ACC_STATIC) != 0;
    InsnList call = new InsnList();
    int local = 0;
    if (!isStatic) {
      call.add(new VarInsnNode(Opcodes.ALOAD, local++));
    }
    for (Type type : Type.getArgumentTypes(method.desc)) {
      call.add(new VarInsnNode(type.getOpcode(Opcodes.ILOAD), local));
      local += type.getSize();
    }
    int how = isStatic ? Opcodes.INVOKESTATIC : Opcodes.INVOKESPECIAL;
    call.add(new MethodInsnNode(how, owner, method.name, method.desc, false));
    Type result = Type.getReturnType(method.desc);
    call.add(new InsnNode(result.getOpcode(Opcodes.IRETURN)));
    twin.instructions = call;
    twin.tryCatchBlocks = new ArrayList<>();
    twin.localVariables = null;
    twin.maxLocals = local;
    twin.maxStack = Math.max(local, result.getSize());
    return true;
  }
}
