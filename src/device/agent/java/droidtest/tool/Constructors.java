package droidtest.tool;

import com.googlecode.d2j.Method;
import com.googlecode.dex2jar.ir.IrMethod;
import com.googlecode.dex2jar.ir.expr.Exprs;
import com.googlecode.dex2jar.ir.expr.InvokeExpr;
import com.googlecode.dex2jar.ir.expr.Local;
import com.googlecode.dex2jar.ir.expr.NewExpr;
import com.googlecode.dex2jar.ir.expr.Value;
import com.googlecode.dex2jar.ir.stmt.AssignStmt;
import com.googlecode.dex2jar.ir.stmt.LabelStmt;
import com.googlecode.dex2jar.ir.stmt.Stmt;
import droidtest.host.box.Reflection;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.ClassNode;

/**
 * Constructor calls that a dex file may make and a class file may not. R8 inlines constructors: an object of class T is
 * then made by calling the constructor of a superclass R, past the constructors in between. The JVM wants a call of
 * T's constructor, so each class from T up to below R gets a bridge, a constructor with one more parameter, always
 * null, that leads to R's. The parameter's type, an array of arrays of arrays of R, makes its descriptor unique.
 */
final class Constructors {
  private final Hierarchy hierarchy;
  /** By class: the bridges it needs, as the descriptor of R's constructor and the name of R. */
  private final Map<String, Set<String>> bridges = new TreeMap<>();

  Constructors(Hierarchy hierarchy) {
    this.hierarchy = hierarchy;
  }

  /** Corrects the calls of one method in SSA form, before the translator joins NEW and {@code <init>}. */
  void correct(IrMethod method) {
    Map<Local, Value> definitions = null;
    for (Stmt stmt : method.stmts) {
      InvokeExpr call = constructorCall(stmt);
      if (call == null) {
        continue;
      }
      if (definitions == null) {
        definitions = definitions(method);
      }
      Value object = origin(call.getOps()[0], definitions);
      if (object != null) {
        correct(method, call, object);
      }
    }
  }

  private static InvokeExpr constructorCall(Stmt stmt) {
    Value value = stmt.st == Stmt.ST.VOID_INVOKE ? stmt.getOp() : stmt.st == Stmt.ST.ASSIGN ? stmt.getOp2() : null;
    if (value == null || value.vt != Value.VT.INVOKE_SPECIAL) {
      return null;
    }
    InvokeExpr call = (InvokeExpr) value;
    return call.getName().equals("<init>") && call.getOps().length > 0 ? call : null;
  }

  private static Map<Local, Value> definitions(IrMethod method) {
    Map<Local, Value> all = new IdentityHashMap<>();
    for (Stmt stmt : method.stmts) {
      if ((stmt.st == Stmt.ST.ASSIGN || stmt.st == Stmt.ST.IDENTITY) && stmt.getOp1().vt == Value.VT.LOCAL) {
        all.put((Local) stmt.getOp1(), stmt.getOp2());
      } else if (stmt.st == Stmt.ST.LABEL && ((LabelStmt) stmt).phis != null) {
        for (AssignStmt phi : ((LabelStmt) stmt).phis) {
          all.put((Local) phi.getOp1(), phi.getOp2());
        }
      }
    }
    return all;
  }

  /**
   * The NEW or {@code this} that a value comes from by way of copies and, in loops, of joins; null if it may be
   * objects of different classes or something else.
   */
  private static Value origin(Value value, Map<Local, Value> definitions) {
    Deque<Value> open = new ArrayDeque<>();
    Set<Value> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    open.push(value);
    Value origin = null;
    while (!open.isEmpty()) {
      Value at = open.pop();
      if (!seen.add(at)) {
        continue;
      }
      if (at.vt == Value.VT.LOCAL) {
        Value definition = definitions.get(at);
        if (definition == null) {
          return null;
        }
        open.push(definition);
      } else if (at.vt == Value.VT.PHI) {
        for (Value each : at.getOps()) {
          open.push(each);
        }
      } else if (origin == null && (at.vt == Value.VT.NEW || at.vt == Value.VT.THIS_REF)) {
        origin = at;
      } else if (at.vt != Value.VT.NEW || !type(at).equals(type(origin))) {
        return null;
      }
    }
    return origin;
  }

