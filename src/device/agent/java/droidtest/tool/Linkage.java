package droidtest.tool;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TypeInsnNode;

/**
 * Resolves what each instruction of a class names, by the rules of the JVM specification (sections 5.4.3 and 6.5): the
 * verifier resolves no calls. What names a class or member that this device's Android does not have is counted apart,
 * since an app requests the version first.
 */
final class Linkage {
  /** Instructions that cannot link, by cause. */
  final Map<String, List<String>> broken = new TreeMap<>();
  /** Instructions that name what is not there, by where it is missing. */
  final Map<String, Integer> missing = new TreeMap<>();

  private final Hierarchy hierarchy;
  private ClassNode from;
  private String site;

  Linkage(Hierarchy hierarchy) {
    this.hierarchy = hierarchy;
  }

  void check(ClassNode node) {
    from = node;
    for (MethodNode method : node.methods) {
      site = node.name + "." + method.name + method.desc;
      for (AbstractInsnNode at : method.instructions) {
        if (at instanceof MethodInsnNode) {
          call((MethodInsnNode) at);
        } else if (at instanceof FieldInsnNode) {
          field((FieldInsnNode) at);
        } else if (at.getOpcode() == Opcodes.NEW) {
          make(((TypeInsnNode) at).desc);
        }
      }
    }
  }

  private void report(String cause, String what) {
    broken.computeIfAbsent(cause, name -> new ArrayList<>()).add(site + " -> " + what);
  }

  private void missing(String where) {
    missing.merge(where, 1, Integer::sum);
  }

  private void make(String name) {
    Hierarchy.Info info = visible(name);
    if (info != null && (info.access & (Opcodes.ACC_ABSTRACT | Opcodes.ACC_INTERFACE)) != 0) {
      report("InstantiationError", name);
    }
  }

  /** The class, or null if it is missing or out of reach, which is noted. */
  private Hierarchy.Info visible(String name) {
    Hierarchy.Info info = hierarchy.find(name);
    if (info == null) {
      missing(systemName(name) ? "a class that this Android does not have" : "a class that the app does not bring");
    } else if ((info.access & Opcodes.ACC_PUBLIC) == 0 && !samePackage(info)) {
      report("IllegalAccessError: class", name);
      return null;
    }
    return info;
  }

  private static boolean systemName(String name) {
    return droidtest.host.AppClassLoader.ofSystem(name.replace('/', '.'));
  }

  private void call(MethodInsnNode call) {
    if (call.owner.startsWith("[")) {
      return;
    }
    Hierarchy.Info owner = visible(call.owner);
    if (owner == null || polymorphic(call.owner)) {
      return;
    }
    String what = call.owner + "." + call.name + call.desc;
    if (owner.isInterface() != call.itf || call.getOpcode() == Opcodes.INVOKEVIRTUAL && owner.isInterface()) {
      report("IncompatibleClassChangeError: interface or class", what);
      return;
    }
    String key = call.name + call.desc;
    boolean constructor = call.name.equals("<init>");
    Hierarchy.Info holder = constructor ? (owner.methods.containsKey(key) ? owner : null) : method(owner, key);
    if (holder == null) {
      if (complete(owner)) {
        if (owner.own) {
          report("NoSuchMethodError", what);
        } else {
          missing("a method that this Android does not have");
        }
      }
      return;
    }
    int access = holder.methods.get(key);
    boolean isStatic = (access & Opcodes.ACC_STATIC) != 0;
    if (isStatic != (call.getOpcode() == Opcodes.INVOKESTATIC)) {
      report("IncompatibleClassChangeError: static or not", what);
    } else if (!accessible(holder, access)) {
      report("IllegalAccessError: method", what);
    } else if (call.getOpcode() == Opcodes.INVOKESPECIAL && (selected(owner, holder, key) & Opcodes.ACC_ABSTRACT) != 0) {
      report("AbstractMethodError", what);
    }
  }

  /** The access of the method that a super call runs: a class is looked for again from the direct superclass upwards. */
  private int selected(Hierarchy.Info owner, Hierarchy.Info holder, String key) {
    Hierarchy.Info above = owner.isInterface() ? null : hierarchy.declaring(from.superName, key);
    return (above == null ? holder : above).methods.get(key);
  }

