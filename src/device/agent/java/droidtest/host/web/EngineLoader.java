package droidtest.host.web;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * The classes of an engine and its libraries, apart from the device's: the class path has other versions of the same
 * libraries. Their clock and their random numbers are the device's.
 */
final class EngineLoader extends URLClassLoader {
  private static final String OURS = "droidtest.web.";
  private static final String SHARED = "droidtest.host.";
  /** Measures how long a script may run: in real time, since the device's stands still meanwhile. */
  private static final String REAL_TIME = "org.htmlunit.javascript.HtmlUnitContextFactory";
  private static final String CLOCK = "droidtest/host/box/Clock";

  EngineLoader(Path libraries) throws IOException {
    super("web engine", jars(libraries), ClassLoader.getPlatformClassLoader());
  }

  private static URL[] jars(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      List<Path> jars = files.filter(file -> file.toString().endsWith(".jar")).sorted().toList();
      return jars.stream().map(EngineLoader::address).toArray(URL[]::new);
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  private static URL address(Path jar) {
    try {
      return jar.toUri().toURL();
    } catch (MalformedURLException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    return name.startsWith(SHARED) ? EngineLoader.class.getClassLoader().loadClass(name) : super.loadClass(name, resolve);
  }

  @Override
  protected Class<?> findClass(String name) throws ClassNotFoundException {
    String file = name.replace('.', '/') + ".class";
    try (InputStream in = name.startsWith(OURS)
        ? EngineLoader.class.getClassLoader().getResourceAsStream(file)
        : getResourceAsStream(file)) {
      if (in == null) {
        throw new ClassNotFoundException(name);
      }
      byte[] bytes = in.readAllBytes();
      if (!name.startsWith(REAL_TIME) && tellsTime(bytes)) {
        bytes = rewritten(bytes);
      }
      return defineClass(name, bytes, 0, bytes.length);
    } catch (IOException e) {
      throw new ClassNotFoundException(name, e);
    }
  }

  /** Whether the names of what is rewritten occur at all: most classes need no second look. */
  private static boolean tellsTime(byte[] bytes) {
    String text = new String(bytes, StandardCharsets.ISO_8859_1);
    return text.contains("currentTimeMillis") || text.contains("nanoTime") || text.contains("java/util/Date")
        || text.contains("java/lang/Math") && text.contains("random");
  }

  private static byte[] rewritten(byte[] bytes) {
    ClassReader reader = new ClassReader(bytes);
    ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
    reader.accept(
        new ClassVisitor(Opcodes.ASM9, writer) {
          @Override
          public MethodVisitor visitMethod(int access, String name, String type, String generic, String[] thrown) {
            return new Calls(super.visitMethod(access, name, type, generic, thrown));
          }
        },
        0);
    return writer.toByteArray();
  }

  private static final class Calls extends MethodVisitor {
    Calls(MethodVisitor next) {
      super(Opcodes.ASM9, next);
    }

    @Override
    public void visitMethodInsn(int code, String owner, String name, String type, boolean face) {
      String call = owner + "." + name;
      switch (call) {
        case "java/lang/System.currentTimeMillis", "java/lang/System.nanoTime":
          super.visitMethodInsn(code, CLOCK, name, type, face);
          return;
        case "java/lang/Math.random":
          super.visitMethodInsn(code, "droidtest/host/box/Chance", name, type, face);
          return;
        case "java/util/Date.<init>":
          if (type.equals("()V")) {
            super.visitMethodInsn(Opcodes.INVOKESTATIC, CLOCK, "currentTimeMillis", "()J", false);
            super.visitMethodInsn(code, owner, name, "(J)V", face);
            return;
          }
          break;
        default:
      }
      super.visitMethodInsn(code, owner, name, type, face);
    }
  }
}
