package droidtest.framework;

import droidtest.tool.Waits;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** Schedules the threads of a class: they wait, sleep and start through the scheduler. */
final class Taking {
  /** The second argument of {@code nativePollOnce}, behind the object and a long. */
  private static final int TIMEOUT = 3;

  private Taking() {}

  /** The class as it is to be; the same bytes where none of its methods waits or starts a thread. */
  static byte[] turns(byte[] bytes) {
    ClassReader reader = new ClassReader(bytes);
    // Copies what is not changed as it is.
    ClassWriter writer = new ClassWriter(reader, 0);
    Changes changes = new Changes(writer, reader.getSuperName());
    reader.accept(changes, 0);
    return changes.any ? writer.toByteArray() : bytes;
  }

  /** Robolectric's message queue: its threads wait for the first message's time, not for whoever moves the clock. */
  static byte[] polls(byte[] bytes) {
    return OneMethod.changed(
        turns(bytes),
        "nativePollOnce(JI)V",
        (next, found) ->
            new MethodVisitor(Opcodes.ASM9, next) {
              @Override
              public void visitMethodInsn(int opcode, String owner, String name, String shape, boolean isInterface) {
                if (owner.equals(Waits.HOOKS) && name.equals("wait")) {
                  found.run();
                  super.visitVarInsn(Opcodes.ILOAD, TIMEOUT);
                  super.visitMethodInsn(opcode, owner, "poll", "(Ljava/lang/Object;I)V", false);
                } else {
                  super.visitMethodInsn(opcode, owner, name, shape, isInterface);
                }
              }
            });
  }

  private static final class Changes extends ClassVisitor {
    private final String parent;
    private boolean any;

    Changes(ClassVisitor next, String parent) {
      super(Opcodes.ASM9, next);
      this.parent = parent;
    }

    @Override
    public MethodVisitor visitMethod(int access, String name, String descriptor, String signature, String[] thrown) {
      MethodVisitor next = super.visitMethod(access, name, descriptor, signature, thrown);
      boolean begins = Waits.begins(parent, access, name, descriptor);
      any |= begins;
      return new MethodVisitor(Opcodes.ASM9, begins ? Waits.gated(next) : next) {
        @Override
        public void visitMethodInsn(int opcode, String owner, String name, String shape, boolean isInterface) {
          if (Waits.lead(mv, opcode, owner, name, shape)) {
            any = true;
          } else if (opcode == Opcodes.INVOKESTATIC && owner.equals("java/lang/Thread") && name.equals("sleep")) {
            any = true;
            super.visitMethodInsn(opcode, Waits.HOOKS, name, shape, false);
          } else {
            super.visitMethodInsn(opcode, owner, name, shape, isInterface);
          }
        }
      };
    }
  }
}
