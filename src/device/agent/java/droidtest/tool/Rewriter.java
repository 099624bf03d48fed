package droidtest.tool;

import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;

/** Changes translated classes so that what they call stays inside the device. */
final class Rewriter {
  byte[] rewrite(byte[] bytes) {
    ClassReader reader = new ClassReader(bytes);
    ClassWriter writer = new ClassWriter(0);
    reader.accept(new Version(writer), 0);
    return writer.toByteArray();
  }

  /** Interfaces with bodies need Java 8's class format. */
  private static final class Version extends ClassVisitor {
    Version(ClassVisitor next) {
      super(Opcodes.ASM9, next);
    }

    @Override
    public void visit(int version, int access, String name, String signature, String parent, String[] interfaces) {
      super.visit(Opcodes.V1_8, access, name, signature, parent, interfaces);
    }
  }
}
