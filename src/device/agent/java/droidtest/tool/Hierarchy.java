package droidtest.tool;

import droidtest.host.AndroidApi;
import droidtest.host.AppClassLoader;
import java.io.IOException;
import java.io.InputStream;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Superclasses, interfaces and members of every class that the app can see, found in the order of the device's class
 * loader: what the framework and Java hold comes from there, the rest from the app. All names are internal names.
 */
final class Hierarchy {
  private static final String OBJECT = "java/lang/Object";
  /** What is known of one class. */
  static final class Info {
    final String name;
    final String parent;
    final String[] interfaces;
    final int access;
    /** Whether the app brings this class. */
    final boolean own;
    /** Access flags by name and descriptor. */
    final Map<String, Integer> methods = new HashMap<>();
    final Map<String, Integer> fields = new HashMap<>();

    Info(String name, String parent, String[] interfaces, int access, boolean own) {
      this.name = name;
      this.parent = parent;
      this.interfaces = interfaces == null ? new String[0] : interfaces;
      this.access = access;
      this.own = own;
    }

    boolean isInterface() {
      return (access & Opcodes.ACC_INTERFACE) != 0;
    }
  }

  private final Map<String, Info> app = new HashMap<>();
  private final Map<String, Optional<Info>> known = new ConcurrentHashMap<>();

  /** Puts a class file of the app, which replaces a class of that name. */
  void put(byte[] bytes) {
    Info info = read(bytes, true);
    app.put(info.name, info);
  }

  /** The class, or null where nothing the app can see has this name. */
  Info find(String name) {
    return known.computeIfAbsent(name, this::look).orElse(null);
  }

  private Optional<Info> look(String name) {
    Info own = app.get(name);
    String dotted = name.replace('/', '.');
    if (own == null ? AppClassLoader.fromSystem(dotted) : AppClassLoader.systemFirst(dotted)) {
      try (InputStream in = ClassLoader.getSystemResourceAsStream(name + ".class")) {
        Info found = in == null ? null : read(in.readAllBytes(), false);
        boolean open = found != null && (found.access & Opcodes.ACC_PUBLIC) != 0;
        if (found != null && (!AndroidApi.ofJava(dotted) || AndroidApi.finds(dotted, open))) {
          return Optional.of(found);
        }
      } catch (IOException e) {
        throw new IllegalStateException("a part of the jvm device cannot be read", e);
      }
    }
    return Optional.ofNullable(own);
  }

  private static Info read(byte[] bytes, boolean own) {
    ClassReader reader = new ClassReader(bytes);
    Info info =
        new Info(reader.getClassName(), reader.getSuperName(), reader.getInterfaces(), reader.getAccess(), own);
    reader.accept(
        new ClassVisitor(Opcodes.ASM9) {
          @Override
          public FieldVisitor visitField(int access, String name, String type, String signature, Object value) {
            info.fields.put(name + ":" + type, access);
            return null;
          }

          @Override
          public MethodVisitor visitMethod(int access, String name, String type, String signature, String[] thrown) {
            info.methods.put(name + type, access);
            return null;
          }
        },
        ClassReader.SKIP_CODE | ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
    return info;
  }

  /** The first class from {@code name} upwards that declares a method, or null; interfaces are not looked at. */
  Info declaring(String name, String method) {
    for (Info at = find(name); at != null; at = at.parent == null ? null : find(at.parent)) {
      if (at.methods.containsKey(method)) {
        return at;
      }
    }
    return null;
  }

  /** Whether a value of class {@code name} can be used where one of {@code target} is expected. */
  boolean isSubclass(String name, String target) {
    if (name.equals(target) || target.equals(OBJECT)) {
      return true;
    }
    for (Info at = find(name); at != null; at = at.parent == null ? null : find(at.parent)) {
      if (at.name.equals(target)) {
        return true;
      }
    }
    return allInterfaces(name).contains(target);
  }

  /** All interfaces of a class, those of its superclasses and superinterfaces too, nearest first. */
  Set<String> allInterfaces(String name) {
    Set<String> all = new LinkedHashSet<>();
    for (Info at = find(name); at != null; at = at.parent == null ? null : find(at.parent)) {
      collect(at, all);
    }
    return all;
  }

  private void collect(Info info, Set<String> all) {
    for (String each : info.interfaces) {
      if (all.add(each)) {
        Info next = find(each);
        if (next != null) {
          collect(next, all);
        }
      }
    }
  }
}
