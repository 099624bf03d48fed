package droidtest.framework;

import java.util.Map;
import java.util.function.Consumer;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** Caches in classes of Robolectric's resource tables, which would recompute for every attribute of every view. */
final class Kept {
  private static final String TABLE = "org/robolectric/res/android/ResourceTypes$ResTable_typeSpec";
  private static final String PARSER = "org/robolectric/res/android/ResXMLParser";
  private static final String NODE = "Lorg/robolectric/res/android/ResourceTypes$ResXMLTree_node;";
  private static final String NAMES = "droidtest/framework/Names";
  private static final String FIELD = "kept";

  /** The classes that are changed, and how. */
  static final Map<String, Kept> ALL =
      Map.of(
          // The flags of all resources of a type, some thousand, were copied for those of one.
          TABLE,
          new Kept(Map.of("getSpecFlags()[I", "copySpecFlags"), null, "[I", Kept::flags),
          // See Names.
          PARSER,
          new Kept(
              Map.of("getAttributeCount()I", "countAttributes", "getAttributeNameResID(I)I", "readNameId"),
              NAMES + "$Parser",
              "L" + NAMES + ";",
              Kept::names));

  private final Map<String, String> renamed;
  private final String implemented;
  private final String type;
  private final Consumer<ClassVisitor> added;

  private Kept(Map<String, String> renamed, String implemented, String type, Consumer<ClassVisitor> added) {
    this.renamed = renamed;
    this.implemented = implemented;
    this.type = type;
    this.added = added;
  }

  /** The class as it is to be. */
  byte[] changed(byte[] bytes) {
    ClassReader reader = new ClassReader(bytes);
    ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
    reader.accept(
        new ClassVisitor(Opcodes.ASM9, writer) {
          private int found;

          @Override
          public void visit(int version, int access, String name, String sig, String parent, String[] interfaces) {
            super.visit(version, access, name, sig, parent, implemented == null ? interfaces : new String[] {implemented});
          }

          @Override
          public MethodVisitor visitMethod(int access, String name, String type, String sig, String[] thrown) {
            String to = renamed.get(name + type);
            found += to == null ? 0 : 1;
            return super.visitMethod(access, to == null ? name : to, type, sig, thrown);
          }

          @Override
          public void visitEnd() {
            if (found != renamed.size()) {
              throw new IllegalStateException(reader.getClassName() + " is not as in Robolectric 4.16");
            }
            // Tables are shared by threads; without volatile an array could be visible before its content.
            visitField(Opcodes.ACC_PRIVATE | Opcodes.ACC_VOLATILE, FIELD, type, null, null).visitEnd();
            added.accept(cv);
            super.visitEnd();
          }
        },
        0);
    return writer.toByteArray();
  }

  /** {@code return kept != null ? kept : (kept = copySpecFlags())} */
  private static void flags(ClassVisitor to) {
    MethodVisitor code = to.visitMethod(Opcodes.ACC_PUBLIC, "getSpecFlags", "()[I", null, null);
    Label there = new Label();
    code.visitCode();
    code.visitVarInsn(Opcodes.ALOAD, 0);
    code.visitFieldInsn(Opcodes.GETFIELD, TABLE, FIELD, "[I");
    code.visitJumpInsn(Opcodes.IFNONNULL, there);
    code.visitVarInsn(Opcodes.ALOAD, 0);
    code.visitVarInsn(Opcodes.ALOAD, 0);
    code.visitMethodInsn(Opcodes.INVOKEVIRTUAL, TABLE, "copySpecFlags", "()[I", false);
    code.visitFieldInsn(Opcodes.PUTFIELD, TABLE, FIELD, "[I");
    code.visitLabel(there);
    code.visitFrame(Opcodes.F_SAME, 0, null, 0, null);
    code.visitVarInsn(Opcodes.ALOAD, 0);
    code.visitFieldInsn(Opcodes.GETFIELD, TABLE, FIELD, "[I");
    code.visitInsn(Opcodes.ARETURN);
    code.visitMaxs(0, 0);
    code.visitEnd();
  }

  /** {@code return (kept = Names.at(mCurNode, mEventCode, kept, this)).count()}, and the same for an id. */
  private static void names(ClassVisitor to) {
    for (boolean one : new boolean[] {false, true}) {
      String name = one ? "getAttributeNameResID" : "getAttributeCount";
      String type = one ? "(I)I" : "()I";
      MethodVisitor code = to.visitMethod(Opcodes.ACC_PUBLIC, name, type, null, null);
      code.visitCode();
      code.visitVarInsn(Opcodes.ALOAD, 0);
      code.visitVarInsn(Opcodes.ALOAD, 0);
      code.visitFieldInsn(Opcodes.GETFIELD, PARSER, "mCurNode", NODE);
      code.visitVarInsn(Opcodes.ALOAD, 0);
      code.visitFieldInsn(Opcodes.GETFIELD, PARSER, "mEventCode", "I");
      code.visitVarInsn(Opcodes.ALOAD, 0);
      code.visitFieldInsn(Opcodes.GETFIELD, PARSER, FIELD, "L" + NAMES + ";");
      code.visitVarInsn(Opcodes.ALOAD, 0);
      String at = "(Ljava/lang/Object;IL" + NAMES + ";L" + NAMES + "$Parser;)L" + NAMES + ";";
      code.visitMethodInsn(Opcodes.INVOKESTATIC, NAMES, "at", at, false);
      code.visitInsn(Opcodes.DUP_X1);
      code.visitFieldInsn(Opcodes.PUTFIELD, PARSER, FIELD, "L" + NAMES + ";");
      if (one) {
        code.visitVarInsn(Opcodes.ILOAD, 1);
      }
      code.visitMethodInsn(Opcodes.INVOKEVIRTUAL, NAMES, one ? "id" : "count", type, false);
      code.visitInsn(Opcodes.IRETURN);
      code.visitMaxs(0, 0);
      code.visitEnd();
    }
  }
}