  /** The class of a NEW; nothing for {@code this}. */
  private static String type(Value origin) {
    return origin instanceof NewExpr ? ((NewExpr) origin).type : "";
  }

  private void correct(IrMethod method, InvokeExpr call, Value object) {
    String descriptor = call.method.getDesc();
    Hierarchy.Info declares = hierarchy.declaring(Hierarchy.internal(call.getOwner()), "<init>" + descriptor);
    if (declares == null) {
      return;
    }
    String target;
    if (object.vt == Value.VT.NEW) {
      target = Hierarchy.internal(((NewExpr) object).type);
    } else {
      String self = Hierarchy.internal(method.owner);
      Hierarchy.Info info = hierarchy.find(self);
      target = info == null || declares.name.equals(self) ? self : info.parent;
    }
    if (declares.name.equals(target)) {
      call.method = new Method("L" + target + ";", "<init>", call.method.getProto());
      return;
    }
    if (!need(target, declares.name, descriptor)) {
      return;
    }
    String extra = "[[[L" + declares.name + ";";
    String[] parameters = Arrays.copyOf(call.getArgs(), call.getArgs().length + 1);
    parameters[parameters.length - 1] = extra;
    Value[] operands = Arrays.copyOf(call.getOps(), call.getOps().length + 1);
    operands[operands.length - 1] = Exprs.nNull();
    call.method = new Method("L" + target + ";", "<init>", parameters, "V");
    call.setOps(operands);
  }

  /** Notes that all classes from {@code from} up to below {@code to} need a bridge; false if one cannot have it. */
  private boolean need(String from, String to, String descriptor) {
    Set<String> between = new TreeSet<>();
    for (String at = from; !at.equals(to); ) {
      Hierarchy.Info info = hierarchy.find(at);
      if (info == null || !info.own || info.parent == null) {
        return false;
      }
      between.add(at);
      at = info.parent;
    }
    synchronized (bridges) {
      for (String each : between) {
        bridges.computeIfAbsent(each, name -> new TreeSet<>()).add(descriptor + to);
      }
    }
    return true;
  }

  /** Adds its bridges to a class; all other classes must have been corrected by then. */
  void addBridges(ClassNode node) {
    for (String bridge : bridges.getOrDefault(node.name, Set.of())) {
      int end = bridge.indexOf(")V") + 2;
      addBridge(node, bridge.substring(0, end), bridge.substring(end));
    }
  }

  private static void addBridge(ClassNode node, String descriptor, String to) {
    String longer = descriptor.substring(0, descriptor.length() - 2) + "[[[L" + to + ";)V";
    MethodVisitor code = node.visitMethod(Opcodes.ACC_PUBLIC | Opcodes.ACC_SYNTHETIC, "<init>", longer, null, null);
    code.visitCode();
    Label start = new Label();
    code.visitLabel(start);
    // Stack traces leave out constructors of this line, which no source file reaches.
    code.visitLineNumber(Reflection.BRIDGE_LINE, start);
    code.visitVarInsn(Opcodes.ALOAD, 0);
    int slot = 1;
    for (Type parameter : Type.getArgumentTypes(descriptor)) {
      code.visitVarInsn(parameter.getOpcode(Opcodes.ILOAD), slot);
      slot += parameter.getSize();
    }
    boolean last = node.superName.equals(to);
    if (!last) {
      code.visitInsn(Opcodes.ACONST_NULL);
    }
    code.visitMethodInsn(Opcodes.INVOKESPECIAL, node.superName, "<init>", last ? descriptor : longer, false);
    code.visitInsn(Opcodes.RETURN);
    code.visitMaxs(slot + 1, slot + 1);
    code.visitEnd();
  }
}
