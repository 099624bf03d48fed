package droidtest.gui;

import android.opengl.GLES10;
import android.opengl.GLES20;
import android.opengl.GLES30;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.microedition.khronos.opengles.GL10;

/**
 * What OpenGL ES answers, whatever its version: names of objects, limits, and programs whose shaders compile. An array
 * arrives as a buffer from its offset on. Methods that are not here have no effect and return zero.
 */
public final class Gles {
  private static final int SIZE = 8192;
  private static final int ES1_TEXTURE_UNITS = 0x84E2;
  private static final int SIGNALED = 0x9119;
  private static final int MAX_ANISOTROPY = 0x84FF;
  private static final int MAX_TEXTURE_BUFFER_SIZE = 0x8C2B;
  private static final String[] EXTENSIONS = {
    "GL_OES_EGL_image", "GL_OES_EGL_image_external", "GL_OES_EGL_image_external_essl3", "GL_OES_EGL_sync",
    "GL_OES_compressed_ETC1_RGB8_texture", "GL_OES_depth24", "GL_OES_depth_texture", "GL_OES_element_index_uint",
    "GL_OES_fbo_render_mipmap", "GL_OES_framebuffer_object", "GL_OES_packed_depth_stencil", "GL_OES_rgb8_rgba8",
    "GL_OES_standard_derivatives", "GL_OES_surfaceless_context", "GL_OES_texture_float", "GL_OES_texture_half_float",
    "GL_OES_texture_npot", "GL_OES_vertex_array_object", "GL_EXT_color_buffer_float",
    "GL_EXT_color_buffer_half_float", "GL_EXT_texture_filter_anisotropic", "GL_EXT_texture_format_BGRA8888",
    "GL_KHR_debug"
  };

  private static final Map<Integer, Integer> LIMITS = new TreeMap<>();

  static {
    limit(SIZE, GLES20.GL_MAX_TEXTURE_SIZE, GLES20.GL_MAX_CUBE_MAP_TEXTURE_SIZE, GLES20.GL_MAX_RENDERBUFFER_SIZE);
    limit(2048, GLES30.GL_MAX_3D_TEXTURE_SIZE, GLES30.GL_MAX_ARRAY_TEXTURE_LAYERS);
    limit(65536, GLES30.GL_MAX_UNIFORM_BLOCK_SIZE, MAX_TEXTURE_BUFFER_SIZE);
    limit(1024, GLES20.GL_MAX_VERTEX_UNIFORM_VECTORS, GLES20.GL_MAX_FRAGMENT_UNIFORM_VECTORS);
    limit(4096, GLES30.GL_MAX_VERTEX_UNIFORM_COMPONENTS, GLES30.GL_MAX_FRAGMENT_UNIFORM_COMPONENTS);
    limit(96, GLES20.GL_MAX_COMBINED_TEXTURE_IMAGE_UNITS);
    limit(72, GLES30.GL_MAX_COMBINED_UNIFORM_BLOCKS, GLES30.GL_MAX_UNIFORM_BUFFER_BINDINGS);
    limit(
        16, GLES20.GL_MAX_TEXTURE_IMAGE_UNITS, GLES20.GL_MAX_VERTEX_TEXTURE_IMAGE_UNITS, GLES20.GL_MAX_VERTEX_ATTRIBS,
        GLES10.GL_MAX_MODELVIEW_STACK_DEPTH, MAX_ANISOTROPY);
    limit(15, GLES20.GL_MAX_VARYING_VECTORS);
    limit(
        8, GLES30.GL_MAX_DRAW_BUFFERS, GLES30.GL_MAX_COLOR_ATTACHMENTS, GLES10.GL_MAX_LIGHTS, GLES20.GL_RED_BITS,
        GLES20.GL_GREEN_BITS, GLES20.GL_BLUE_BITS, GLES20.GL_ALPHA_BITS, GLES20.GL_STENCIL_BITS, ES1_TEXTURE_UNITS);
    limit(24, GLES20.GL_DEPTH_BITS);
    limit(4, GLES30.GL_MAX_SAMPLES, GLES20.GL_SUBPIXEL_BITS, GLES20.GL_UNPACK_ALIGNMENT, GLES20.GL_PACK_ALIGNMENT);
    limit(3, GLES30.GL_MAJOR_VERSION);
    limit(2, GLES30.GL_MINOR_VERSION);
    limit(EXTENSIONS.length, GLES30.GL_NUM_EXTENSIONS);
    limit(1, GLES20.GL_SHADER_COMPILER);
    limit(GLES20.GL_TEXTURE0, GLES20.GL_ACTIVE_TEXTURE);
    limit(GLES20.GL_RGBA, GLES20.GL_IMPLEMENTATION_COLOR_READ_FORMAT);
    limit(GLES20.GL_UNSIGNED_BYTE, GLES20.GL_IMPLEMENTATION_COLOR_READ_TYPE);
  }

  private Gles() {}

  private static void limit(int value, int... names) {
    for (int name : names) {
      LIMITS.put(name, value);
    }
  }

