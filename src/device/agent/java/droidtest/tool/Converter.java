package droidtest.tool;

import com.googlecode.d2j.Method;
import com.googlecode.d2j.dex.DexExceptionHandler;
import com.googlecode.d2j.dex.ExDex2Asm;
import com.googlecode.d2j.node.DexClassNode;
import com.googlecode.d2j.node.DexFieldNode;
import com.googlecode.d2j.node.DexFileNode;
import com.googlecode.d2j.node.DexMethodNode;
import com.googlecode.dex2jar.ir.IrMethod;
import com.googlecode.dex2jar.ir.expr.BinopExpr;
import com.googlecode.dex2jar.ir.expr.Local;
import com.googlecode.dex2jar.ir.expr.RefExpr;
import com.googlecode.dex2jar.ir.expr.Value;
import com.googlecode.dex2jar.ir.stmt.Stmt;
import java.util.Map;
import java.util.function.Consumer;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TypeInsnNode;

/** dex2jar with our correction of constructor calls; one instance serves one thread. */
final class Converter extends ExDex2Asm {
  /** Starts the message of what is thrown where a class or method could not be translated; the oracles know it. */
  static final String LIMITATION = "droidtest: not translated: ";
  /** With more locals than this the graph of which may share a slot takes longer than all else together. */
  private static final int MOST_SHARED_LOCALS = 2_000;
  /** Registers times instructions; beyond this the translator's analysis takes gigabytes. */
  private static final long LARGEST_ANALYSIS = 60_000_000L;

  private static final int CLASS_FILE_FLAGS =
      Opcodes.ACC_PUBLIC | Opcodes.ACC_FINAL | Opcodes.ACC_SUPER | Opcodes.ACC_INTERFACE | Opcodes.ACC_ABSTRACT
          | Opcodes.ACC_SYNTHETIC | Opcodes.ACC_ANNOTATION | Opcodes.ACC_ENUM;
  /** Dex files add flags above these. */
  private static final int MEMBER_FLAGS = 0xffff;

  /** The same comparison with its sides changed; those that differ by it. */
  private static final Map<Value.VT, Value.VT> FLIPPED =
      Map.of(Value.VT.LT, Value.VT.GT, Value.VT.GT, Value.VT.LT, Value.VT.LE, Value.VT.GE, Value.VT.GE, Value.VT.LE);

  private final Constructors constructors;

  Converter(Constructors constructors, Consumer<String> failedMethods) {
    super(new Failures(failedMethods));
    this.constructors = constructors;
  }

  static Map<String, ?> info(DexFileNode file) {
    return collectClzInfo(file);
  }

  @SuppressWarnings("unchecked")
  ClassNode convert(DexFileNode file, DexClassNode node, Map<String, ?> info) {
    ClassNode made = new ClassNode();
    convertClass(file, node, name -> made, (Map<String, Clz>) info);
    return made;
  }

  @Override
  public void convertCode(DexMethodNode node, MethodVisitor code, ClzCtx context) {
    long work = (long) node.codeNode.totalRegister * node.codeNode.stmts.size();
    if (work > LARGEST_ANALYSIS) {
      exceptionHandler.handleMethodTranslateException(node.method, node, code, new IllegalStateException("too large"));
    } else {
      super.convertCode(node, code, context);
    }
  }

  /** The translator's list of passes, with the two of ours. */
  @Override
  public void optimize(IrMethod method) {
    T_CLEAN_LABEL.transform(method);
    clean(method);
    T_ZERO.transform(method);
    if (T_NPE.transformReportChanged(method)) {
      clean(method);
    }
    constructors.correct(method);
    T_NEW.transform(method);
    T_FILL_ARRAY.transform(method);
    T_AGG.transform(method);
    T_MULTI_ARRAY.transform(method);
    T_VOID_INVOKE.transform(method);
    clean(method);
    putZerosRight(method);
    T_TYPE.transform(method);
    T_UNSSA.transform(method);
    T_TRIM_EX.transform(method);
    if (method.locals.size() > MOST_SHARED_LOCALS) {
      giveEachItsSlot(method);
    } else {
      T_IR_2_J_REG_ASSIGN.transform(method);
    }
  }

  /** dex2jar writes a comparison of zero with a value as one of the value with zero; D8 leaves such in debug builds. */
  private static void putZerosRight(IrMethod method) {
    for (Stmt stmt : method.stmts) {
      Value test = stmt.st == Stmt.ST.IF ? stmt.getOp() : null;
      Value.VT flipped = test == null ? null : FLIPPED.get(test.vt);
      if (flipped != null && test.getOp1().vt == Value.VT.CONSTANT) {
        stmt.setOp(new BinopExpr(flipped, test.getOp2(), test.getOp1(), ((BinopExpr) test).type));
      }
    }
  }

