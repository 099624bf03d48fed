package droidtest.gui;

import java.util.ArrayList;
import java.util.List;

/** Shaders, and the variables they declared when they were linked: apps ask after the shaders are detached, too. */
final class Program {
  private final List<Shader> shaders = new ArrayList<>();
  private List<Shader.Variable> uniforms = List.of();
  private List<Shader.Variable> attributes = List.of();
  private String sources = "";

  synchronized void attach(Shader shader) {
    if (!shaders.contains(shader)) {
      shaders.add(shader);
    }
  }

  synchronized void detach(Shader shader) {
    shaders.remove(shader);
  }

  synchronized int attached() {
    return shaders.size();
  }

  synchronized void link() {
    uniforms = List.copyOf(Shader.variables(shaders, true));
    attributes = List.copyOf(Shader.variables(shaders, false));
    StringBuilder all = new StringBuilder();
    for (Shader shader : shaders) {
      all.append(shader.source).append('\n');
    }
    sources = all.toString();
  }

  synchronized List<Shader.Variable> variables(boolean uniform) {
    return uniform ? uniforms : attributes;
  }

  /** Where a variable is; -1 for one that no shader mentions. */
  synchronized int location(boolean uniform, String asked) {
    List<Shader.Variable> variables = variables(uniform);
    String name = asked.split("[.\\[]", 2)[0];
    for (int i = 0; i < variables.size(); i++) {
      if (variables.get(i).name.equals(name)) {
        return i;
      }
    }
    if (Shader.uses(sources, name) > 0) {
      return variables.size();
    }
    return sources.isEmpty() ? 0 : -1;
  }
}