  /** What a context does not share. */
  static final class State {
    private final Map<Integer, ByteBuffer> mapped = new TreeMap<>();
    private int[] viewport;
    private int[] scissor;
    private int program;
    private int error = GLES20.GL_NO_ERROR;

    State(int[] size) {
      viewport = new int[] {0, 0, size[0], size[1]};
      scissor = viewport;
    }

    void fails(int failure) {
      error = error == GLES20.GL_NO_ERROR ? failure : error;
    }
  }

  public static int glGetError() {
    State state = Egl.state();
    int error = state.error;
    state.error = GLES20.GL_NO_ERROR;
    return error;
  }

  public static void glViewport(int x, int y, int width, int height) {
    State state = Egl.state();
    state.viewport = box(state.viewport, x, y, width, height);
  }

  public static void glScissor(int x, int y, int width, int height) {
    State state = Egl.state();
    state.scissor = box(state.scissor, x, y, width, height);
  }

  private static int[] box(int[] before, int x, int y, int width, int height) {
    if (width < 0 || height < 0) {
      Egl.state().fails(GLES20.GL_INVALID_VALUE);
      return before;
    }
    return new int[] {x, y, width, height};
  }

  public static void glUseProgram(int program) {
    Egl.state().program = program;
  }

  private static void put(IntBuffer out, int... values) {
    for (int i = 0; out != null && i < values.length && i < out.remaining(); i++) {
      out.put(out.position() + i, values[i]);
    }
  }

  /** Textures, buffers and all other objects. */
  public static void glGen(int count, IntBuffer out) {
    require(count, out);
    for (int i = 0; i < count; i++) {
      out.put(out.position() + i, Egl.objects().next());
    }
  }

  public static void glDelete(int count, IntBuffer names) {
    require(count, names);
    for (int i = 0; i < count; i++) {
      Egl.objects().remove(names.get(names.position() + i));
    }
  }

  /** A shader, a program or a fence. */
  public static void glDelete(long name) {
    Egl.objects().remove((int) name);
  }

  private static void require(int count, IntBuffer names) {
    if (names == null || names.remaining() < count) {
      throw new IllegalArgumentException(names == null ? "array == null" : "length - offset < n < needed");
    }
  }

  public static boolean glIs(int name) {
    return Egl.objects().has(name);
  }

  public static String glGetString(int name) {
    boolean first = Egl.version() == 1;
    if (name == GLES20.GL_SHADING_LANGUAGE_VERSION) {
      return first ? null : "OpenGL ES GLSL ES 3.20";
    }
    switch (name) {
      case GL10.GL_VENDOR:
        return "ARM";
      case GL10.GL_RENDERER:
        return "Mali-G78";
      case GL10.GL_VERSION:
        return first ? "OpenGL ES-CM 1.1" : "OpenGL ES 3.2";
      case GL10.GL_EXTENSIONS:
        return String.join(" ", EXTENSIONS) + " ";
      default:
        return null;
    }
  }

  public static String glGetStringi(int name, int index) {
    return name == GLES20.GL_EXTENSIONS && index >= 0 && index < EXTENSIONS.length ? EXTENSIONS[index] : null;
  }

  public static void glGetIntegerv(int name, IntBuffer out) {
    put(out, values(name));
  }

  public static void glGetFloatv(int name, FloatBuffer out) {
    int[] values = values(name);
    for (int i = 0; out != null && i < values.length && i < out.remaining(); i++) {
      out.put(out.position() + i, values[i]);
    }
  }

  private static int[] values(int name) {
    if (name == GLES20.GL_VIEWPORT) {
      return Egl.state().viewport;
    }
    if (name == GLES20.GL_SCISSOR_BOX) {
      return Egl.state().scissor;
    }
    if (name == GLES20.GL_CURRENT_PROGRAM) {
      return new int[] {Egl.state().program};
    }
    if (name == GLES20.GL_MAX_VIEWPORT_DIMS) {
      return new int[] {SIZE, SIZE};
    }
    boolean range = name == GLES20.GL_ALIASED_LINE_WIDTH_RANGE || name == GLES20.GL_ALIASED_POINT_SIZE_RANGE;
    return range ? new int[] {1, 64} : new int[] {LIMITS.getOrDefault(name, 0)};
  }

  public static void glGetShaderPrecisionFormat(int shader, int precision, IntBuffer range, IntBuffer bits) {
    boolean real = precision <= GLES20.GL_HIGH_FLOAT;
    put(range, real ? new int[] {127, 127} : new int[] {31, 30});
    put(bits, real ? 23 : 0);
  }

  public static int glCheckFramebufferStatus(int target) {
    return GLES20.GL_FRAMEBUFFER_COMPLETE;
  }

  public static int glCreateShader(int type) {
    return Egl.objects().add(new Shader(type));
  }

  public static int glCreateProgram() {
    return Egl.objects().add(new Program());
  }

  private static Shader shader(int name) {
    return Egl.objects().shader(name);
  }

  private static Program program(int name) {
    return Egl.objects().program(name);
  }

  public static void glShaderSource(int shader, String source) {
    shader(shader).source = source;
  }

