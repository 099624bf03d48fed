package droidtest.host.box;

import droidtest.host.AppClassLoader;
import droidtest.host.BootLoader;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.ByteBuffer;
import java.security.ProtectionDomain;

/** Class loaders as an app sees them on Android: the agent's classes are not there, and Java's bytecode cannot be loaded. */
public final class Loaders {
  private Loaders() {}

  /** A loader that the app has got hold of. */
  public static ClassLoader visible(ClassLoader loader) {
    if (loader == null || loader instanceof AppClassLoader) {
      return loader;
    }
    String type = loader.getClass().getName();
    boolean hidden = type.startsWith("droidtest.") || type.startsWith("jdk.internal.loader.") || type.startsWith("org.robolectric.");
    return hidden ? BootLoader.current() : loader;
  }

  /** What reflection gave. */
  public static Object visible(Object result) {
    if (result instanceof ClassLoader) {
      return visible((ClassLoader) result);
    }
    boolean hidden = result instanceof Class && BootLoader.agent((Class<?>) result)
        || result instanceof Member && BootLoader.agent(((Member) result).getDeclaringClass());
    return hidden ? null : result;
  }

  /** A class that was asked for by its name. */
  public static Class<?> found(Class<?> type) throws ClassNotFoundException {
    if (type != null && BootLoader.agent(type)) {
      throw new ClassNotFoundException(type.getName());
    }
    return type;
  }

  /** The class whose members the app sees: of an object of the agent's those that Android or Java has. */
  public static Class<?> seen(Class<?> type) {
    Class<?> seen = type;
    while (seen != null && BootLoader.agent(seen)) {
      seen = seen.getSuperclass();
    }
    return seen == null ? Object.class : seen;
  }

  /** A method that is about to be invoked by reflection. */
  public static Method invoked(Method method) {
    Class<?> of = method.getDeclaringClass();
    if (method.getName().startsWith("define") && (of == ClassLoader.class || of == java.lang.invoke.MethodHandles.Lookup.class)) {
      throw refused();
    }
    return method;
  }

  public static Class<?> defineClass(ClassLoader loader, byte[] bytes, int offset, int length) {
    throw refused();
  }

  public static Class<?> defineClass(ClassLoader loader, String name, byte[] bytes, int offset, int length) {
    throw refused();
  }

  public static Class<?> defineClass(
      ClassLoader loader, String name, byte[] bytes, int offset, int length, ProtectionDomain domain) {
    throw refused();
  }

  public static Class<?> defineClass(ClassLoader loader, String name, ByteBuffer bytes, ProtectionDomain domain) {
    throw refused();
  }

  public static Class<?> defineClass(java.lang.invoke.MethodHandles.Lookup lookup, byte[] bytes) {
    throw refused();
  }

  /** Where a loader of the app's would look for classes: Android's finds resources there, and no class. */
  public static URL[] places(URL[] given) {
    return new URL[0];
  }

  public static void addURL(URLClassLoader loader, URL place) {}

  private static UnsupportedOperationException refused() {
    return new UnsupportedOperationException("can't load this type of class file");
  }
}
