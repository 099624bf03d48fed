package droidtest.host;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import javax.inject.Inject;
import javax.inject.Named;
import org.robolectric.internal.AndroidSandbox.SdkSandboxClassLoader;
import org.robolectric.internal.bytecode.ClassInstrumentor;
import org.robolectric.internal.bytecode.InstrumentationConfiguration;
import org.robolectric.pluginapi.Sdk;

/**
 * Defines the framework's classes from its jar as they are. Robolectric looks for each of them in all jars of the class path
 * first, and parses each to see that it is instrumented already. It finds this class by the file of its name in
 * {@code META-INF/services}.
 */
public final class SandboxLoader extends SdkSandboxClassLoader {
  /** The classes of a sandbox while its start is recorded, null otherwise. */
  private static final List<Class<?>> LOADED =
      Boolean.getBoolean("droidtest.recording") ? Collections.synchronizedList(new ArrayList<>()) : null;

  private final JarFile framework;

  @Inject
  public SandboxLoader(
      InstrumentationConfiguration config, @Named("runtimeSdk") Sdk sdk, ClassInstrumentor instrumentor)
      throws IOException {
    super(config, sdk, instrumentor);
    framework = new JarFile(sdk.getJarPath().toFile(), false);
  }

  /** Has every class that is loaded linked: Java records no others. */
  static void link() {
    if (LOADED == null) {
      return;
    }
    for (Class<?> loaded : LOADED.toArray(new Class<?>[0])) {
      try {
        loaded.getDeclaredConstructors();
      } catch (LinkageError e) {
        // It refers to what is not there, and is not recorded.
      }
    }
  }

  @Override
  protected Class<?> maybeInstrumentClass(String name) throws ClassNotFoundException {
    Class<?> made = make(name);
    if (LOADED != null) {
      LOADED.add(made);
    }
    return made;
  }

  private Class<?> make(String name) throws ClassNotFoundException {
    JarEntry entry = SandboxClasses.ofFramework(name) ? framework.getJarEntry(name.replace('.', '/') + ".class") : null;
    if (entry == null) {
      return super.maybeInstrumentClass(name);
    }
    try (InputStream in = framework.getInputStream(entry)) {
      byte[] bytes = in.readAllBytes();
      String pack = name.substring(0, name.lastIndexOf('.'));
      if (getDefinedPackage(pack) == null) {
        definePackage(pack, null, null, null, null, null, null, null);
      }
      return defineClass(name, bytes, 0, bytes.length);
    } catch (IOException e) {
      throw new ClassNotFoundException(name, e);
    }
  }

  @Override
  public void close() throws IOException {
    super.close();
    framework.close();
  }
}
