package droidtest.tool;

import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/** Leads calls that would leave the device, or see the machine's clock or chance, to {@code droidtest.host.box}. */
final class Confined extends MethodVisitor {
  private static final String BOX = "droidtest/host/box/";
  private static final String CLOCK = BOX + "Clock";
  private static final String CHANCE = BOX + "Chance";
  private static final String PROCESS = BOX + "Process";
  private static final String PATHS = BOX + "Paths";
  private static final String PATTERNS = BOX + "Patterns";
  private static final String SHADERS = BOX + "Shaders";
  private static final String THREADS = BOX + "Threads";
  private static final String REFLECTION = BOX + "Reflection";
  private static final String LOADERS = BOX + "Loaders";
  private static final String TEMPORARY = BOX + "Temporary";
  private static final String TRACES = BOX + "Traces";
  private static final String LOOKUP = "java/lang/invoke/MethodHandles$Lookup";
  private static final String FRAMES = "()[Ljava/lang/StackTraceElement;";

  /** Static methods that have a twin of the same shape: "owner.name" to "owner.name" there. */
  private static final Map<String, String> STATIC =
      Map.ofEntries(
          Map.entry("java/lang/System.currentTimeMillis", CLOCK + ".currentTimeMillis"),
          Map.entry("java/lang/System.nanoTime", CLOCK + ".nanoTime"),
          Map.entry("java/lang/Thread.sleep", CLOCK + ".sleep"),
          Map.entry("android/os/SystemClock.sleep", CLOCK + ".sleepOn"),
          Map.entry("java/lang/Math.random", CHANCE + ".random"),
          Map.entry("java/lang/StrictMath.random", CHANCE + ".random"),
          Map.entry("java/util/UUID.randomUUID", CHANCE + ".uuid"),
          Map.entry("java/lang/System.getProperty", BOX + "Properties.getProperty"),
          Map.entry("java/io/File.createTempFile", TEMPORARY + ".createTempFile"),
          Map.entry("java/nio/file/Files.createTempFile", TEMPORARY + ".createTempFile"),
          Map.entry("java/nio/file/Files.createTempDirectory", TEMPORARY + ".createTempDirectory"),
          Map.entry("java/lang/System.exit", PROCESS + ".exit"),
          Map.entry("android/os/Process.killProcess", PROCESS + ".kill"),
          Map.entry("java/lang/System.loadLibrary", PROCESS + ".loadLibrary"),
          Map.entry("java/lang/ClassLoader.getSystemClassLoader", PROCESS + ".classLoader"),
          Map.entry("android/util/Log.getStackTraceString", TRACES + ".getStackTraceString"),
          Map.entry("java/lang/System.load", PROCESS + ".load"),
          Map.entry("java/net/InetAddress.getByName", PROCESS + ".resolve"),
          Map.entry("java/net/InetAddress.getAllByName", PROCESS + ".resolveAll"),
          Map.entry("java/util/regex/Pattern.compile", PATTERNS + ".compile"),
          Map.entry("java/util/regex/Pattern.matches", PATTERNS + ".matches"),
          Map.entry("java/lang/Thread.setDefaultUncaughtExceptionHandler", THREADS + ".setDefault"),
          Map.entry("java/lang/Thread.getDefaultUncaughtExceptionHandler", THREADS + ".getDefault"));

