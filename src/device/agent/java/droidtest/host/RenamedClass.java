package droidtest.host;

import java.io.IOException;
import java.io.InputStream;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.commons.ClassRemapper;
import org.objectweb.asm.commons.SimpleRemapper;

/** A class of the agent's under another name. */
final class RenamedClass {
  private RenamedClass() {}

  /** The class file of {@code from} as that of {@code to}: names as in class files, with slashes. */
  static byte[] read(String from, String to) throws IOException {
    try (InputStream in = RenamedClass.class.getClassLoader().getResourceAsStream(from + ".class")) {
      if (in == null) {
        throw new IOException("the agent has no class " + from);
      }
      ClassWriter written = new ClassWriter(0);
      new ClassReader(in).accept(new ClassRemapper(written, new SimpleRemapper(from, to)), 0);
      return written.toByteArray();
    }
  }
}
