package droidtest.framework;

import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Robolectric's resource tables copy the flags of all resources of a type (some thousand) whenever those of one are
 * asked for, which every attribute of every view does. They do not change: they are copied once here.
 */
final class Flags {
  /** The class changed. */
  static final String OWNER = "org/robolectric/res/android/ResourceTypes$ResTable_typeSpec";

  private static final String METHOD = "getSpecFlags";
  private static final String COPY = "copySpecFlags";
  private static final String FIELD = "flags";

  private Flags() {}

  /** The class with its flags kept. */
  static byte[] kept(byte[] bytes) {
    ClassReader reader = new ClassReader(bytes);
    ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
    reader.accept(
        new ClassVisitor(Opcodes.ASM9, writer) {
          private boolean found;

          @Override
          public MethodVisitor visitMethod(int access, String name, String type, String sig, String[] thrown) {
            boolean asked = name.equals(METHOD) && type.equals("()[I");
            found |= asked;
            return super.visitMethod(access, asked ? COPY : name, type, sig, thrown);
          }

          @Override
          public void visitEnd() {
            if (!found) {
              throw new IllegalStateException(OWNER + " has no " + METHOD + " any more");
            }
            visitField(Opcodes.ACC_PRIVATE, FIELD, "[I", null, null).visitEnd();
            MethodVisitor code = super.visitMethod(Opcodes.ACC_PUBLIC, METHOD, "()[I", null, null);
            Label there = new Label();
            code.visitCode();
            code.visitVarInsn(Opcodes.ALOAD, 0);
            code.visitFieldInsn(Opcodes.GETFIELD, OWNER, FIELD, "[I");
            code.visitJumpInsn(Opcodes.IFNONNULL, there);
            code.visitVarInsn(Opcodes.ALOAD, 0);
            code.visitVarInsn(Opcodes.ALOAD, 0);
            code.visitMethodInsn(Opcodes.INVOKEVIRTUAL, OWNER, COPY, "()[I", false);
            code.visitFieldInsn(Opcodes.PUTFIELD, OWNER, FIELD, "[I");
            code.visitLabel(there);
            code.visitFrame(Opcodes.F_SAME, 0, null, 0, null);
            code.visitVarInsn(Opcodes.ALOAD, 0);
            code.visitFieldInsn(Opcodes.GETFIELD, OWNER, FIELD, "[I");
            code.visitInsn(Opcodes.ARETURN);
            code.visitMaxs(0, 0);
            code.visitEnd();
            super.visitEnd();
          }
        },
        0);
    return writer.toByteArray();
  }
}