  /** Methods of an object whose twin takes the object as its first argument. */
  private static final Map<String, String> VIRTUAL =
      Map.ofEntries(
          Map.entry("java/lang/Runtime.exit", PROCESS + ".exit"),
          Map.entry("java/lang/Runtime.halt", PROCESS + ".exit"),
          Map.entry("java/lang/Runtime.exec", PROCESS + ".exec"),
          Map.entry("java/lang/Runtime.load", PROCESS + ".load"),
          Map.entry("java/lang/Runtime.loadLibrary", PROCESS + ".loadLibrary"),
          Map.entry("java/lang/ProcessBuilder.start", PROCESS + ".start"),
          Map.entry("java/lang/Class.getDeclaredFields", REFLECTION + ".getDeclaredFields"),
          Map.entry("java/lang/Class.getFields", REFLECTION + ".getFields"),
          Map.entry("java/lang/Class.getDeclaredMethods", REFLECTION + ".getDeclaredMethods"),
          Map.entry("java/lang/Class.getMethods", REFLECTION + ".getMethods"),
          Map.entry("java/lang/Class.getDeclaredConstructors", REFLECTION + ".getDeclaredConstructors"),
          Map.entry("java/lang/Class.getConstructors", REFLECTION + ".getConstructors"),
          Map.entry("java/lang/Class.getDeclaredField", REFLECTION + ".getDeclaredField"),
          Map.entry("java/lang/Class.getField", REFLECTION + ".getField"),
          Map.entry("java/lang/Class.getDeclaredMethod", REFLECTION + ".getDeclaredMethod"),
          Map.entry("java/lang/Class.getMethod", REFLECTION + ".getMethod"),
          Map.entry("java/lang/Class.getDeclaredConstructor", REFLECTION + ".getDeclaredConstructor"),
          Map.entry("java/lang/Class.getConstructor", REFLECTION + ".getConstructor"),
          Map.entry("java/lang/ClassLoader.defineClass", LOADERS + ".defineClass"),
          Map.entry(LOOKUP + ".defineClass", LOADERS + ".defineClass"),
          Map.entry(LOOKUP + ".defineHiddenClass", LOADERS + ".defineHiddenClass"),
          Map.entry(LOOKUP + ".findVirtual", LOADERS + ".findVirtual"),
          Map.entry(LOOKUP + ".findStatic", LOADERS + ".findStatic"),
          Map.entry(LOOKUP + ".findSpecial", LOADERS + ".findSpecial"),
          Map.entry(LOOKUP + ".bind", LOADERS + ".bind"),
          Map.entry(LOOKUP + ".unreflect", LOADERS + ".unreflect"),
          Map.entry(LOOKUP + ".unreflectSpecial", LOADERS + ".unreflectSpecial"),
          Map.entry("java/net/URLClassLoader.addURL", LOADERS + ".addURL"),
          Map.entry("java/util/regex/Pattern.pattern", PATTERNS + ".pattern"),
          Map.entry("java/util/regex/Pattern.toString", PATTERNS + ".toString"),
          Map.entry("java/util/regex/Pattern.flags", PATTERNS + ".flags"),
          Map.entry("java/lang/String.matches", PATTERNS + ".matches"),
          Map.entry("java/lang/String.replaceAll", PATTERNS + ".replaceAll"),
          Map.entry("java/lang/String.replaceFirst", PATTERNS + ".replaceFirst"),
          Map.entry("java/lang/String.split", PATTERNS + ".split"),
          Map.entry("java/io/File.getParent", PATHS + ".getParent"),
          Map.entry("java/io/File.getParentFile", PATHS + ".getParentFile"),
          Map.entry("java/nio/file/Path.getParent", PATHS + ".getParent"),
          Map.entry("java/io/File.list", BOX + "Folders.list"),
          Map.entry("java/io/File.listFiles", BOX + "Folders.listFiles"),
          Map.entry("java/io/File.getUsableSpace", BOX + "Space.getUsableSpace"),
          Map.entry("java/io/File.getFreeSpace", BOX + "Space.getFreeSpace"),
          Map.entry("java/io/File.getTotalSpace", BOX + "Space.getTotalSpace"),
          Map.entry("java/io/File.canRead", BOX + "Folders.canRead"),
          Map.entry("java/nio/channels/FileChannel.lock", BOX + "FileLocks.lock"),
          Map.entry("java/nio/channels/FileChannel.tryLock", BOX + "FileLocks.tryLock"));

  /** What opens files by name or File, as its first argument. */
  private static final Set<String> OPENERS =
      Set.of(
          "java/io/FileInputStream", "java/io/FileOutputStream", "java/io/RandomAccessFile", "java/io/FileReader",
          "java/io/FileWriter", "java/io/PrintWriter", "java/io/PrintStream", "java/util/Scanner", "java/util/Formatter",
          "java/util/zip/ZipFile", "java/util/jar/JarFile");
  /** Of these a String argument is text to work on, not a name. */
  private static final Set<String> TEXT_OPENERS = Set.of("java/util/Scanner");

