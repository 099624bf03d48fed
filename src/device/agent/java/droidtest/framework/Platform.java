package droidtest.framework;

import droidtest.sched.Agent;
import droidtest.tool.Waits;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Writes the Java agent of the device: the scheduler's classes, and those classes of this very Java whose threads, waits,
 * timers and files it replaces.
 */
public final class Platform {
  private static final String HOOKS = Waits.HOOKS;
  private static final String SUPPORT = "java/util/concurrent/locks/LockSupport";
  private static final String UNSAFE = "jdk/internal/misc/Unsafe";
  private static final String COLLECTIONS = "java/util/ImmutableCollections";
  /** What tells which lock a thread waits for. */
  private static final Set<String> WATCHERS = Set.of("java/lang/management/LockInfo", "java/lang/management/ThreadInfo");
  /** The salt for the order of small sets and maps; Java draws another one at each start. */
  private static final long SALT = 0x5bd1e995L;

  /** Methods that the scheduler does itself: the shape of the hook, whose arguments are the last ones of the method. */
  private static final Map<String, String> WHOLE =
      Map.ofEntries(
          Map.entry(SUPPORT + ".park()V", "park()Z"),
          Map.entry(SUPPORT + ".park(Ljava/lang/Object;)V", "park()Z"),
          Map.entry(SUPPORT + ".parkNanos(J)V", "parkNanos(J)Z"),
          Map.entry(SUPPORT + ".parkNanos(Ljava/lang/Object;J)V", "parkNanos(J)Z"),
          Map.entry(SUPPORT + ".parkUntil(J)V", "parkUntil(J)Z"),
          Map.entry(SUPPORT + ".parkUntil(Ljava/lang/Object;J)V", "parkUntil(J)Z"),
          Map.entry(SUPPORT + ".unpark(Ljava/lang/Thread;)V", "unpark(Ljava/lang/Thread;)Z"),
          Map.entry("java/lang/Thread.interrupt()V", "interrupt(Ljava/lang/Thread;)Z"));
  /** Methods that notify the scheduler first; without a signature if it differs between Java versions. */
  private static final Map<String, String> HEARD =
      Map.of(
          "java/net/InetAddress.getAllByName0", "lookUp(Ljava/lang/String;)V",
          "java/lang/Thread.start", "starting(Ljava/lang/Thread;)V",
          "java/lang/Thread.exit()V", "exiting()V",
          "java/lang/Thread.run()V", "gate()V",
          "java/util/concurrent/ForkJoinWorkerThread.run()V", "gate()V",
          "java/util/TimerThread.run()V", "gate()V");
  /** Methods that do something for an object that was collected. */
  private static final Set<String> COLLECTED =
      Set.of(
          "java/lang/ref/Finalizer.runFinalizer(Ljdk/internal/access/JavaLangAccess;)V",
          "jdk/internal/ref/PhantomCleanable.clean()V");
  /** What lists the members of a class. */
  private static final Set<String> LISTS =
      Set.of(
          "java/lang/Class.getDeclaredMethods0(Z)[Ljava/lang/reflect/Method;",
          "java/lang/Class.getDeclaredConstructors0(Z)[Ljava/lang/reflect/Constructor;");
  /** The constructor of all references. */
  private static final String REFERENCE = "java/lang/ref/Reference.<init>(Ljava/lang/Object;Ljava/lang/ref/ReferenceQueue;)V";
  /** The dates of a file that no program can set: access, change of the node, creation. */
  private static final Set<String> HOST_DATES =
      Set.of(
          "sun/nio/fs/UnixFileAttributes.lastAccessTime()Ljava/nio/file/attribute/FileTime;",
          "sun/nio/fs/UnixFileAttributes.creationTime()Ljava/nio/file/attribute/FileTime;",
          "sun/nio/fs/UnixFileAttributes.ctime()Ljava/nio/file/attribute/FileTime;");
  /** What checks whether a certificate is still valid: those of real servers are, by the clock of this machine. */
  private static final Set<String> CERTIFICATES =
      Set.of(
          "sun/security/x509/X509CertImpl", "sun/security/x509/CertificateValidity",
          "sun/security/provider/certpath/PKIX$ValidatorParams", "sun/security/validator/SimpleValidator");
  /** Classes that wait, or look at the clock, next to those of {@code java.util.concurrent}. */
  private static final List<String> OTHERS =
      List.of(
          "java/lang/Class", "java/lang/Thread", "java/util/Timer", "java/util/TimerThread", "java/util/TimerTask", "java/util/Timer$1",
          "java/util/Timer$ThreadReaper", "java/util/Random", "java/lang/ref/Reference", "java/lang/ref/ReferenceQueue", "java/lang/ref/Finalizer",
          "jdk/internal/ref/PhantomCleanable", "java/net/InetAddress", "java/io/PipedInputStream",
          "java/io/PipedOutputStream", "java/io/PipedReader", "java/io/PipedWriter",
          "java/util/Date", "java/util/Calendar", "java/util/GregorianCalendar", "java/util/JapaneseImperialCalendar",
          "sun/util/BuddhistCalendar", "java/time/Clock", "java/time/Clock$SystemClock", "java/util/zip/ZipOutputStream",
          "java/text/SimpleDateFormat", "sun/util/locale/provider/CalendarProviderImpl", "java/net/HttpCookie", "sun/nio/fs/UnixFileAttributes");

