package droidtest.tool;

import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Loads dex2jar and the translator with every hash table replaced by one that keeps the order of insertion. dex2jar
 * keeps objects without `hashCode` in such tables and walks through them: which local gets which slot then
 * depends on where the JVM happened to place an object, and the translated classes differ from run to run.
 */
final class Ordered extends ClassLoader {
  private static final Map<String, String> REPLACED =
      Map.of("java/util/HashSet", "java/util/LinkedHashSet", "java/util/HashMap", "java/util/LinkedHashMap");

  Ordered(ClassLoader parent) {
    super(parent);
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (!name.startsWith("com.googlecode.") && !name.startsWith("droidtest.tool.")) {
      return super.loadClass(name, resolve);
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> loaded = findLoadedClass(name);
      return loaded == null ? define(name) : loaded;
    }
  }

  private Class<?> define(String name) throws ClassNotFoundException {
    try (InputStream in = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
      if (in == null) {
        throw new ClassNotFoundException(name);
      }
      byte[] bytes = ordered(in.readAllBytes());
      return defineClass(name, bytes, 0, bytes.length);
    } catch (IOException e) {
      throw new ClassNotFoundException(name, e);
    }
  }

  /** Only what is made changes: the replacements extend what they replace, so that all declared types still hold. */
  private static byte[] ordered(byte[] bytes) {
    ClassReader reader = new ClassReader(bytes);
    ClassWriter writer = new ClassWriter(0);
    reader.accept(
        new ClassVisitor(Opcodes.ASM9, writer) {
          @Override
          public MethodVisitor visitMethod(int access, String name, String type, String signature, String[] thrown) {
            return new Makers(super.visitMethod(access, name, type, signature, thrown));
          }
        },
        0);
    return writer.toByteArray();
  }

  private static final class Makers extends MethodVisitor {
    Makers(MethodVisitor next) {
      super(Opcodes.ASM9, next);
    }

    @Override
    public void visitTypeInsn(int opcode, String type) {
      super.visitTypeInsn(opcode, opcode == Opcodes.NEW ? REPLACED.getOrDefault(type, type) : type);
    }

    @Override
    public void visitMethodInsn(int opcode, String owner, String name, String type, boolean isInterface) {
      boolean makes = name.equals("<init>");
      super.visitMethodInsn(opcode, makes ? REPLACED.getOrDefault(owner, owner) : owner, name, type, isInterface);
    }
  }
}