  /** Framework methods that take a path as their first argument. */
  private static final Set<String> PATH_METHODS =
      Set.of(
          "android/graphics/BitmapFactory.decodeFile", "android/database/sqlite/SQLiteDatabase.openDatabase",
          "android/database/sqlite/SQLiteDatabase.openOrCreateDatabase", "android/graphics/drawable/Drawable.createFromPath",
          "android/media/MediaPlayer.setDataSource", "android/media/MediaRecorder.setOutputFile",
          "android/os/ParcelFileDescriptor.open", "android/graphics/Typeface.createFromFile", "android/system/Os.access",
          "android/system/Os.chmod", "android/system/Os.lstat", "android/system/Os.mkdir", "android/system/Os.open",
          "android/system/Os.remove", "android/system/Os.rename", "android/system/Os.stat");

  /** Names of methods that a class of the app may inherit from a platform's class that is confined. */
  private static final Set<String> INHERITED =
      Stream.of(STATIC.keySet().stream(), VIRTUAL.keySet().stream(), Stream.of(".yield", ".onSpinWait", ".getStackTrace", ".printStackTrace"))
          .flatMap(names -> names)
          .map(name -> name.substring(name.lastIndexOf('.') + 1))
          .collect(Collectors.toUnmodifiableSet());

  /** Methods that give a class by its name. */
  private static final Set<String> NAMED = Set.of("forName", "loadClass", "findClass", "findSystemClass", "findLoadedClass");
  private static final String CLASS = "Ljava/lang/Class;";
  private static final String URLS = "[Ljava/net/URL;";

  private final Hierarchy hierarchy;
  private String last = "";
  private String beforeLast = "";

  Confined(MethodVisitor next, Hierarchy hierarchy) {
    super(Opcodes.ASM9, next);
    this.hierarchy = hierarchy;
  }

  private void note(String what) {
    beforeLast = last;
    last = what;
  }

  @Override
  public void visitTypeInsn(int opcode, String type) {
    note(opcode == Opcodes.NEW ? "new " + type : "");
    super.visitTypeInsn(opcode, type);
  }

  @Override
  public void visitInsn(int opcode) {
    note(opcode == Opcodes.DUP ? "dup" : "");
    super.visitInsn(opcode);
  }

  @Override
  public void visitVarInsn(int opcode, int variable) {
    note("");
    super.visitVarInsn(opcode, variable);
  }

