package droidtest.gui;

import java.util.BitSet;
import java.util.Map;
import java.util.TreeMap;

/** The objects of contexts that share them. */
final class GlObjects {
  private int names;
  private final BitSet alive = new BitSet();
  private final Map<Integer, Shader> shaders = new TreeMap<>();
  private final Map<Integer, Program> programs = new TreeMap<>();

  synchronized int next() {
    alive.set(++names);
    return names;
  }

  synchronized int add(Shader shader) {
    shaders.put(next(), shader);
    return names;
  }

  synchronized int add(Program program) {
    programs.put(next(), program);
    return names;
  }

  synchronized boolean has(int name) {
    return name > 0 && alive.get(name);
  }

  synchronized void remove(int name) {
    if (has(name)) {
      alive.clear(name);
      shaders.remove(name);
      programs.remove(name);
    }
  }

  synchronized Shader shader(int name) {
    return shaders.getOrDefault(name, new Shader(0));
  }

  synchronized Program program(int name) {
    return programs.getOrDefault(name, new Program());
  }
}
