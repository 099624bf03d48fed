package droidtest.tool;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.AnnotationNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.FieldNode;
import org.objectweb.asm.tree.InnerClassNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TypeInsnNode;

/** What a dex file says differently from a class file, put right in translated classes. */
final class Corrections {
  private final Hierarchy hierarchy;
  /** The names that enums give to their constants, by "class.field", where R8 has renamed the field. */
  private final Map<String, String> constants = new HashMap<>();

  Corrections(Hierarchy hierarchy) {
    this.hierarchy = hierarchy;
  }

  /** Corrects flags and calls of one class. */
  void correct(ClassNode node) {
    node.access = allowed(node.access);
    for (InnerClassNode inner : node.innerClasses) {
      inner.access = allowed(inner.access);
    }
    for (MethodNode method : node.methods) {
      for (AbstractInsnNode at : method.instructions) {
        if (at instanceof MethodInsnNode) {
          call(node, (MethodInsnNode) at);
        } else if (at instanceof InvokeDynamicInsnNode) {
          InvokeDynamicInsnNode dynamic = (InvokeDynamicInsnNode) at;
          dynamic.bsm = handle(dynamic.bsm);
          for (int i = 0; i < dynamic.bsmArgs.length; i++) {
            dynamic.bsmArgs[i] = dynamic.bsmArgs[i] instanceof Handle ? handle((Handle) dynamic.bsmArgs[i]) : dynamic.bsmArgs[i];
          }
        } else if (at instanceof LdcInsnNode && ((LdcInsnNode) at).cst instanceof Handle) {
          ((LdcInsnNode) at).cst = handle((Handle) ((LdcInsnNode) at).cst);
        }
      }
    }
  }

  /**
   * R8 marks classes that nothing extends as final, abstract ones too, and old compilers left an interface
   * ({@code package-info}) without the flag of abstract ones; the JVM refuses such.
   */
  private static int allowed(int access) {
    int with = (access & Opcodes.ACC_INTERFACE) != 0 ? access | Opcodes.ACC_ABSTRACT : access;
    boolean both = (with & Opcodes.ACC_ABSTRACT) != 0 && (with & Opcodes.ACC_FINAL) != 0;
    return both ? with & ~Opcodes.ACC_FINAL : with;
  }

  private void call(ClassNode node, MethodInsnNode call) {
    if (call.owner.startsWith("[")) {
      return;
    }
    Hierarchy.Info owner = hierarchy.find(call.owner);
    if (owner == null) {
      return;
    }
    call.itf = owner.isInterface();
    if (call.getOpcode() == Opcodes.INVOKEVIRTUAL && call.itf) {
      call.setOpcode(Opcodes.INVOKEINTERFACE);
    } else if (call.getOpcode() == Opcodes.INVOKEINTERFACE && !call.itf) {
      call.setOpcode(Opcodes.INVOKEVIRTUAL);
    } else if (call.getOpcode() == Opcodes.INVOKESPECIAL && call.itf && !call.owner.equals(node.name)) {
      special(node, call);
    }
  }

  /** {@code I.super.m()}: the JVM wants a direct superinterface, and a method with a body. */
  private void special(ClassNode node, MethodInsnNode call) {
    String method = call.name + call.desc;
    if (isAbstract(call.owner, method)) {
      Hierarchy.Info concrete = hierarchy.declaring(node.superName, method);
      if (concrete != null && (concrete.methods.get(method) & Opcodes.ACC_ABSTRACT) == 0) {
        call.owner = node.superName;
        call.itf = false;
        return;
      }
    }
    if (!node.interfaces.contains(call.owner) && hierarchy.isSubclass(node.name, call.owner)) {
      node.interfaces.add(call.owner);
    }
  }

  private boolean isAbstract(String owner, String method) {
    Hierarchy.Info info = hierarchy.find(owner);
    Integer own = info == null ? null : info.methods.get(method);
    if (own != null) {
      return (own & Opcodes.ACC_ABSTRACT) != 0;
    }
    for (String each : hierarchy.allInterfaces(owner)) {
      Hierarchy.Info above = hierarchy.find(each);
      Integer access = above == null ? null : above.methods.get(method);
      if (access != null && (access & Opcodes.ACC_ABSTRACT) == 0) {
        return false;
      }
    }
    return true;
  }