  private static boolean polymorphic(String owner) {
    return owner.equals("java/lang/invoke/MethodHandle") || owner.equals("java/lang/invoke/VarHandle");
  }

  private void field(FieldInsnNode at) {
    Hierarchy.Info owner = visible(at.owner);
    if (owner == null) {
      return;
    }
    String what = at.owner + "." + at.name + " " + at.desc;
    Hierarchy.Info holder = holder(owner, at.name + ":" + at.desc);
    if (holder == null) {
      if (complete(owner)) {
        if (owner.own) {
          report("NoSuchFieldError", what);
        } else {
          missing("a field that this Android does not have");
        }
      }
      return;
    }
    int access = holder.fields.get(at.name + ":" + at.desc);
    boolean isStatic = at.getOpcode() == Opcodes.GETSTATIC || at.getOpcode() == Opcodes.PUTSTATIC;
    boolean puts = at.getOpcode() == Opcodes.PUTFIELD || at.getOpcode() == Opcodes.PUTSTATIC;
    if (((access & Opcodes.ACC_STATIC) != 0) != isStatic) {
      report("IncompatibleClassChangeError: static or not", what);
    } else if (!accessible(holder, access)) {
      report("IllegalAccessError: field", what);
    } else if (puts && (access & Opcodes.ACC_FINAL) != 0 && !holder.name.equals(from.name)) {
      report("IllegalAccessError: final field", what);
    }
  }

  /** The class or interface that declares the method, found in the order of section 5.4.3.3, or null. */
  private Hierarchy.Info method(Hierarchy.Info owner, String key) {
    Hierarchy.Info declares = hierarchy.declaring(owner.name, key);
    if (declares != null) {
      return declares;
    }
    for (String each : hierarchy.allInterfaces(owner.name)) {
      Hierarchy.Info info = hierarchy.find(each);
      if (info != null && info.methods.containsKey(key)) {
        return info;
      }
    }
    Hierarchy.Info object = hierarchy.find("java/lang/Object");
    return owner.isInterface() && object.methods.containsKey(key) ? object : null;
  }

  private Hierarchy.Info holder(Hierarchy.Info owner, String key) {
    for (Hierarchy.Info at = owner; at != null; at = at.parent == null ? null : hierarchy.find(at.parent)) {
      if (at.fields.containsKey(key)) {
        return at;
      }
      for (String each : hierarchy.allInterfaces(at.name)) {
        Hierarchy.Info info = hierarchy.find(each);
        if (info != null && info.fields.containsKey(key)) {
          return info;
        }
      }
    }
    return null;
  }

  /** Whether all that the class extends is there: else the member may be in what is missing. */
  private boolean complete(Hierarchy.Info info) {
    Deque<String> open = new ArrayDeque<>();
    Set<String> seen = new HashSet<>();
    open.add(info.name);
    while (!open.isEmpty()) {
      Hierarchy.Info at = hierarchy.find(open.pop());
      if (at == null) {
        missing("a class above that the app does not bring");
        return false;
      }
      for (String each : at.interfaces) {
        if (seen.add(each)) {
          open.add(each);
        }
      }
      if (at.parent != null && seen.add(at.parent)) {
        open.add(at.parent);
      }
    }
    return true;
  }

  private boolean accessible(Hierarchy.Info holder, int access) {
    if ((access & Opcodes.ACC_PUBLIC) != 0 || holder.name.equals(from.name)) {
      return true;
    }
    if ((access & Opcodes.ACC_PRIVATE) != 0) {
      return false;
    }
    return samePackage(holder)
        || (access & Opcodes.ACC_PROTECTED) != 0 && hierarchy.isSubclass(from.name, holder.name)
        // The JVM lets arrays and objects be cloned by way of Object's protected method.
        || holder.name.equals("java/lang/Object");
  }

  /** A package of the app and one of the system's are two, even where they have one name. */
  private boolean samePackage(Hierarchy.Info info) {
    return info.own && pack(info.name).equals(pack(from.name));
  }

  private static String pack(String name) {
    return name.substring(0, name.lastIndexOf('/') + 1);
  }
}
