package droidtest.framework;

import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Robolectric's table of resource packages takes the number of a package, which has eight bits, for a signed one: it fails
 * on packages from 0x80, which features of apps have.
 */
final class Unsigned {
  /** The class that is changed. */
  static final String TABLE = "org/robolectric/res/android/DynamicRefTable";
  private static final String METHOD = "addMapping(Ljava/lang/String;B)I";

  private Unsigned() {}

  /** The class as it is to be. */
  static byte[] changed(byte[] bytes) {
    ClassReader reader = new ClassReader(bytes);
    ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
    int[] found = {0};
    reader.accept(
        new ClassVisitor(Opcodes.ASM9, writer) {
          @Override
          public MethodVisitor visitMethod(int access, String name, String type, String sig, String[] thrown) {
            MethodVisitor next = super.visitMethod(access, name, type, sig, thrown);
            if (!METHOD.equals(name + type)) {
              return next;
            }
            return new MethodVisitor(Opcodes.ASM9, next) {
              @Override
              public void visitMethodInsn(int opcode, String owner, String name, String type, boolean isInterface) {
                super.visitMethodInsn(opcode, owner, name, type, isInterface);
                if (owner.equals("java/lang/Byte") && name.equals("byteValue")) {
                  found[0]++;
                  super.visitMethodInsn(Opcodes.INVOKESTATIC, "java/lang/Byte", "toUnsignedInt", "(B)I", false);
                }
              }
            };
          }
        },
        0);
    if (found[0] != 1) {
      throw new IllegalStateException(TABLE + " is not as in Robolectric 4.16");
    }
    return writer.toByteArray();
  }
}