  private Handle handle(Handle handle) {
    Hierarchy.Info owner = hierarchy.find(handle.getOwner());
    if (owner == null || owner.isInterface() == handle.isInterface()) {
      return handle;
    }
    int tag = handle.getTag();
    if (tag == Opcodes.H_INVOKEVIRTUAL && owner.isInterface()) {
      tag = Opcodes.H_INVOKEINTERFACE;
    } else if (tag == Opcodes.H_INVOKEINTERFACE && !owner.isInterface()) {
      tag = Opcodes.H_INVOKEVIRTUAL;
    }
    return new Handle(tag, handle.getOwner(), handle.getName(), handle.getDesc(), owner.isInterface());
  }

  /**
   * Notes the names an enum gives to its constants: the first text after each NEW of the enum, up to the field that
   * takes the object.
   */
  void noteConstants(ClassNode node) {
    if ((node.access & Opcodes.ACC_ENUM) == 0) {
      return;
    }
    for (MethodNode method : node.methods) {
      if (method.name.equals("<clinit>")) {
        noteConstants(node, method);
      }
    }
  }

  private void noteConstants(ClassNode node, MethodNode initialiser) {
    boolean wanted = false;
    String name = null;
    for (AbstractInsnNode at : initialiser.instructions) {
      if (at.getOpcode() == Opcodes.NEW && hierarchy.isSubclass(((TypeInsnNode) at).desc, node.name)) {
        wanted = true;
        name = null;
      } else if (wanted && at instanceof LdcInsnNode && ((LdcInsnNode) at).cst instanceof String) {
        name = (String) ((LdcInsnNode) at).cst;
        wanted = false;
      } else if (at.getOpcode() == Opcodes.PUTSTATIC) {
        FieldInsnNode field = (FieldInsnNode) at;
        if (name != null && field.owner.equals(node.name) && field.desc.equals("L" + node.name + ";")) {
          if (!name.equals(field.name)) {
            synchronized (constants) {
              constants.put(node.name + "." + field.name, name);
            }
          }
          name = null;
        }
      }
    }
  }

  /**
   * Names enum constants in annotations as the enum does: a dex file names the field, the JVM looks the constant up by
   * its name. All enums must have been noted by then.
   */
  void nameConstants(ClassNode node) {
    if (constants.isEmpty()) {
      return;
    }
    annotations(node.visibleAnnotations);
    annotations(node.invisibleAnnotations);
    for (FieldNode field : node.fields) {
      annotations(field.visibleAnnotations);
      annotations(field.invisibleAnnotations);
    }
    for (MethodNode method : node.methods) {
      annotations(method.visibleAnnotations);
      annotations(method.invisibleAnnotations);
      method.annotationDefault = value(method.annotationDefault);
      for (List<AnnotationNode> each : parameters(method.visibleParameterAnnotations)) {
        annotations(each);
      }
      for (List<AnnotationNode> each : parameters(method.invisibleParameterAnnotations)) {
        annotations(each);
      }
    }
  }

  private static List<List<AnnotationNode>> parameters(List<AnnotationNode>[] all) {
    return all == null ? List.of() : java.util.Arrays.asList(all);
  }

  private void annotations(List<AnnotationNode> all) {
    if (all != null) {
      all.forEach(this::annotation);
    }
  }

  /** The values of an annotation stand after their names. */
  private void annotation(AnnotationNode node) {
    for (int i = 1; node.values != null && i < node.values.size(); i += 2) {
      node.values.set(i, value(node.values.get(i)));
    }
  }

  private Object value(Object value) {
    if (value instanceof AnnotationNode) {
      annotation((AnnotationNode) value);
    } else if (value instanceof List) {
      @SuppressWarnings("unchecked")
      List<Object> list = (List<Object>) value;
      list.replaceAll(this::value);
    } else if (value instanceof String[]) {
      String[] constant = (String[]) value;
      String name = constants.get(Hierarchy.internal(constant[0]) + "." + constant[1]);
      return name == null ? constant : new String[] {constant[0], name};
    }
    return value;
  }
}
