package droidtest.tool;

import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TypeInsnNode;

/**
 * Instructions that name a class which is not there. Android throws when it gets to them. The JVM's verifier requests
 * such a class already when it checks the class around them (for what a call takes, for what a handler catches), and
 * then refuses all of it. So they throw here what they would have thrown.
 */
final class Missing {
  private static final String BOX = "droidtest/host/box/Absent";

  /** Here for the calls that are added later; for the app there are no such classes. */
  private static final String AGENT = "droidtest/";

  private final Hierarchy hierarchy;

  Missing(Hierarchy hierarchy) {
    this.hierarchy = hierarchy;
  }

  void replace(ClassNode node) {
    for (MethodNode method : node.methods) {
      // Nothing throws an exception whose class is not there.
      method.tryCatchBlocks.removeIf(handler -> handler.type != null && missing(handler.type));
      for (AbstractInsnNode at : method.instructions.toArray()) {
        String name = needed(at);
        if (name != null && missing(name)) {
          method.instructions.insertBefore(at, thrower(name));
          method.instructions.remove(at);
        }
      }
    }
  }

  /** The class that an instruction resolves whatever its operands are. */
  private static String needed(AbstractInsnNode at) {
    if (at instanceof MethodInsnNode) {
      return ((MethodInsnNode) at).owner;
    }
    if (at instanceof FieldInsnNode) {
      return ((FieldInsnNode) at).owner;
    }
    return at.getOpcode() == Opcodes.NEW ? ((TypeInsnNode) at).desc : null;
  }

  private boolean missing(String name) {
    if (name.startsWith("[")) {
      return false;
    }
    Hierarchy.Info info = hierarchy.find(name);
    return info == null || !info.own && name.startsWith(AGENT);
  }

  private static InsnList thrower(String name) {
    InsnList code = new InsnList();
    code.add(new LdcInsnNode(name));
    code.add(
        new MethodInsnNode(
            Opcodes.INVOKESTATIC, BOX, "of", "(Ljava/lang/String;)Ljava/lang/NoClassDefFoundError;", false));
    code.add(new InsnNode(Opcodes.ATHROW));
    return code;
  }
}