  private final Set<String> placed = new HashSet<>();
  private boolean changed;

  private Platform() {}

  /** @param args the folder with this program's classes, and the jar to write */
  public static void main(String[] args) throws IOException {
    new Platform().write(Path.of(args[0]), Path.of(args[1]));
  }

  private void write(Path classes, Path out) throws IOException {
    Manifest manifest = new Manifest();
    Attributes head = manifest.getMainAttributes();
    head.put(Attributes.Name.MANIFEST_VERSION, "1.0");
    head.putValue("Premain-Class", Agent.class.getName());
    head.putValue("Boot-Class-Path", out.getFileName().toString());
    head.putValue("Can-Redefine-Classes", "true");
    try (OutputStream file = new BufferedOutputStream(Files.newOutputStream(out));
        JarOutputStream to = new JarOutputStream(file, manifest)) {
      for (Map.Entry<String, byte[]> entry : entries(classes).entrySet()) {
        to.putNextEntry(new JarEntry(entry.getKey()));
        to.write(entry.getValue());
        to.closeEntry();
      }
    }
    Set<String> missing = new HashSet<>(WHOLE.keySet());
    missing.addAll(HEARD.keySet());
    missing.addAll(DiskCalls.methods());
    missing.addAll(COLLECTED);
    missing.addAll(LISTS);
    missing.add(REFERENCE);
    missing.removeAll(placed);
    if (!missing.isEmpty()) {
      throw new IllegalStateException("Java " + System.getProperty("java.version") + " has no " + missing);
    }
  }

