package droidtest.tool;

import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** Leads calls of java.nio's channels to other machines to {@code droidtest.host.box}. */
final class Channels {
  private static final String BOX = "droidtest/host/box/";
  private static final String CHANNELS = "java/nio/channels/";
  private static final String PROVIDER = CHANNELS + "spi/SelectorProvider";
  private static final String OPENED = "()L" + CHANNELS + "SocketChannel;";

  private Channels() {}

  /** Writes the twin of a call, or what ends it. False: it is another call. */
  static boolean lead(MethodVisitor to, String owner, String name, String descriptor) {
    if (!owner.startsWith(CHANNELS)) {
      return false;
    }
    boolean family = descriptor.startsWith("(Ljava/net/ProtocolFamily;)");
    boolean connects = descriptor.startsWith("(Ljava/net/SocketAddress;)");
    boolean plain = descriptor.startsWith("()");
    if (owner.equals(PROVIDER) && name.equals("openSocketChannel") && (plain || family)) {
      to.visitInsn(family ? Opcodes.POP2 : Opcodes.POP);
      box(to, "OfflineChannel", "open", OPENED);
    } else if (owner.equals(CHANNELS + "SocketChannel") && name.equals("open") && (plain || family || connects)) {
      if (family) {
        to.visitInsn(Opcodes.POP);
      }
      box(to, "OfflineChannel", "open", connects ? descriptor : OPENED);
    } else if (opens(owner, name) && (plain || family || connects)) {
      box(to, "Process", "noChannel", "()Ljava/io/IOException;");
      to.visitInsn(Opcodes.ATHROW);
    } else if (name.equals("register") && descriptor.startsWith("(L" + CHANNELS + "Selector;I")) {
      box(to, "OfflineChannel", "register", "(L" + CHANNELS + "SelectableChannel;" + descriptor.substring(1));
    } else {
      return false;
    }
    return true;
  }

  private static boolean opens(String owner, String name) {
    if (owner.equals(PROVIDER)) {
      return name.startsWith("open") && name.endsWith("Channel");
    }
    return owner.endsWith("Channel") && name.equals("open") && !owner.endsWith("/FileChannel");
  }

  private static void box(MethodVisitor to, String type, String name, String descriptor) {
    to.visitMethodInsn(Opcodes.INVOKESTATIC, BOX + type, name, descriptor, false);
  }
}
