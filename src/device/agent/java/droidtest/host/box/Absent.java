package droidtest.host.box;

import java.util.Arrays;

/** What Android throws when code uses a missing class. */
public final class Absent {
  private Absent() {}

  /** The error for a class, by its internal name. */
  public static NoClassDefFoundError of(String name) {
    NoClassDefFoundError error = new NoClassDefFoundError("Failed resolution of: L" + name + ";");
    error.initCause(new ClassNotFoundException(name.replace('/', '.')));
    // The frame of this method is not the app's.
    StackTraceElement[] stack = error.getStackTrace();
    error.setStackTrace(Arrays.copyOfRange(stack, Math.min(1, stack.length), stack.length));
    return error;
  }
}
