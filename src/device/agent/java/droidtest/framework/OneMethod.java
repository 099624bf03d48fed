package droidtest.framework;

import java.util.function.BiFunction;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** A class of a library with one of its methods changed. */
final class OneMethod {
  private OneMethod() {}

  /**
   * The class as it is to be.
   *
   * @param method name and descriptor
   * @param change gives the visitor of the method's old code, or null to leave that out; gets the visitor of the new code, and
   *     what to run for each place that it changes
   * @throws IllegalStateException unless just one place was changed: the library is another version
   */
  static byte[] changed(byte[] bytes, String method, BiFunction<MethodVisitor, Runnable, MethodVisitor> change) {
    ClassReader reader = new ClassReader(bytes);
    ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
    int[] found = {0};
    reader.accept(
        new ClassVisitor(Opcodes.ASM9, writer) {
          @Override
          public MethodVisitor visitMethod(int access, String name, String type, String sig, String[] thrown) {
            MethodVisitor code = super.visitMethod(access, name, type, sig, thrown);
            return method.equals(name + type) ? change.apply(code, () -> found[0]++) : code;
          }
        },
        0);
    if (found[0] != 1) {
      throw new IllegalStateException(reader.getClassName() + " is not as in Robolectric 4.16");
    }
    return writer.toByteArray();
  }
}
