package droidtest.tool;

import java.util.Map;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** Leads waits of one thread for another to {@code droidtest.sched.Hooks}. */
public final class Waits {
  public static final String HOOKS = "droidtest/sched/Hooks";
  private static final Map<String, String> OBJECT =
      Map.of(
          "wait()V", "(Ljava/lang/Object;)V",
          "wait(J)V", "(Ljava/lang/Object;J)V",
          "wait(JI)V", "(Ljava/lang/Object;JI)V",
          "notify()V", "(Ljava/lang/Object;)V",
          "notifyAll()V", "(Ljava/lang/Object;)V");

  private Waits() {}

  /** Writes the twin of a call; false if the call waits for nobody. {@code Object}'s methods are final. */
  public static boolean lead(MethodVisitor to, int opcode, String owner, String name, String descriptor) {
    String shape = opcode == Opcodes.INVOKESTATIC ? null : OBJECT.get(name + descriptor);
    if (shape != null) {
      to.visitMethodInsn(Opcodes.INVOKESTATIC, HOOKS, name, shape, false);
      return true;
    }
    if (opcode == Opcodes.INVOKESTATIC && owner.equals("java/lang/Thread")
        && (name.equals("yield") || name.equals("onSpinWait"))) {
      to.visitMethodInsn(Opcodes.INVOKESTATIC, HOOKS, "giveWay", descriptor, false);
      return true;
    }
    return false;
  }

  /** Whether a method is, or may be, what a new thread runs first. */
  public static boolean begins(String parent, int access, String name, String descriptor) {
    return name.equals("run") && descriptor.equals("()V") && parent != null && !parent.equals("java/lang/Object")
        && (access & (Opcodes.ACC_ABSTRACT | Opcodes.ACC_STATIC | Opcodes.ACC_NATIVE)) == 0;
  }

  /** A method that lets a new thread wait for its turn first. */
  public static MethodVisitor gated(MethodVisitor to) {
    return new MethodVisitor(Opcodes.ASM9, to) {
      @Override
      public void visitCode() {
        super.visitCode();
        super.visitMethodInsn(Opcodes.INVOKESTATIC, HOOKS, "gate", "()V", false);
      }
    };
  }
}
