package droidtest.framework;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.objectweb.asm.AnnotationVisitor;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Which methods of the framework a shadow may replace: by class and name, whatever the signature, the Android
 * version and the mode that picks among several shadows, so rather too many than too few.
 */
final class Shadowed {
  private static final String IMPLEMENTS = "Lorg/robolectric/annotation/Implements;";
  private static final String IMPLEMENTATION = "Lorg/robolectric/annotation/Implementation;";

  /** What is known of one class that may be a shadow. */
  private static final class Shadow {
    String parent;
    String of;
    boolean all;
    final Set<String> methods = new HashSet<>();
  }

  private final Map<String, Shadow> classes = new HashMap<>();
  /** By the framework's class: the names of methods, null for all. */
  private final Map<String, Set<String>> names = new HashMap<>();

  /** @param places jars and folders of classes that hold the shadows */
  Shadowed(List<Path> places) throws IOException {
    for (Path place : places) {
      if (Files.isDirectory(place)) {
        try (Stream<Path> files = Files.walk(place)) {
          for (Path file : (Iterable<Path>) files.filter(f -> f.toString().endsWith(".class"))::iterator) {
            look(Files.readAllBytes(file));
          }
        }
      } else {
        try (JarFile jar = new JarFile(place.toFile(), false)) {
          for (JarEntry entry : (Iterable<JarEntry>) jar.stream().filter(e -> e.getName().endsWith(".class"))::iterator) {
            try (InputStream in = jar.getInputStream(entry)) {
              look(in.readAllBytes());
            }
          }
        }
      }
    }
    classes.values().stream().filter(shadow -> shadow.of != null).forEach(this::take);
  }

  /** Whether a shadow may replace a method of this class (as in class files, with slashes). */
  boolean contains(String owner, String method) {
    if (!names.containsKey(owner)) {
      return false;
    }
    Set<String> methods = names.get(owner);
    return methods == null || methods.contains(method);
  }

  private void take(Shadow shadow) {
    if (shadow.all || names.containsKey(shadow.of) && names.get(shadow.of) == null) {
      names.put(shadow.of, null);
      return;
    }
    Set<String> methods = names.computeIfAbsent(shadow.of, of -> new HashSet<>());
    for (Shadow from = shadow; from != null; from = classes.get(from.parent)) {
      methods.addAll(from.methods);
    }
  }

  private void look(byte[] bytes) {
    Shadow shadow = new Shadow();
    ClassReader reader = new ClassReader(bytes);
    reader.accept(
        new ClassVisitor(Opcodes.ASM9) {
          @Override
          public void visit(int version, int access, String name, String sig, String parent, String[] interfaces) {
            shadow.parent = parent;
          }

          @Override
          public AnnotationVisitor visitAnnotation(String type, boolean visible) {
            return type.equals(IMPLEMENTS) ? new Target(shadow) : null;
          }

          @Override
          public MethodVisitor visitMethod(int access, String name, String type, String sig, String[] thrown) {
            shadow.methods.add(name);
            return new MethodVisitor(Opcodes.ASM9) {
              @Override
              public AnnotationVisitor visitAnnotation(String type, boolean visible) {
                return type.equals(IMPLEMENTATION) ? new OtherName(shadow) : null;
              }
            };
          }
        },
        ClassReader.SKIP_CODE | ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
    classes.put(reader.getClassName(), shadow);
  }

  /** The class that a shadow stands for. */
  private static final class Target extends AnnotationVisitor {
    private final Shadow shadow;

    Target(Shadow shadow) {
      super(Opcodes.ASM9);
      this.shadow = shadow;
    }

    @Override
    public void visit(String name, Object value) {
      switch (name) {
        case "value" -> {
          String of = ((Type) value).getInternalName();
          shadow.of = of.equals("java/lang/Void") || of.equals("void") ? shadow.of : of;
        }
        case "className" -> shadow.of = value.toString().isEmpty() ? shadow.of : value.toString().replace('.', '/');
        case "callThroughByDefault" -> shadow.all = !(Boolean) value;
        default -> {}
      }
    }
  }

  /** A shadow's method may name another one that it stands for. */
  private static final class OtherName extends AnnotationVisitor {
    private final Shadow shadow;

    OtherName(Shadow shadow) {
      super(Opcodes.ASM9);
      this.shadow = shadow;
    }

    @Override
    public void visit(String name, Object value) {
      if (name.equals("methodName") && !value.toString().isEmpty()) {
        shadow.methods.add(value.toString());
      }
    }
  }
}
