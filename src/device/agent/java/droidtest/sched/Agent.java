package droidtest.sched;

import java.io.IOException;
import java.io.InputStream;
import java.lang.instrument.ClassDefinition;
import java.lang.instrument.Instrumentation;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;

/** Puts the prepared classes of Java ({@code droidtest.framework.Platform}) in place before anything else runs. */
public final class Agent {
  /** Folder of the prepared classes in the agent's jar. */
  public static final String CLASSES = "java/";

  private static final String OURS = "droidtest/sched/";

  private Agent() {}

  public static void premain(String arguments, Instrumentation jvm) throws Exception {
    Module java = Object.class.getModule();
    Module ours = Agent.class.getModule();
    jvm.redefineModule(java, Set.of(ours), Map.of(), Map.of("java.lang", Set.of(ours), "java.lang.ref", Set.of(ours)), Set.of(), Map.of());
    List<ClassDefinition> changed = new ArrayList<>();
    try (JarFile jar = new JarFile(arguments, false)) {
      for (JarEntry entry : Collections.list(jar.entries())) {
        String name = entry.getName();
        if (name.startsWith(OURS) && name.endsWith(".class")) {
          // Linking a class gives it an identity hash. Cleaners and watching threads would do so at other moments.
          Class.forName(name.substring(0, name.length() - ".class".length()).replace('/', '.'), true, null);
        } else if (name.startsWith(CLASSES) && name.endsWith(".bytes")) {
          String type = name.substring(CLASSES.length(), name.length() - ".bytes".length()).replace('/', '.');
          changed.add(new ClassDefinition(Class.forName(type, false, null), bytes(jar, entry)));
        }
      }
    }
    jvm.redefineClasses(changed.toArray(new ClassDefinition[0]));
  }

  private static byte[] bytes(JarFile jar, JarEntry entry) throws IOException {
    try (InputStream in = jar.getInputStream(entry)) {
      return in.readAllBytes();
    }
  }
}