  private static void clean(IrMethod method) {
    T_DEAD_CODE.transform(method);
    T_REMOVE_LOCAL.transform(method);
    T_REMOVE_CONST.transform(method);
  }

  /** Parameters keep the slots that callers fill; every other local gets separate slots. */
  private static void giveEachItsSlot(IrMethod method) {
    int[] parameters = new int[method.args.length];
    int next = method.isStatic ? 0 : 1;
    for (int i = 0; i < parameters.length; i++) {
      parameters[i] = next;
      next += Type.getType(method.args[i]).getSize();
    }
    for (Local local : method.locals) {
      local.lsIndex = -1;
    }
    for (Stmt stmt : method.stmts) {
      if ((stmt.st == Stmt.ST.ASSIGN || stmt.st == Stmt.ST.IDENTITY) && stmt.getOp1().vt == Value.VT.LOCAL) {
        Local local = (Local) stmt.getOp1();
        if (stmt.getOp2().vt == Value.VT.THIS_REF) {
          local.lsIndex = 0;
        } else if (stmt.getOp2().vt == Value.VT.PARAMETER_REF) {
          local.lsIndex = parameters[((RefExpr) stmt.getOp2()).parameterIndex];
        }
      }
      stmt.frame = null;
    }
    for (Local local : method.locals) {
      if (local.lsIndex < 0) {
        local.lsIndex = next;
        next += local.valueType.equals("J") || local.valueType.equals("D") ? 2 : 1;
      }
      local.tag = null;
    }
  }

  /** A class with the members of one that could not be translated; its methods report that when called. */
  static ClassNode standIn(DexClassNode node) {
    ClassNode made = new ClassNode();
    String name = Hierarchy.internal(node.className);
    String parent = node.superClass == null ? "java/lang/Object" : Hierarchy.internal(node.superClass);
    int access = node.access & CLASS_FILE_FLAGS;
    boolean isInterface = (access & Opcodes.ACC_INTERFACE) != 0;
    made.visit(Opcodes.V1_8, isInterface ? access : access | Opcodes.ACC_SUPER, name, null, parent, null);
    if (node.interfaceNames != null) {
      for (String each : node.interfaceNames) {
        made.interfaces.add(Hierarchy.internal(each));
      }
    }
    if (node.fields != null) {
      for (DexFieldNode field : node.fields) {
        made.visitField(field.access & MEMBER_FLAGS, field.field.getName(), field.field.getType(), null, null);
      }
    }
    if (node.methods != null) {
      for (DexMethodNode method : node.methods) {
        String type = method.method.getDesc();
        made.visitMethod(method.access & MEMBER_FLAGS, method.method.getName(), type, null, null);
        if (method.codeNode != null) {
          replace(name, made.methods.get(made.methods.size() - 1));
        }
      }
    }
    return made;
  }

  /** Makes a method say, when it is called, that it could not be translated. */
  static void replace(String owner, MethodNode method) {
    method.tryCatchBlocks.clear();
    method.localVariables = null;
    method.instructions = thrower(owner.replace('/', '.') + "." + method.name);
  }

  private static InsnList thrower(String what) {
    InsnList code = new InsnList();
    code.add(new TypeInsnNode(Opcodes.NEW, "java/lang/VerifyError"));
    code.add(new InsnNode(Opcodes.DUP));
    code.add(new LdcInsnNode(LIMITATION + what));
    code.add(
        new MethodInsnNode(Opcodes.INVOKESPECIAL, "java/lang/VerifyError", "<init>", "(Ljava/lang/String;)V", false));
    code.add(new InsnNode(Opcodes.ATHROW));
    return code;
  }

  private static final class Failures implements DexExceptionHandler {
    private final Consumer<String> failed;

    Failures(Consumer<String> failed) {
      this.failed = failed;
    }

    @Override
    public void handleFileException(Exception e) {
      throw new IllegalStateException(e);
    }

    @Override
    public void handleMethodTranslateException(Method method, DexMethodNode node, MethodVisitor code, Exception e) {
      failed.accept(method.toString());
      String owner = Hierarchy.internal(method.getOwner());
      thrower(owner.replace('/', '.') + "." + method.getName()).accept(code);
      code.visitMaxs(3, 3);
    }
  }
}
