package droidtest.host;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.net.MalformedURLException;
import java.net.URL;
import java.nio.file.Path;
import java.security.CodeSource;
import java.security.ProtectionDomain;
import java.security.cert.Certificate;
import java.util.Collections;
import java.util.Enumeration;
import java.util.HashSet;
import java.util.Set;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;

/**
 * The app's classes, one loader for each process life, so that a reset leaves no static behind. As on Android the boot
 * class path (framework, Java) comes first and everything else from the app; what the app does not bring and Android does
 * not have (the host's libraries) is hidden.
 */
public class AppClassLoader extends ClassLoader implements Closeable {
  static {
    registerAsParallelCapable();
  }

  /** The framework's packages; of Java's the app sees what Android has ({@link AndroidApi}). */
  private static final String[] BOOT = {
    "android.", "dalvik.", "org.json.", "org.xmlpull.", "com.android.internal.", "com.android.i18n.", "libcore.",
    "org.apache.http.", "javax.microedition.",
  };
  /** The agent's classes to which the translator leads calls of the app; all others are hidden. */
  private static final Set<String> BRIDGES =
      Set.of(
          "droidtest.host.Probes", "droidtest.host.box.Absent", "droidtest.host.box.Chance", "droidtest.host.box.Clock",
          "droidtest.host.box.FileLocks", "droidtest.host.box.Folders", "droidtest.host.box.Loaders",
          "droidtest.host.box.Locales", "droidtest.host.box.Memory", "droidtest.host.box.Natives",
          "droidtest.host.box.OfflineChannel", "droidtest.host.box.Paths", "droidtest.host.box.Patterns",
          "droidtest.host.box.Process", "droidtest.host.box.Properties", "droidtest.host.box.Reflection",
          "droidtest.host.box.Shaders", "droidtest.host.box.Space", "droidtest.host.box.Temporary",
          "droidtest.host.box.Threads", "droidtest.host.box.Traces", "droidtest.sched.Hooks");
  /** Libraries whose packages look like the framework's. */
  private static final String[] NOT_BOOT = {"android.support.", "android.arch.", "android.databinding."};
  /** On Android these are part of the system, and an app's copy precedes ours. */
  private static final String[] SUPPLIED = {
    "junit.", "org.apache.commons.logging.", "org.apache.commons.codec."
  };

  /** The app gets {@link droidtest.host.box.AppUnsafe} under this name. */
  static final String UNSAFE = "sun.misc.Unsafe";
  private static final String APP_UNSAFE = "droidtest/host/box/AppUnsafe";

  /** Libraries of some devices, named by {@code uses-library}; this device has none of them. */
  private static final String[] OPTIONAL = {"com.android.", "com.google.android.maps.", "com.samsung.", "com.sec."};

  private static volatile boolean inUse;

  private final ClassLoader system;
  private final JarFile jar;
  private final Set<String> names = new HashSet<>();
  private final ProtectionDomain domain;

  /** Whether there is an app, or was. A translated program may run without one, and sees its own classes. */
  static boolean inUse() {
    return inUse;
  }

  /** @param parent holds the framework; the app sees a {@link BootLoader} in its place */
  public AppClassLoader(Path jar, ClassLoader parent) throws IOException {
    super(new BootLoader(parent));
    inUse = true;
    system = parent;
    this.jar = new JarFile(jar.toFile(), false);
    this.jar.stream().forEach(entry -> names.add(entry.getName()));
    domain = new ProtectionDomain(new CodeSource(jar.toUri().toURL(), (Certificate[]) null), null, this, null);
  }

  /** Whether this class is the app's own. */
  public boolean owns(String className) {
    return names.contains(className.replace('.', '/') + ".class") && !boot(className);
  }

  /** Whether a device would have this class next to the app's own: that it is missing here is not the app's fault. */
  public static boolean ofSystem(String className) {
    if (AndroidApi.ofJava(className)) {
      return AndroidApi.has(className);
    }
    return boot(className) || starts(className, SUPPLIED) || starts(className, OPTIONAL);
  }

  /** Whether a class of this name comes from the system where the system has one, whatever the app brings. */
  public static boolean systemFirst(String className) {
    return boot(className);
  }

