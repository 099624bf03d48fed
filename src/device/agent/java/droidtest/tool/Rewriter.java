package droidtest.tool;

import java.util.function.Consumer;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Changes translated classes: what they call stays inside the device ({@link Confined}), and probes that a debug build
 * brings along are put to rest so that ours can be added.
 */
final class Rewriter {
  private static final String PROBES = "$jacocoInit";
  private static final String PROBE_DATA = "$jacocoData";

  private final Hierarchy hierarchy;
  private final boolean open;

  /** @param open whether calls may leave the device */
  Rewriter(Hierarchy hierarchy, boolean open) {
    this.hierarchy = hierarchy;
    this.open = open;
  }

  /**
   * @param from hands the class to a visitor
   * @param writer takes the changed class
   * @param source the source file's name as the dex file has it, or null; the translator leaves it out
   */
  byte[] rewrite(Consumer<ClassVisitor> from, ClassWriter writer, String source) {
    from.accept(new Changes(writer, source));
    return writer.toByteArray();
  }

  private static String renamed(String member) {
    return member.equals(PROBES) || member.equals(PROBE_DATA) ? "$old" + member.substring(1) : member;
  }

  private final class Changes extends ClassVisitor {
    private final String source;

    Changes(ClassVisitor next, String source) {
      super(Opcodes.ASM9, next);
      this.source = source;
    }

    private boolean sourceKnown;
    private String parent;

    /** Interfaces with bodies need Java 8's class format; a build's classes keep theirs if it is newer. */
    @Override
    public void visit(int version, int access, String name, String signature, String parent, String[] interfaces) {
      this.parent = parent;
      int major = Math.max(version & 0xffff, Opcodes.V1_8);
      super.visit(major, access, name, signature, parent, interfaces);
      if (source != null && !source.isEmpty()) {
        super.visitSource(source, null);
        sourceKnown = true;
      }
    }

    @Override
    public void visitSource(String own, String debug) {
      if (!sourceKnown) {
        super.visitSource(own, null);
      }
    }

    @Override
    public FieldVisitor visitField(int access, String name, String descriptor, String signature, Object value) {
      return super.visitField(access, renamed(name), descriptor, signature, value);
    }

    @Override
    public MethodVisitor visitMethod(int access, String name, String descriptor, String signature, String[] exceptions) {
      if (NativeBodies.known(access, name, descriptor)) {
        MethodVisitor body = super.visitMethod(access & ~Opcodes.ACC_NATIVE, name, descriptor, signature, exceptions);
        return NativeBodies.write(body, access, name, descriptor);
      }
      MethodVisitor next = super.visitMethod(access, renamed(name), descriptor, signature, exceptions);
      if (Waits.begins(parent, access, name, descriptor)) {
        next = Waits.gated(next);
      }
      return new OldProbes(open ? new Open(next) : new Confined(next, hierarchy));
    }
  }

  /** Calls are as the app makes them; its threads still take turns. */
  private static final class Open extends MethodVisitor {
    Open(MethodVisitor next) {
      super(Opcodes.ASM9, next);
    }

    @Override
    public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean isInterface) {
      if (!Waits.lead(mv, opcode, owner, name, descriptor)) {
        super.visitMethodInsn(opcode, owner, name, descriptor, isInterface);
      }
    }
  }

  /** The app's coverage runtime would open files and connections; its probes get an array that nobody reads. */
  private static final class OldProbes extends MethodVisitor {
    OldProbes(MethodVisitor next) {
      super(Opcodes.ASM9, next);
    }

    @Override
    public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
      super.visitFieldInsn(opcode, owner, renamed(name), descriptor);
    }

    @Override
    public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean isInterface) {
      boolean agent = owner.startsWith("org/jacoco/agent/rt/") && owner.endsWith("/Offline") && name.equals("getProbes");
      super.visitMethodInsn(
          opcode, agent ? "droidtest/host/Probes" : owner, agent ? "ignored" : renamed(name), descriptor, isInterface);
    }
  }
}