  public static String glGetShaderSource(int shader) {
    return shader(shader).source;
  }

  public static void glAttachShader(int program, int shader) {
    program(program).attach(shader(shader));
  }

  public static void glDetachShader(int program, int shader) {
    program(program).detach(shader(shader));
  }

  public static void glLinkProgram(int program) {
    program(program).link();
  }

  public static String glGetShaderInfoLog(int shader) {
    return "";
  }

  public static String glGetProgramInfoLog(int program) {
    return "";
  }

  public static void glGetShaderiv(int shader, int what, IntBuffer out) {
    String source = shader(shader).source;
    if (what == GLES20.GL_COMPILE_STATUS) {
      put(out, GLES20.GL_TRUE);
    } else if (what == GLES20.GL_SHADER_TYPE) {
      put(out, shader(shader).type);
    } else {
      put(out, what == GLES20.GL_SHADER_SOURCE_LENGTH && !source.isEmpty() ? source.length() + 1 : 0);
    }
  }

  public static void glGetProgramiv(int program, int what, IntBuffer out) {
    if (what == GLES20.GL_LINK_STATUS || what == GLES20.GL_VALIDATE_STATUS) {
      put(out, GLES20.GL_TRUE);
    } else if (what == GLES20.GL_ATTACHED_SHADERS) {
      put(out, program(program).attached());
    } else if (what == GLES20.GL_ACTIVE_UNIFORMS || what == GLES20.GL_ACTIVE_ATTRIBUTES) {
      put(out, program(program).variables(what == GLES20.GL_ACTIVE_UNIFORMS).size());
    } else if (what == GLES20.GL_ACTIVE_UNIFORM_MAX_LENGTH || what == GLES20.GL_ACTIVE_ATTRIBUTE_MAX_LENGTH) {
      int most = 0;
      for (Shader.Variable each : program(program).variables(what == GLES20.GL_ACTIVE_UNIFORM_MAX_LENGTH)) {
        most = Math.max(most, each.active().length() + 1);
      }
      put(out, most);
    } else {
      put(out, 0);
    }
  }

  public static int glGetAttribLocation(int program, String name) {
    return program(program).location(false, name);
  }

  public static int glGetUniformLocation(int program, String name) {
    return program(program).location(true, name);
  }

  public static String glGetActiveAttrib(int program, int index, IntBuffer size, IntBuffer type) {
    return active(program, false, index, size, type);
  }

  public static String glGetActiveUniform(int program, int index, IntBuffer size, IntBuffer type) {
    return active(program, true, index, size, type);
  }

  public static void glGetActiveAttrib(
      int program, int index, int room, IntBuffer length, IntBuffer size, IntBuffer type, ByteBuffer name) {
    write(active(program, false, index, size, type), room, length, name);
  }

  public static void glGetActiveUniform(
      int program, int index, int room, IntBuffer length, IntBuffer size, IntBuffer type, ByteBuffer name) {
    write(active(program, true, index, size, type), room, length, name);
  }

  private static String active(int program, boolean uniforms, int index, IntBuffer size, IntBuffer type) {
    List<Shader.Variable> variables = program(program).variables(uniforms);
    if (index < 0 || index >= variables.size()) {
      return "";
    }
    put(size, variables.get(index).size);
    put(type, variables.get(index).type);
    return variables.get(index).active();
  }

  private static void write(String text, int room, IntBuffer length, ByteBuffer out) {
    byte[] bytes = (text + "\0").getBytes(StandardCharsets.UTF_8);
    int count = Math.min(Math.min(bytes.length, room), out.remaining());
    for (int i = 0; i < count; i++) {
      out.put(out.position() + i, bytes[i]);
    }
    put(length, Math.max(0, count - 1));
  }

  /** Memory that the app may write and nobody reads. */
  public static Buffer glMapBufferRange(int target, int offset, int length, int access) {
    State state = Egl.state();
    if (length < 1) {
      state.fails(GLES20.GL_INVALID_VALUE);
      return null;
    }
    ByteBuffer memory = state.mapped.get(target);
    if (memory == null || memory.capacity() < length) {
      memory = ByteBuffer.allocateDirect(length);
      state.mapped.put(target, memory);
    }
    return memory.duplicate().limit(length).slice().order(ByteOrder.nativeOrder());
  }

  public static boolean glUnmapBuffer(int target) {
    return true;
  }

  /** All queries and fences have been passed. */
  public static void glGetQueryObjectuiv(int query, int what, IntBuffer out) {
    put(out, what == GLES30.GL_QUERY_RESULT_AVAILABLE ? GLES20.GL_TRUE : 0);
  }

  public static long glFenceSync(int condition, int flags) {
    return Egl.objects().next();
  }

  public static int glClientWaitSync(long sync, int flags, long timeout) {
    return GLES30.GL_ALREADY_SIGNALED;
  }

  public static void glGetSynciv(long sync, int what, int room, IntBuffer length, IntBuffer out) {
    put(length, 1);
    put(out, what == GLES30.GL_SYNC_STATUS ? SIGNALED : 0);
  }
}