  @Override
  public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
    note("");
    super.visitFieldInsn(opcode, owner, name, descriptor);
  }

  @Override
  public void visitMethodInsn(int opcode, String named, String name, String descriptor, boolean isInterface) {
    boolean fresh = last.equals("dup") && beforeLast.equals("new " + named);
    String owner = holder(named, name, descriptor);
    note("");
    if (name.equals("<init>")) {
      construct(owner, descriptor, fresh);
      return;
    }
    if (Waits.lead(mv, opcode, owner, name, descriptor) || Channels.lead(mv, owner, name, descriptor)) {
      return;
    }
    String call = owner + "." + name;
    String twin = opcode == Opcodes.INVOKESTATIC ? STATIC.get(call) : VIRTUAL.get(call);
    if (opcode == Opcodes.INVOKESPECIAL && owner.equals("java/io/File")) {
      twin = null;
    }
    if (twin != null) {
      String shape = opcode == Opcodes.INVOKESTATIC ? descriptor : "(L" + owner + ";" + descriptor.substring(1);
      box(twin.substring(0, twin.indexOf('.')), twin.substring(twin.indexOf('.') + 1), shape);
    } else if (owner.startsWith("java/time/") && name.equals("now") && descriptor.startsWith("()")) {
      box(CLOCK, "javaClock", "()Ljava/time/Clock;");
      super.visitMethodInsn(opcode, owner, name, "(Ljava/time/Clock;" + descriptor.substring(1), isInterface);
    } else if (call.equals("java/util/Collections.shuffle") && descriptor.equals("(Ljava/util/List;)V")) {
      box(CHANCE, "shuffle", descriptor);
    } else if (opcode == Opcodes.INVOKEVIRTUAL && prints(owner, name, descriptor)) {
      box(TRACES, name, "(Ljava/lang/Throwable;" + descriptor.substring(1));
    } else if (call.equals("android/graphics/RuntimeShader.setColorUniform")) {
      tint(owner, descriptor);
    } else if (owner.equals("java/io/File") && opcode == Opcodes.INVOKEVIRTUAL) {
      file(name, descriptor);
    } else {
      if (PATH_METHODS.contains(call)) {
        first(descriptor, true);
      }
      hide(owner, name, descriptor);
      super.visitMethodInsn(opcode, named, name, descriptor, isInterface);
      after(call);
      hideResult(owner, name, descriptor);
      if (name.equals("getStackTrace") && descriptor.equals(FRAMES)) {
        String frames = owner.equals("java/lang/Thread") ? "threadFrames" : "frames";
        box(TRACES, frames, "([Ljava/lang/StackTraceElement;)[Ljava/lang/StackTraceElement;");
      }
    }
  }

  /**
   * The platform's class whose method a call names. Where a call has no receiver, Java's compiler names the class around it,
   * which may inherit the method: {@code sleep(100)} in a thread's class.
   */
  private String holder(String named, String name, String descriptor) {
    if (!INHERITED.contains(name) || named.startsWith("java/") || named.startsWith("[")) {
      return named;
    }
    Hierarchy.Info declaring = hierarchy.declaring(named, name + descriptor);
    return declaring == null || declaring.own ? named : declaring.name;
  }

  /** A stack trace to a text. */
  private static boolean prints(String owner, String name, String descriptor) {
    return name.equals("printStackTrace") && descriptor.startsWith("(Ljava/io/Print")
        && owner.startsWith("java/") && (owner.endsWith("Throwable") || owner.endsWith("Exception") || owner.endsWith("Error"));
  }

  /** Keeps the agent's classes, and bytecode that nobody has translated, from a call that is about to be made. */
  private void hide(String owner, String name, String descriptor) {
    if (owner.equals("java/lang/reflect/Method") && name.equals("invoke")) {
      first("(Ljava/lang/reflect/Method;" + descriptor.substring(1), LOADERS, "invoked", "Ljava/lang/reflect/Method;");
    } else if (owner.equals(LOOKUP) && name.startsWith("find") && descriptor.startsWith("(" + CLASS)) {
      first(descriptor, LOADERS, "seen", CLASS);
    } else if (owner.equals("java/net/URLClassLoader") && name.equals("newInstance")) {
      first(descriptor, LOADERS, "places", URLS);
    }
  }

  /** And from what a call gives. */
  private void hideResult(String owner, String name, String descriptor) {
    boolean handle = owner.equals("java/lang/invoke/MethodHandle");
    String result = descriptor.substring(descriptor.indexOf(')') + 1);
    if (result.equals("Ljava/lang/ClassLoader;")) {
      box(LOADERS, "visible", "(" + result + ")" + result);
    } else if (result.equals(CLASS) && (handle || NAMED.contains(name))) {
      box(LOADERS, "found", "(" + result + ")" + result);
    } else if (result.equals("Ljava/lang/Object;")
        && (handle || owner.equals("java/lang/reflect/Method") || owner.equals("java/lang/reflect/Field"))) {
      box(LOADERS, "visible", "(" + result + ")" + result);
    }
  }

  /** What must be done with the result of a call. */
  private void after(String call) {
    switch (call) {
      case "java/util/Calendar.getInstance":
        box(CLOCK, "now", "(Ljava/util/Calendar;)Ljava/util/Calendar;");
        break;
      case "java/nio/file/Paths.get":
      case "java/nio/file/Path.of":
      case "java/nio/file/FileSystem.getPath":
        box(PATHS, "use", "(Ljava/nio/file/Path;)Ljava/nio/file/Path;");
        break;
      default:
    }
  }

  private void construct(String owner, String descriptor, boolean fresh) {
    if (owner.equals("java/util/Date") && descriptor.equals("()V")) {
      box(CLOCK, "currentTimeMillis", "()J");
      descriptor = "(J)V";
    } else if (owner.equals("java/util/Random") && descriptor.equals("()V")) {
      box(CHANCE, "nextSeed", "()J");
      descriptor = "(J)V";
    } else if (owner.equals("java/io/File") && descriptor.equals("(Ljava/lang/String;)V")) {
      box(PATHS, "path", "(Ljava/lang/String;)Ljava/lang/String;");
    } else if (owner.equals("android/graphics/RuntimeShader") && descriptor.startsWith("(Ljava/lang/String;)")) {
      box(SHADERS, "plain", "(Ljava/lang/String;)Ljava/lang/String;");
    } else if (OPENERS.contains(owner)) {
      first(descriptor, !TEXT_OPENERS.contains(owner));
    } else if (owner.equals("java/net/URLClassLoader") && descriptor.startsWith("(" + URLS)) {
      first(descriptor, LOADERS, "places", URLS);
    }
    super.visitMethodInsn(Opcodes.INVOKESPECIAL, owner, "<init>", descriptor, false);
    if (fresh && owner.equals("java/util/GregorianCalendar") && nowCalendar(descriptor)) {
      box(CLOCK, "now", "(Ljava/util/Calendar;)Ljava/util/Calendar;");
      super.visitTypeInsn(Opcodes.CHECKCAST, owner);
    }
  }

  /** A colour for a shader, as four numbers: its program has lost the word that makes it a colour. */
  private void tint(String owner, String descriptor) {
    char type = descriptor.charAt(descriptor.indexOf(';') + 1);
    if (type == 'L') {
      super.visitMethodInsn(Opcodes.INVOKEVIRTUAL, "android/graphics/Color", "getComponents", "()[F", false);
    } else {
      box(SHADERS, "parts", "(" + type + ")[F");
    }
    super.visitMethodInsn(Opcodes.INVOKEVIRTUAL, owner, "setFloatUniform", "(Ljava/lang/String;[F)V", false);
  }

  private static boolean nowCalendar(String descriptor) {
    return !descriptor.contains("I");
  }

  /** Confines the first argument when it is a file or, if asked, a name. */
  private void first(String descriptor, boolean names) {
    if (descriptor.startsWith("(Ljava/io/File;")) {
      first(descriptor, PATHS, "use", "Ljava/io/File;");
    } else if (names && descriptor.startsWith("(Ljava/lang/String;")) {
      first(descriptor, PATHS, "useName", "Ljava/lang/String;");
    }
  }

  /** Puts what a method of the box makes of it in the place of the first argument, which is of this type. */
  private void first(String descriptor, String box, String method, String type) {
    String shape = "(" + type + ")" + type;
    Type[] rest = Type.getArgumentTypes("(" + descriptor.substring(1 + type.length()));
    // Only two values can be reached below: those above them are put aside.
    int kept = Math.min(rest.length, 2);
    for (int ix = 0; ix < rest.length; ix++) {
      if (rest[ix].getSize() != 1 || ix >= kept && rest[ix].getSort() < Type.ARRAY) {
        return;
      }
    }
    for (int ix = rest.length - 1; ix >= kept; ix--) {
      box(PATHS, "putAside", "(Ljava/lang/Object;)V");
    }
    if (kept == 0) {
      box(box, method, shape);
    } else if (kept == 1) {
      super.visitInsn(Opcodes.SWAP);
      box(box, method, shape);
      super.visitInsn(Opcodes.SWAP);
    } else {
      super.visitInsn(Opcodes.DUP2_X1);
      super.visitInsn(Opcodes.POP2);
      box(box, method, shape);
      super.visitInsn(Opcodes.DUP_X2);
      super.visitInsn(Opcodes.POP);
    }
    for (int ix = kept; ix < rest.length; ix++) {
      box(PATHS, "takeBack", "()Ljava/lang/Object;");
      super.visitTypeInsn(Opcodes.CHECKCAST, rest[ix].getInternalName());
    }
  }

  /** A method of File works on the file's place in the device. */
  private void file(String name, String descriptor) {
    boolean reads = name.startsWith("get") && !name.endsWith("Space") || name.equals("toString") || name.equals("equals")
        || name.equals("hashCode") || name.equals("compareTo") || name.startsWith("isAbsolute") || name.equals("toURI");
    if (!reads && descriptor.startsWith("()")) {
      box(PATHS, "use", "(Ljava/io/File;)Ljava/io/File;");
    } else if (!reads && descriptor.matches("\\((Z|L[^;]+;)\\).*")) {
      if (name.equals("renameTo")) {
        box(PATHS, "use", "(Ljava/io/File;)Ljava/io/File;");
      }
      super.visitInsn(Opcodes.SWAP);
      box(PATHS, "use", "(Ljava/io/File;)Ljava/io/File;");
      super.visitInsn(Opcodes.SWAP);
    }
    super.visitMethodInsn(Opcodes.INVOKEVIRTUAL, "java/io/File", name, descriptor, false);
  }

  private void box(String owner, String name, String descriptor) {
    super.visitMethodInsn(Opcodes.INVOKESTATIC, owner, name, descriptor, false);
  }
}
