package droidtest.tool;

import java.util.Set;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Gives native methods of trivial AndroidX libraries a body that calls {@code droidtest.host.box.Natives}. They are known
 * by name and shape: shrinkers rename classes, and leave native methods their names, since the library looks for them.
 */
final class NativeBodies {
  private static final String BODIES = "droidtest/host/box/Natives";
  private static final Set<String> KNOWN =
      Set.of(
          "internalConicToQuadratics([FI[FFF)I", "nativeTruncateFile(I)I", "nativeCreateSharedCounter(I)J",
          "nativeGetCounterValue(J)I", "nativeIncrementAndGetCounterValue(J)I");

  private NativeBodies() {}

  static boolean known(int access, String name, String descriptor) {
    return (access & Opcodes.ACC_NATIVE) != 0 && KNOWN.contains(name + descriptor);
  }

  /** Passes everything on, and writes the body where the method ends. */
  static MethodVisitor write(MethodVisitor next, int access, String name, String descriptor) {
    return new MethodVisitor(Opcodes.ASM9, next) {
      @Override
      public void visitEnd() {
        visitCode();
        int local = (access & Opcodes.ACC_STATIC) != 0 ? 0 : 1;
        for (Type argument : Type.getArgumentTypes(descriptor)) {
          visitVarInsn(argument.getOpcode(Opcodes.ILOAD), local);
          local += argument.getSize();
        }
        visitMethodInsn(Opcodes.INVOKESTATIC, BODIES, name, descriptor, false);
        visitInsn(Type.getReturnType(descriptor).getOpcode(Opcodes.IRETURN));
        visitMaxs(local + 2, local);
        super.visitEnd();
      }
    };
  }
}
