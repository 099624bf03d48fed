package droidtest.host;

/**
 * What an app takes for the loader of Android's classes: the parent of its own, and the one that loaded the framework.
 * The real ones have the agent's classes as well.
 */
public final class BootLoader extends ClassLoader {
  static {
    registerAsParallelCapable();
  }

  private static volatile BootLoader current;

  private final ClassLoader system;

  /** @param system the loader that holds the framework */
  BootLoader(ClassLoader system) {
    super(null);
    this.system = system;
    current = this;
  }

  /** The one of this process life, or null before the app's classes are there. */
  public static BootLoader current() {
    return current;
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (!AppClassLoader.systemFirst(name) || name.startsWith("droidtest.")) {
      throw new ClassNotFoundException(name);
    }
    Class<?> found = AppClassLoader.ofAndroid(system, name);
    if (AndroidApi.hides(found)) {
      throw new ClassNotFoundException(name);
    }
    return found;
  }

  @Override
  public String toString() {
    return "java.lang.BootClassLoader";
  }
}
