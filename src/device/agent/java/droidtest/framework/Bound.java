package droidtest.framework;

import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Binds each question of the framework (see {@link Direct}) once. Robolectric guards every answer, since another test may
 * have other shadows. A device has the same shadows for good, and each guard costs classes of its own at the start.
 */
final class Bound {
  /** The class that is changed, as in class files. */
  static final String TYPE = "org/robolectric/internal/bytecode/InvokeDynamicSupport";

  private static final String SITE = "org/robolectric/internal/bytecode/RoboCallSite";
  private static final String HANDLE = "Ljava/lang/invoke/MethodHandle;";
  private static final String BIND = "bindWithFallback(L" + SITE + ";" + HANDLE + HANDLE + ")" + HANDLE;

  private Bound() {}

  /** The class as it is to be. */
  static byte[] changed(byte[] bytes) {
    ClassReader reader = new ClassReader(bytes);
    ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
    int[] found = {0};
    reader.accept(
        new ClassVisitor(Opcodes.ASM9, writer) {
          @Override
          public MethodVisitor visitMethod(int access, String name, String type, String sig, String[] thrown) {
            MethodVisitor code = super.visitMethod(access, name, type, sig, thrown);
            if (!BIND.equals(name + type)) {
              return code;
            }
            found[0]++;
            bind(code);
            return null;
          }
        },
        0);
    if (found[0] != 1) {
      throw new IllegalStateException(TYPE + " is not as in Robolectric 4.16");
    }
    return writer.toByteArray();
  }

  /** {@code handle = handle.asType(site.type()); site.setTarget(handle); return handle} */
  private static void bind(MethodVisitor code) {
    code.visitCode();
    code.visitVarInsn(Opcodes.ALOAD, 1);
    code.visitVarInsn(Opcodes.ALOAD, 0);
    code.visitMethodInsn(Opcodes.INVOKEVIRTUAL, SITE, "type", "()Ljava/lang/invoke/MethodType;", false);
    String as = "(Ljava/lang/invoke/MethodType;)" + HANDLE;
    code.visitMethodInsn(Opcodes.INVOKEVIRTUAL, "java/lang/invoke/MethodHandle", "asType", as, false);
    code.visitVarInsn(Opcodes.ASTORE, 1);
    code.visitVarInsn(Opcodes.ALOAD, 0);
    code.visitVarInsn(Opcodes.ALOAD, 1);
    code.visitMethodInsn(Opcodes.INVOKEVIRTUAL, SITE, "setTarget", "(" + HANDLE + ")V", false);
    code.visitVarInsn(Opcodes.ALOAD, 1);
    code.visitInsn(Opcodes.ARETURN);
    code.visitMaxs(0, 0);
    code.visitEnd();
  }
}