  /** Whether a class of this name that the app does not bring may come from the system. */
  public static boolean fromSystem(String className) {
    return boot(className) || starts(className, SUPPLIED) || hostFramework(className);
  }

  /** Whether a class of this name is the system's. */
  static boolean boot(String name) {
    if (AndroidApi.ofJava(name)) {
      return AndroidApi.mayHave(name);
    }
    return starts(name, BOOT) && !starts(name, NOT_BOOT) || BRIDGES.contains(name);
  }

  private static boolean starts(String name, String[] prefixes) {
    for (String prefix : prefixes) {
      if (name.startsWith(prefix)) {
        return true;
      }
    }
    return false;
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    synchronized (getClassLoadingLock(name)) {
      Class<?> loaded = findLoadedClass(name);
      if (loaded == null) {
        loaded = load(name);
      }
      if (resolve) {
        resolveClass(loaded);
      }
      return loaded;
    }
  }

  private Class<?> load(String name) throws ClassNotFoundException {
    if (name.equals(UNSAFE)) {
      return defineUnsafe();
    }
    boolean mine = names.contains(name.replace('.', '/') + ".class");
    if (boot(name)) {
      try {
        return ofAndroid(system, name);
      } catch (ClassNotFoundException e) {
        if (!mine) {
          throw e;
        }
      }
    }
    if (mine) {
      return define(name);
    }
    if (fromSystem(name)) {
      return system.loadClass(name);
    }
    throw new ClassNotFoundException(name);
  }

  /** A class that the system has, unless it is one of Java's that Android lacks. */
  static Class<?> ofAndroid(ClassLoader system, String name) throws ClassNotFoundException {
    Class<?> found = system.loadClass(name);
    if (AndroidApi.ofJava(name) && !AndroidApi.finds(name, AndroidApi.open(found))) {
      throw new ClassNotFoundException(name);
    }
    return found;
  }

  /** Framework classes outside the usual packages (com.android.*, com.google.android.* of the platform). */
  private static boolean hostFramework(String name) {
    return name.startsWith("com.android.");
  }

  private Class<?> define(String name) throws ClassNotFoundException {
    try {
      byte[] bytes = read(name);
      int dot = name.lastIndexOf('.');
      String pack = dot < 0 ? "" : name.substring(0, dot);
      if (getDefinedPackage(pack) == null) {
        try {
          definePackage(pack, null, null, null, null, null, null, null);
        } catch (IllegalArgumentException e) {
          // Another thread was faster.
        }
      }
      return defineClass(name, bytes, 0, bytes.length, domain);
    } catch (IOException e) {
      throw new ClassNotFoundException(name, e);
    }
  }

  private Class<?> defineUnsafe() throws ClassNotFoundException {
    try {
      byte[] bytes = RenamedClass.read(APP_UNSAFE, UNSAFE.replace('.', '/'));
      return defineClass(UNSAFE, bytes, 0, bytes.length, domain);
    } catch (IOException e) {
      throw new ClassNotFoundException(UNSAFE, e);
    }
  }

  /** The class file of a class of the app. */
  protected byte[] read(String name) throws IOException {
    try (InputStream in = jar.getInputStream(jar.getEntry(name.replace('.', '/') + ".class"))) {
      return in.readAllBytes();
    }
  }

  @Override
  public void close() throws IOException {
    jar.close();
  }

  @Override
  public URL getResource(String name) {
    return findResource(name);
  }

  @Override
  public Enumeration<URL> getResources(String name) {
    URL url = findResource(name);
    return url == null ? Collections.emptyEnumeration() : Collections.enumeration(Set.of(url));
  }

  @Override
  protected URL findResource(String name) {
    ZipEntry entry = name.endsWith(".class") ? null : jar.getEntry(name);
    try {
      return entry == null ? null : new URL("jar:" + Path.of(jar.getName()).toUri() + "!/" + name);
    } catch (MalformedURLException e) {
      return null;
    }
  }

  @Override
  public InputStream getResourceAsStream(String name) {
    ZipEntry entry = name.endsWith(".class") ? null : jar.getEntry(name);
    try {
      return entry == null ? null : jar.getInputStream(entry);
    } catch (IOException e) {
      return null;
    }
  }

  @Override
  public String toString() {
    return "dalvik.system.PathClassLoader[/data/app/base.apk]";
  }
}