  private Map<String, byte[]> entries(Path classes) throws IOException {
    Map<String, byte[]> all = new TreeMap<>();
    Path folder = classes.resolve(Agent.class.getPackageName().replace('.', '/'));
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
        all.put(classes.relativize(file).toString().replace('\\', '/'), Files.readAllBytes(file));
      }
    }
    Path modules = FileSystems.getFileSystem(URI.create("jrt:/")).getPath("/modules");
    for (String name : WATCHERS) {
      put(all, name, modules.resolve("java.management").resolve(name + ".class"));
    }
    Path java = modules.resolve("java.base");
    try (Stream<Path> files = Files.walk(java.resolve("java/util"))) {
      for (Path file : (Iterable<Path>) files::iterator) {
        String name = java.relativize(file).toString();
        if (name.endsWith(".class") && (name.startsWith("java/util/concurrent/") || name.startsWith(COLLECTIONS))) {
          put(all, name.substring(0, name.length() - ".class".length()), file);
        }
      }
    }
    Set<String> others = new TreeSet<>(OTHERS);
    others.addAll(CERTIFICATES);
    others.addAll(DiskCalls.types());
    for (String name : others) {
      Path file = java.resolve(name + ".class");
      if (Files.exists(file)) {
        put(all, name, file);
      }
    }
    return all;
  }

  private void put(Map<String, byte[]> all, String name, Path file) throws IOException {
    ClassReader reader = new ClassReader(Files.readAllBytes(file));
    ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
    changed = false;
    reader.accept(new Changes(writer), 0);
    if (changed) {
      all.put(Agent.CLASSES + name + ".bytes", writer.toByteArray());
    }
  }

  private final class Changes extends ClassVisitor {
    private String type;

    Changes(ClassVisitor next) {
      super(Opcodes.ASM9, next);
    }

    @Override
    public void visit(int version, int access, String name, String signature, String parent, String[] interfaces) {
      type = name;
      super.visit(version, access, name, signature, parent, interfaces);
    }

    @Override
    public MethodVisitor visitMethod(int access, String name, String descriptor, String signature, String[] thrown) {
      String method = type + "." + name + descriptor;
      MethodVisitor next =
          DiskCalls.in(
              super.visitMethod(access, name, descriptor, signature, thrown), type, method,
              () -> {
                changed = true;
                placed.add(method);
              });
      String whole = WHOLE.get(method);
      String named = HEARD.containsKey(method) ? method : type + "." + name;
      String heard = HEARD.get(named);
      return new MethodVisitor(Opcodes.ASM9, next) {
        @Override
        public void visitCode() {
          super.visitCode();
          if (COLLECTED.contains(method)) {
            changed = true;
            placed.add(method);
            super.visitMethodInsn(Opcodes.INVOKESTATIC, "droidtest/sched/Collected", "begin", "()V", false);
          }
          if (HOST_DATES.contains(method)) {
            changed = true;
            super.visitVarInsn(Opcodes.ALOAD, 0);
            super.visitMethodInsn(Opcodes.INVOKEVIRTUAL, type, "lastModifiedTime", descriptor, false);
            super.visitInsn(Opcodes.ARETURN);
            // The old body follows; nothing reaches it.
            super.visitFrame(Opcodes.F_SAME, 0, null, 0, null);
            super.visitInsn(Opcodes.NOP);
            return;
          }
          String hook = whole != null ? whole : heard;
          if (hook == null) {
            return;
          }
          changed = true;
          placed.add(whole != null ? method : named);
          arguments(this, descriptor, hook);
          int shape = hook.indexOf('(');
          super.visitMethodInsn(Opcodes.INVOKESTATIC, HOOKS, hook.substring(0, shape), hook.substring(shape), false);
          if (whole != null) {
            Label on = new Label();
            super.visitJumpInsn(Opcodes.IFEQ, on);
            super.visitInsn(Opcodes.RETURN);
            super.visitLabel(on);
            super.visitFrame(Opcodes.F_SAME, 0, null, 0, null);
            // A loop that starts here has its own frame.
            super.visitInsn(Opcodes.NOP);
          }
        }

        @Override
        public void visitInsn(int opcode) {
          if (opcode == Opcodes.RETURN && COLLECTED.contains(method)) {
            super.visitMethodInsn(Opcodes.INVOKESTATIC, "droidtest/sched/Collected", "end", "()V", false);
          }
          if (opcode == Opcodes.RETURN && method.equals(REFERENCE)) {
            changed = true;
            placed.add(method);
            super.visitVarInsn(Opcodes.ALOAD, 0);
            super.visitVarInsn(Opcodes.ALOAD, 1);
            super.visitMethodInsn(
                Opcodes.INVOKESTATIC, "droidtest/sched/Referents", "made", "(Ljava/lang/ref/Reference;Ljava/lang/Object;)V", false);
          }
          super.visitInsn(opcode);
        }

        @Override
        public void visitMethodInsn(int opcode, String owner, String name, String shape, boolean isInterface) {
          if (CERTIFICATES.contains(type)) {
            boolean today = owner.equals("java/util/Date") && name.equals("<init>") && shape.equals("()V");
            if (today) {
              changed = true;
              super.visitMethodInsn(Opcodes.INVOKESTATIC, "java/lang/System", "currentTimeMillis", "()J", false);
            }
            super.visitMethodInsn(opcode, owner, name, today ? "(J)V" : shape, isInterface);
            return;
          }
          boolean clock = owner.equals("java/lang/System") && (name.equals("nanoTime") || name.equals("currentTimeMillis"));
          if (clock || owner.equals("java/lang/Thread") && name.equals("sleep") && opcode == Opcodes.INVOKESTATIC) {
            changed = true;
            super.visitMethodInsn(Opcodes.INVOKESTATIC, HOOKS, name, shape, false);
          } else if (owner.equals("jdk/internal/misc/VM") && name.equals("getNanoTimeAdjustment")) {
            changed = true;
            super.visitMethodInsn(Opcodes.INVOKESTATIC, HOOKS, "nanosSince", shape, false);
          } else if (WATCHERS.contains(type) && name.equals("identityHashCode")) {
            // The monitor of a thread must not create identity hashes: the app's have a fixed order.
            changed = true;
            super.visitInsn(Opcodes.POP);
            super.visitInsn(Opcodes.ICONST_0);
          } else if (LISTS.contains(owner + "." + name + shape)) {
            changed = true;
            placed.add(owner + "." + name + shape);
            super.visitMethodInsn(opcode, owner, name, shape, isInterface);
            String list = shape.substring(shape.indexOf(')') + 1);
            super.visitMethodInsn(Opcodes.INVOKESTATIC, "droidtest/sched/Order", "sorted", "(" + list + ")" + list, false);
          } else if (owner.equals(UNSAFE) && (name.equals("park") || name.equals("unpark")) && !type.equals(SUPPORT)) {
            changed = true;
            super.visitMethodInsn(Opcodes.INVOKESTATIC, HOOKS, name, "(Ljava/lang/Object;" + shape.substring(1), false);
          } else if (Waits.lead(mv, opcode, owner, name, shape)) {
            changed = true;
          } else {
            super.visitMethodInsn(opcode, owner, name, shape, isInterface);
          }
        }

        @Override
        public void visitFieldInsn(int opcode, String owner, String name, String shape) {
          boolean salt = opcode == Opcodes.GETSTATIC && owner.equals(COLLECTIONS);
          if (salt && name.equals("SALT32L")) {
            changed = true;
            super.visitLdcInsn(SALT);
          } else if (salt && name.equals("REVERSE")) {
            changed = true;
            super.visitInsn(Opcodes.ICONST_0);
          } else {
            super.visitFieldInsn(opcode, owner, name, shape);
          }
        }
      };
    }
  }

  /** Loads what a hook takes: nothing, the object or thread, or the time, which comes last. */
  private static void arguments(MethodVisitor to, String descriptor, String hook) {
    if (hook.contains("(J)")) {
      to.visitVarInsn(Opcodes.LLOAD, descriptor.startsWith("(Ljava/lang/Object;") ? 1 : 0);
    } else if (!hook.contains("()")) {
      to.visitVarInsn(Opcodes.ALOAD, 0);
    }
  }
}
