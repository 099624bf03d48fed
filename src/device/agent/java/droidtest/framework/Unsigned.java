package droidtest.framework;

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
    return OneMethod.changed(
        bytes,
        METHOD,
        (next, found) ->
            new MethodVisitor(Opcodes.ASM9, next) {
              @Override
              public void visitMethodInsn(int opcode, String owner, String name, String type, boolean isInterface) {
                super.visitMethodInsn(opcode, owner, name, type, isInterface);
                if (owner.equals("java/lang/Byte") && name.equals("byteValue")) {
                  found.run();
                  super.visitMethodInsn(Opcodes.INVOKESTATIC, "java/lang/Byte", "toUnsignedInt", "(B)I", false);
                }
              }
            });
  }
}
