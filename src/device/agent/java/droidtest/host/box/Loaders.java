package droidtest.host.box;

import droidtest.host.AndroidApi;
import droidtest.host.AppClassLoader;
import droidtest.host.BootLoader;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandleInfo;
import java.lang.invoke.MethodHandles.Lookup;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.ByteBuffer;
import java.security.ProtectionDomain;
import javax.xml.transform.TransformerConfigurationException;
import javax.xml.transform.TransformerFactory;

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
    boolean hidden = result instanceof Class && AndroidApi.hides((Class<?>) result)
        || result instanceof Member && AndroidApi.hides(((Member) result).getDeclaringClass());
    return hidden ? null : result;
  }

  /** A class that was requested by its name. */
  public static Class<?> found(Class<?> type) throws ClassNotFoundException {
    if (type != null && AndroidApi.hides(type)) {
      throw new ClassNotFoundException(type.getName());
    }
    return type;
  }

  /** The class whose members the app sees: of an object that Android does not have, those of a class that it has. */
  public static Class<?> seen(Class<?> type) {
    Class<?> seen = type;
    while (seen != null && AndroidApi.hides(seen)) {
      seen = seen.getSuperclass();
    }
    return seen == null ? Object.class : seen;
  }

  /** The classes of a stack. */
  public static Class<?>[] seen(Class<?>[] types) {
    if (types == null) {
      return null;
    }
    Class<?>[] seen = new Class<?>[types.length];
    for (int ix = 0; ix < types.length; ix++) {
      seen[ix] = seen(types[ix]);
    }
    return seen;
  }

  /** A method that is about to be invoked by reflection. */
  public static Method invoked(Method method) {
    Class<?> of = method.getDeclaringClass();
    if (loadsLibrary(of, method.getName())) {
      throw Process.noLibrary();
    }
    if (AndroidApi.hides(of) || defines(of, method.getName())) {
      throw refused();
    }
    return method;
  }

  /** {@link Method#invoke}, where code of the app has a handle on it. */
  public static Object invoke(Method method, Object of, Object[] given) throws ReflectiveOperationException {
    return visible(invoked(method).invoke(of, given));
  }

  /** A constructor that is about to be called by reflection. */
  public static Constructor<?> constructed(Constructor<?> constructor) {
    if (AndroidApi.hides(constructor.getDeclaringClass())) {
      throw refused();
    }
    return constructor;
  }

  /** A class of which an object is about to be made. */
  public static Class<?> made(Class<?> type) throws InstantiationException {
    if (AndroidApi.hides(type)) {
      throw new InstantiationException(type.getName());
    }
    return type;
  }

  public static MethodHandle findVirtual(Lookup lookup, Class<?> of, String name, MethodType type) throws ReflectiveOperationException {
    return shown(lookup, lookup.findVirtual(named(of, name), name, type));
  }

  public static MethodHandle findStatic(Lookup lookup, Class<?> of, String name, MethodType type) throws ReflectiveOperationException {
    return shown(lookup, lookup.findStatic(named(of, name), name, type));
  }

  public static MethodHandle findSpecial(Lookup lookup, Class<?> of, String name, MethodType type, Class<?> caller)
      throws ReflectiveOperationException {
    return shown(lookup.in(caller), lookup.findSpecial(named(of, name), name, type, caller));
  }

  public static MethodHandle findConstructor(Lookup lookup, Class<?> of, MethodType type) throws ReflectiveOperationException {
    return shown(lookup, lookup.findConstructor(made(of), type));
  }

  public static MethodHandle findGetter(Lookup lookup, Class<?> of, String name, Class<?> type) throws ReflectiveOperationException {
    return lookup.findGetter(withField(of, name), name, type);
  }

  public static MethodHandle findSetter(Lookup lookup, Class<?> of, String name, Class<?> type) throws ReflectiveOperationException {
    return lookup.findSetter(withField(of, name), name, type);
  }

  public static MethodHandle findStaticGetter(Lookup lookup, Class<?> of, String name, Class<?> type)
      throws ReflectiveOperationException {
    return lookup.findStaticGetter(withField(of, name), name, type);
  }

  public static MethodHandle findStaticSetter(Lookup lookup, Class<?> of, String name, Class<?> type)
      throws ReflectiveOperationException {
    return lookup.findStaticSetter(withField(of, name), name, type);
  }

  public static VarHandle findVarHandle(Lookup lookup, Class<?> of, String name, Class<?> type) throws ReflectiveOperationException {
    return lookup.findVarHandle(withField(of, name), name, type);
  }

  public static VarHandle findStaticVarHandle(Lookup lookup, Class<?> of, String name, Class<?> type)
      throws ReflectiveOperationException {
    return lookup.findStaticVarHandle(withField(of, name), name, type);
  }

  public static MethodHandle bind(Lookup lookup, Object receiver, String name, MethodType type) throws ReflectiveOperationException {
    Class<?> of = named(receiver.getClass(), name);
    try {
      shown(lookup, lookup.findVirtual(of, name, type));
    } catch (NoSuchMethodException e) {
      // A method of an interface, which an object of a hidden class has.
      if (of == receiver.getClass()) {
        throw e;
      }
    }
    return lookup.bind(receiver, name, type);
  }

  /** A handle, unless it is on a member that Android lacks: a lookup may have got into a package that is open here. */
  private static MethodHandle shown(Lookup lookup, MethodHandle handle) throws NoSuchMethodException {
    MethodHandleInfo info;
    try {
      info = lookup.revealDirect(handle);
    } catch (IllegalArgumentException e) {
      // Of a method handle's own methods, which Java makes as they are needed.
      return handle;
    }
    Class<?> of = info.getDeclaringClass();
    if (AndroidApi.hides(of, of, info.getName(), info.getModifiers())) {
      throw new NoSuchMethodException(of.getName() + "." + info.getName());
    }
    return handle;
  }

  /** The class for a handle on one of its fields. */
  private static Class<?> withField(Class<?> of, String name) throws NoSuchFieldException {
    Class<?> seen = seen(of);
    for (Class<?> at = seen; at != null; at = at.getSuperclass()) {
      for (Field field : at.getDeclaredFields()) {
        if (field.getName().equals(name)) {
          if (AndroidApi.hides(seen, field)) {
            throw new NoSuchFieldException(name);
          }
          return seen;
        }
      }
    }
    // A constant of an interface. Fields of class loaders and the like, which Java hides from reflection, are none.
    seen.getField(name);
    return seen;
  }

  public static MethodHandle unreflect(Lookup lookup, Method method) throws IllegalAccessException {
    return lookup.unreflect(invoked(method));
  }

  public static MethodHandle unreflectSpecial(Lookup lookup, Method method, Class<?> caller) throws IllegalAccessException {
    return lookup.unreflectSpecial(invoked(method), caller);
  }

  /** The class for a method handle on one of its methods. */
  private static Class<?> named(Class<?> of, String name) throws NoSuchMethodException {
    if (loadsLibrary(of, name)) {
      throw Process.noLibrary();
    }
    if (defines(of, name)) {
      throw new NoSuchMethodException(of.getName() + "." + name);
    }
    return seen(of);
  }

  /** Whether a method makes classes of bytes, or handles and calls of methods by their names, which could be those. */
  private static boolean defines(Class<?> of, String name) {
    return ClassLoader.class.isAssignableFrom(of) && name.startsWith("defineClass")
        || of == Lookup.class && (name.startsWith("define") || name.startsWith("find") || name.startsWith("unreflect") || name.equals("bind"))
        || of == Method.class && name.equals("invoke")
        || TransformerFactory.class.isAssignableFrom(of) && name.startsWith("set");
  }

  /** Whether a method loads native code, which would be outside all that is redirected. */
  private static boolean loadsLibrary(Class<?> of, String name) {
    return (of == Runtime.class || of == System.class) && (name.startsWith("load") || name.equals("nativeLoad"));
  }

  /** {@link TransformerFactory#setFeature}: a stylesheet calls no methods of Java. */
  public static void setFeature(TransformerFactory factory, String name, boolean value) throws TransformerConfigurationException {
    factory.setFeature(name, value && !callsJava(name));
  }

  /** {@link TransformerFactory#setAttribute}, in the same way. */
  public static void setAttribute(TransformerFactory factory, String name, Object value) {
    factory.setAttribute(name, callsJava(name) ? "false" : value);
  }

  private static boolean callsJava(String name) {
    return name != null && name.endsWith("nableExtensionFunctions");
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

  public static Class<?> defineClass(Lookup lookup, byte[] bytes) {
    throw refused();
  }

  public static Lookup defineHiddenClass(Lookup lookup, byte[] bytes, boolean initialize, Lookup.ClassOption[] options) {
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
