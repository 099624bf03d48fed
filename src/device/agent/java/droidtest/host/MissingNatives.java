package droidtest.host;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Native methods of the framework without an implementation: Robolectric has each return zero or null. Notes which
 * method of the framework asked which of them, so that what comes of it is not taken for the app's mistake.
 */
public final class MissingNatives {
  private static final StackWalker STACK = StackWalker.getInstance();
  private static final MethodHandle NOTE;

  /** Native methods by the method that called them last, both as {@code android.media.MediaCodec.native_setup}. */
  private static final Map<String, String> CALLED = new ConcurrentHashMap<>();

  static {
    try {
      MethodType type = MethodType.methodType(void.class, String.class);
      NOTE = MethodHandles.lookup().findStatic(MissingNatives.class, "note", type);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private MissingNatives() {}

  /**
   * Returns zero or null, as Robolectric does, and notes the caller. One that returns nothing is not noted: no value of
   * it can be wrong.
   *
   * @param type with the receiver first, where there is one
   */
  static MethodHandle empty(Class<?> owner, String name, MethodType type) {
    MethodHandle empty = MethodHandles.empty(type);
    return type.returnType() == void.class
        ? empty
        : MethodHandles.foldArguments(empty, NOTE.bindTo(owner.getName() + "." + name));
  }

  private static void note(String method) {
    STACK.walk(
        frames -> {
          frames
              .map(frame -> Stacks.plain(frame.toStackTraceElement()))
              .map(frame -> frame.getClassName() + "." + frame.getMethodName())
              .filter(caller -> !caller.startsWith("droidtest.") && !caller.startsWith("java.lang.invoke.") && !caller.equals(method))
              .findFirst()
              .ifPresent(caller -> CALLED.put(caller, method));
          return null;
        });
  }

  /** The native method without an implementation that a constructor of this class has called; null if there was none. */
  public static String calledByConstructor(String type) {
    return CALLED.get(type + ".<init>");
  }

  /** The native method without an implementation that returned the result of this method; null if there was none. */
  public static String behind(String method) {
    return CALLED.containsValue(method) ? method : CALLED.get(method);
  }

  /** A new process of the app starts. */
  public static void forget() {
    CALLED.clear();
  }
}
