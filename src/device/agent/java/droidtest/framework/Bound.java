package droidtest.framework;

import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Binds each question of the framework (see {@link Direct}) once. Robolectric guards every answer, since another test may
 * have other shadows. A device always has the same shadows, and each guard costs additional classes at the start.
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
    return OneMethod.changed(
        bytes,
        BIND,
        (code, found) -> {
          found.run();
          bind(code);
          return null;
        });
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
