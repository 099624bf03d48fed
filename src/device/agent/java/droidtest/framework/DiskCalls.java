package droidtest.framework;

import java.util.Map;
import java.util.Set;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** Redirects results of Java's file classes to {@code droidtest.sched.Disk}. */
final class DiskCalls extends MethodVisitor {
  private static final String DISK = "droidtest/sched/Disk";
  private static final String FILE = "java/io/File";
  private static final String FILES = "java/nio/file/Files";
  private static final String DATED = "dated";
  private static final String SIGNED = "signed";

  /** Methods that read the date of their first argument, or set it. */
  private static final Map<String, String> DATES =
      Map.of(
          FILE + ".lastModified()J", DATED,
          FILE + ".setLastModified(J)Z", SIGNED,
          FILES + ".readAttributes(Ljava/nio/file/Path;Ljava/lang/Class;[Ljava/nio/file/LinkOption;)"
              + "Ljava/nio/file/attribute/BasicFileAttributes;", DATED,
          FILES + ".readAttributes(Ljava/nio/file/Path;Ljava/lang/String;[Ljava/nio/file/LinkOption;)Ljava/util/Map;", DATED,
          FILES + ".setLastModifiedTime(Ljava/nio/file/Path;Ljava/nio/file/attribute/FileTime;)Ljava/nio/file/Path;", SIGNED);

  private final String owner;
  private final String hook;
  private final String shape;
  private final Runnable changed;

  private DiskCalls(MethodVisitor next, String owner, String hook, Runnable changed) {
    super(Opcodes.ASM9, next);
    this.owner = owner;
    this.hook = hook;
    this.shape = "(L" + (owner.equals(FILE) ? FILE : "java/nio/file/Path") + ";)V";
    this.changed = changed;
  }

  /** Classes of Java with such methods. */
  static Set<String> types() {
    return Set.of(FILE, FILES);
  }

  /** Methods that must be there. */
  static Set<String> methods() {
    return DATES.keySet();
  }

  /** @param changed called when something is written that was not there */
  static MethodVisitor in(MethodVisitor next, String owner, String method, Runnable changed) {
    return types().contains(owner) ? new DiskCalls(next, owner, DATES.get(method), changed) : next;
  }

  private void call() {
    changed.run();
    super.visitVarInsn(Opcodes.ALOAD, 0);
    super.visitMethodInsn(Opcodes.INVOKESTATIC, DISK, hook, shape, false);
  }

  @Override
  public void visitCode() {
    super.visitCode();
    if (DATED.equals(hook)) {
      call();
    }
  }

  @Override
  public void visitInsn(int opcode) {
    if (SIGNED.equals(hook) && opcode >= Opcodes.IRETURN && opcode <= Opcodes.RETURN) {
      call();
    }
    super.visitInsn(opcode);
  }

  @Override
  public void visitMethodInsn(int opcode, String type, String name, String descriptor, boolean isInterface) {
    super.visitMethodInsn(opcode, type, name, descriptor, isInterface);
    String gives = descriptor.substring(descriptor.indexOf(')') + 1);
    boolean names = type.equals("java/io/FileSystem") && name.equals("list");
    boolean entries = owner.equals(FILES) && type.endsWith("/FileSystemProvider") && name.equals("newDirectoryStream");
    if (names || entries) {
      changed.run();
      super.visitMethodInsn(Opcodes.INVOKESTATIC, DISK, "sorted", "(" + gives + ")" + gives, false);
    }
  }
}
