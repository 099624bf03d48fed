package droidtest.model;

import java.lang.reflect.Constructor;
import java.util.Random;

/** What goes wrong in the app by the model's will, and its dice. */
public final class Fault {
  private static final Random DICE = new Random();

  private Fault() {}

  /** One of so many, each with the same chance. */
  public static int anyOf(int many) {
    return DICE.nextInt(many);
  }

  /** Blocks the main thread. */
  public static void block(long ms) {
    try {
      Thread.sleep(ms);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Throws an exception of this class, from this frame ("" for the caller's own). */
  public static void crash(String type, String message, String at, String method, String file, int line) {
    Throwable thrown = make(type, message);
    StackTraceElement[] own = thrown.getStackTrace();
    int skip = 0;
    while (skip < own.length && ofReflection(own[skip].getClassName())) {
      skip++;
    }
    int first = at.isEmpty() ? 0 : 1;
    StackTraceElement[] trace = new StackTraceElement[own.length - skip + first];
    System.arraycopy(own, skip, trace, first, own.length - skip);
    if (first == 1) {
      trace[0] = new StackTraceElement(at, method, file.isEmpty() ? null : file, line);
    }
    thrown.setStackTrace(trace);
    Fault.<RuntimeException>rethrow(thrown);
  }

  private static boolean ofReflection(String type) {
    return type.equals(Fault.class.getName())
        || type.startsWith("java.lang.reflect.")
        || type.startsWith("jdk.internal.reflect.")
        || type.equals("java.lang.Class");
  }

  /** Checked exceptions are no matter at run time. */
  @SuppressWarnings("unchecked")
  private static <T extends Throwable> void rethrow(Throwable thrown) throws T {
    throw (T) thrown;
  }

  private static Throwable make(String type, String message) {
    try {
      Class<? extends Throwable> found = Class.forName(type).asSubclass(Throwable.class);
      for (Class<?> text : new Class<?>[] {String.class, Object.class}) {
        try {
          Constructor<? extends Throwable> make = found.getConstructor(text);
          return make.newInstance(message);
        } catch (NoSuchMethodException e) {
          continue;
        }
      }
      return found.getConstructor().newInstance();
    } catch (ReflectiveOperationException | ClassCastException e) {
      // The model names a class that this Android does not have, or cannot make.
      return new IllegalStateException(type + ": " + message);
    }
  }
}
