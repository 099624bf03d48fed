package droidtest.gui;

import android.opengl.GLES11Ext;
import android.opengl.GLES20;
import android.opengl.GLES30;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A shader, and what its source declares: libraries list a program's variables and expect their own among them. */
final class Shader {
  private static final Pattern COMMENT = Pattern.compile("//[^\n]*|/\\*.*?\\*/", Pattern.DOTALL);
  private static final Pattern DECLARED =
      Pattern.compile("\\b(attribute|in|uniform)\\s+(?:(?:lowp|mediump|highp)\\s+)?(\\w+)"
              + "(?:\\s*\\[\\s*(\\w*)\\s*\\]\\s*|\\s+)(\\w[^;{}()]*);");
  private static final Pattern NAME = Pattern.compile("(\\w+)\\s*(?:\\[\\s*(\\w*)\\s*\\])?");
  private static final Map<String, Integer> TYPES =
      Map.ofEntries(
          Map.entry("float", GLES20.GL_FLOAT),
          Map.entry("vec2", GLES20.GL_FLOAT_VEC2),
          Map.entry("vec3", GLES20.GL_FLOAT_VEC3),
          Map.entry("vec4", GLES20.GL_FLOAT_VEC4),
          Map.entry("int", GLES20.GL_INT),
          Map.entry("ivec2", GLES20.GL_INT_VEC2),
          Map.entry("ivec3", GLES20.GL_INT_VEC3),
          Map.entry("ivec4", GLES20.GL_INT_VEC4),
          Map.entry("uint", GLES20.GL_UNSIGNED_INT),
          Map.entry("uvec2", GLES30.GL_UNSIGNED_INT_VEC2),
          Map.entry("uvec3", GLES30.GL_UNSIGNED_INT_VEC3),
          Map.entry("uvec4", GLES30.GL_UNSIGNED_INT_VEC4),
          Map.entry("bool", GLES20.GL_BOOL),
          Map.entry("bvec2", GLES20.GL_BOOL_VEC2),
          Map.entry("bvec3", GLES20.GL_BOOL_VEC3),
          Map.entry("bvec4", GLES20.GL_BOOL_VEC4),
          Map.entry("mat2", GLES20.GL_FLOAT_MAT2),
          Map.entry("mat3", GLES20.GL_FLOAT_MAT3),
          Map.entry("mat4", GLES20.GL_FLOAT_MAT4),
          Map.entry("mat2x2", GLES20.GL_FLOAT_MAT2),
          Map.entry("mat2x3", GLES30.GL_FLOAT_MAT2x3),
          Map.entry("mat2x4", GLES30.GL_FLOAT_MAT2x4),
          Map.entry("mat3x2", GLES30.GL_FLOAT_MAT3x2),
          Map.entry("mat3x3", GLES20.GL_FLOAT_MAT3),
          Map.entry("mat3x4", GLES30.GL_FLOAT_MAT3x4),
          Map.entry("mat4x2", GLES30.GL_FLOAT_MAT4x2),
          Map.entry("mat4x3", GLES30.GL_FLOAT_MAT4x3),
          Map.entry("mat4x4", GLES20.GL_FLOAT_MAT4),
          Map.entry("sampler2D", GLES20.GL_SAMPLER_2D),
          Map.entry("sampler3D", GLES30.GL_SAMPLER_3D),
          Map.entry("samplerCube", GLES20.GL_SAMPLER_CUBE),
          Map.entry("sampler2DArray", GLES30.GL_SAMPLER_2D_ARRAY),
          Map.entry("sampler2DShadow", GLES30.GL_SAMPLER_2D_SHADOW),
          Map.entry("samplerCubeShadow", GLES30.GL_SAMPLER_CUBE_SHADOW),
          Map.entry("sampler2DArrayShadow", GLES30.GL_SAMPLER_2D_ARRAY_SHADOW),
          Map.entry("isampler2D", GLES30.GL_INT_SAMPLER_2D),
          Map.entry("isampler3D", GLES30.GL_INT_SAMPLER_3D),
          Map.entry("isamplerCube", GLES30.GL_INT_SAMPLER_CUBE),
          Map.entry("isampler2DArray", GLES30.GL_INT_SAMPLER_2D_ARRAY),
          Map.entry("usampler2D", GLES30.GL_UNSIGNED_INT_SAMPLER_2D),
          Map.entry("usampler3D", GLES30.GL_UNSIGNED_INT_SAMPLER_3D),
          Map.entry("usamplerCube", GLES30.GL_UNSIGNED_INT_SAMPLER_CUBE),
          Map.entry("usampler2DArray", GLES30.GL_UNSIGNED_INT_SAMPLER_2D_ARRAY),
          Map.entry("samplerExternalOES", GLES11Ext.GL_SAMPLER_EXTERNAL_OES));

  final int type;
  volatile String source = "";

  Shader(int type) {
    this.type = type;
  }

  /** An attribute or a uniform. */
  static final class Variable {
    final String name;
    final int type;
    final int size;
    private final boolean array;

    Variable(String name, int type, int size, boolean array) {
      this.name = name;
      this.type = type;
      this.size = size;
      this.array = array;
    }

    /** As a program lists it. */
    String active() {
      return array ? name + "[0]" : name;
    }
  }

  /** The variables that are declared and used, in their order; directives of the preprocessor are not followed. */
  static List<Variable> variables(List<Shader> program, boolean uniforms) {
    List<Variable> found = new ArrayList<>();
    for (Shader shader : program) {
      if (!uniforms && shader.type != GLES20.GL_VERTEX_SHADER) {
        continue;
      }
      String source = COMMENT.matcher(shader.source).replaceAll(" ");
      Matcher declared = DECLARED.matcher(source);
      while (declared.find()) {
        Integer type = TYPES.get(declared.group(2));
        if (type == null || declared.group(1).equals("uniform") != uniforms) {
          continue;
        }
        for (String each : declared.group(4).split(",")) {
          Matcher name = NAME.matcher(each.strip());
          if (name.lookingAt() && uses(source, name.group(1)) > 1 && !has(found, name.group(1))) {
            String size = name.group(2) == null ? declared.group(3) : name.group(2);
            boolean counted = size != null && size.matches("\\d{1,6}");
            found.add(new Variable(name.group(1), type, counted ? Integer.parseInt(size) : 1, size != null));
          }
        }
      }
    }
    return found;
  }

  private static boolean has(List<Variable> variables, String name) {
    return variables.stream().anyMatch(variable -> variable.name.equals(name));
  }

  static int uses(String source, String name) {
    Matcher uses = Pattern.compile("\\b" + Pattern.quote(name) + "\\b").matcher(source);
    int count = 0;
    while (uses.find()) {
      count++;
    }
    return count;
  }
}
