package droidtest.tool;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jacoco.core.instr.Instrumenter;
import org.jacoco.core.runtime.IExecutionDataAccessorGenerator;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodTooLargeException;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.MethodNode;

/** JaCoCo's probes, with the probe arrays kept by {@link droidtest.host.Probes} so that they outlive a class loader. */
final class Probing {
  /** A class in two forms: {@code plain} for the coverage report, {@code probed} to run. */
  static final class Probed {
    final byte[] plain;
    final byte[] probed;
    /** Methods that have no room for probes; {@code plain} lacks them, so that no report counts their lines. */
    final List<String> without = new ArrayList<>();

    Probed(byte[] plain, byte[] probed) {
      this.plain = plain;
      this.probed = probed;
    }
  }

  private final Instrumenter instrumenter = new Instrumenter(new Access());

  Probed instrument(byte[] bytes, String name) throws IOException {
    ClassNode whole = null;
    List<MethodNode> large = new ArrayList<>();
    byte[] plain = bytes;
    while (true) {
      try {
        byte[] probed = instrumenter.instrument(plain, name);
        Probed done = new Probed(plain, large.isEmpty() ? probed : withMethods(probed, large));
        large.forEach(method -> done.without.add(name + "." + method.name + method.desc));
        return done;
      } catch (IOException e) {
        MethodTooLargeException cause = tooLarge(e);
        if (cause == null) {
          throw e;
        }
        if (whole == null) {
          whole = new ClassNode();
          new ClassReader(bytes).accept(whole, 0);
        }
        MethodNode method = take(whole, cause.getMethodName() + cause.getDescriptor());
        if (method == null) {
          throw e;
        }
        large.add(method);
        ClassWriter writer = new ClassWriter(0);
        whole.accept(writer);
        plain = writer.toByteArray();
      }
    }
  }

  private static MethodTooLargeException tooLarge(Throwable e) {
    for (Throwable at = e; at != null; at = at.getCause()) {
      if (at instanceof MethodTooLargeException) {
        return (MethodTooLargeException) at;
      }
    }
    return null;
  }

  private static MethodNode take(ClassNode from, String method) {
    for (MethodNode each : from.methods) {
      if (method.equals(each.name + each.desc)) {
        from.methods.remove(each);
        return each;
      }
    }
    return null;
  }

  private static byte[] withMethods(byte[] probed, List<MethodNode> methods) {
    ClassReader reader = new ClassReader(probed);
    ClassNode node = new ClassNode();
    reader.accept(node, 0);
    node.methods.addAll(methods);
    ClassWriter writer = new ClassWriter(0);
    node.accept(writer);
    return writer.toByteArray();
  }

  private static final class Access implements IExecutionDataAccessorGenerator {
    @Override
    public int generateDataAccessor(long classId, String className, int probeCount, MethodVisitor mv) {
      mv.visitLdcInsn(classId);
      mv.visitLdcInsn(className);
      mv.visitLdcInsn(probeCount);
      mv.visitMethodInsn(
          Opcodes.INVOKESTATIC, "droidtest/host/Probes", "of", "(JLjava/lang/String;I)[Z", false);
      return 4;
    }
  }
}
