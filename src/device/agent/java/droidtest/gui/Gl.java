package droidtest.gui;

import android.opengl.EGLObjectHandle;
import android.opengl.EGLSurface;
import android.opengl.GLSurfaceView;
import android.widget.VideoView;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.robolectric.annotation.Implements;

/**
 * A graphics processor that accepts everything and paints nothing: renderers get their threads, surfaces, contexts and
 * frames, so that an app's code for them runs. {@link Egl} and {@link Gles} have one method for each name, whichever of
 * the framework's classes declares it.
 */
public final class Gl {
  private static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();
  private static final Pattern QUESTION =
      Pattern.compile("glIs(Buffer|Framebuffer|Program|Query|Renderbuffer|Sampler|Shader|Texture|VertexArray)");

  private Gl() {}

  /** The framework's view, on a surface that exists. */
  @Implements(value = GLSurfaceView.class)
  public static class OfGlSurfaceView extends Surfaces {}

  /** The framework's view, on a surface that exists. */
  @Implements(value = VideoView.class)
  public static class OfVideoView extends Surfaces {}

  /**
   * What answers a native method of the framework's OpenGL classes, or null if it has no effect.
   *
   * @param type without the receiver
   */
  public static MethodHandle answer(Class<?> owner, String method, MethodType type)
      throws ReflectiveOperationException {
    if (method.equals("_nativeClassInit")) {
      return MethodHandles.insertArguments(find(Egl.class, "initialize", 1), 0, owner);
    }
    String name = name(method);
    if (name.startsWith("egl")) {
      MethodHandle found = egl(owner, name, type);
      // As in Android's libEGL, each call first clears the thread's error.
      return name.equals("eglGetError") ? found : MethodHandles.foldArguments(found, find(Egl.class, "clear", 0));
    }
    MethodHandle found = match(owner, Gles.class, name, type);
    if (found == null || !name.startsWith("gl")) {
      return found;
    }
    // As on a phone, a thread without a context gets nothing.
    return MethodHandles.guardWithTest(find(Egl.class, "ready", 0), found, MethodHandles.empty(type));
  }

  private static MethodHandle egl(Class<?> owner, String name, MethodType type) throws ReflectiveOperationException {
    MethodHandle found = match(owner, Egl.class, name, type);
    found = found == null ? match(owner, EglConfigs.class, name, type) : found;
    if (found != null) {
      return found;
    }
    if (type.returnType() == boolean.class) {
      found = MethodHandles.constant(boolean.class, true);
    } else if (type.returnType() == EGLSurface.class) {
      found = object(owner, MethodHandles.insertArguments(find(Egl.class, "surface", 2), 0, 0, 0), type.returnType());
    } else if (EGLObjectHandle.class.isAssignableFrom(type.returnType())) {
      found = object(owner, find(Egl.class, "next", 0), type.returnType());
    } else {
      return MethodHandles.empty(type);
    }
    return MethodHandles.dropArguments(found, 0, type.parameterList());
  }

  /** One name for methods that do the same. */
  private static String name(String method) {
    String name = method.startsWith("_") ? method.substring(1) : method;
    name = name.endsWith("OES") ? name.substring(0, name.length() - 3) : name;
    if (name.startsWith("glGen") && !name.startsWith("glGenerate")) {
      return "glGen";
    }
    if (name.startsWith("glDelete")) {
      return "glDelete";
    }
    return QUESTION.matcher(name).matches() ? "glIs" : name;
  }

  /** Arrays are passed as buffers from their offset on; a handle is returned as the framework's object for it. */
  private static MethodHandle match(Class<?> owner, Class<?> in, String name, MethodType type)
      throws ReflectiveOperationException {
    MethodType given = type;
    Map<Integer, MethodHandle> wraps = new TreeMap<>(Comparator.reverseOrder());
    for (int i = 0; i < given.parameterCount(); i++) {
      Class<?> array = given.parameterType(i);
      Class<?> buffer = buffer(array);
      if (buffer == null) {
        continue;
      }
      MethodHandle wrap = LOOKUP.findStatic(Gl.class, "wrap", MethodType.methodType(buffer, array, int.class));
      if (i + 1 < given.parameterCount() && given.parameterType(i + 1) == int.class) {
        given = given.dropParameterTypes(i + 1, i + 2);
      } else {
        wrap = MethodHandles.insertArguments(wrap, 1, 0);
      }
      wraps.put(i, wrap);
      given = given.changeParameterType(i, buffer);
    }
    for (Method method : in.getDeclaredMethods()) {
      if (Modifier.isPublic(method.getModifiers()) && method.getName().equals(name) && takes(method, given)) {
        MethodHandle found = LOOKUP.unreflect(method);
        for (Map.Entry<Integer, MethodHandle> wrap : wraps.entrySet()) {
          found = MethodHandles.collectArguments(found, wrap.getKey(), wrap.getValue());
        }
        if (EGLObjectHandle.class.isAssignableFrom(type.returnType())) {
          found = object(owner, found, type.returnType());
        }
        return found.asType(type);
      }
    }
    return null;
  }

  private static MethodHandle object(Class<?> owner, MethodHandle made, Class<?> type)
      throws ReflectiveOperationException {
    MethodHandle object = MethodHandles.insertArguments(find(Egl.class, "object", 3), 0, owner, type);
    return MethodHandles.filterReturnValue(made, object.asType(MethodType.methodType(type, long.class)));
  }

  private static boolean takes(Method method, MethodType given) {
    Class<?>[] types = method.getParameterTypes();
    boolean takes = types.length == given.parameterCount();
    for (int i = 0; takes && i < types.length; i++) {
      Class<?> type = given.parameterType(i);
      takes = types[i].isAssignableFrom(type) || types[i] == long.class && type == int.class;
    }
    return takes;
  }

  private static MethodHandle find(Class<?> in, String name, int count) throws ReflectiveOperationException {
    for (Method method : in.getDeclaredMethods()) {
      if (method.getName().equals(name) && method.getParameterCount() == count) {
        return LOOKUP.unreflect(method);
      }
    }
    throw new NoSuchMethodException(name);
  }

  private static Class<?> buffer(Class<?> array) {
    return array == int[].class
        ? IntBuffer.class
        : array == float[].class ? FloatBuffer.class : array == byte[].class ? ByteBuffer.class : null;
  }

  private static IntBuffer wrap(int[] array, int at) {
    return array == null ? null : IntBuffer.wrap(array, at, array.length - at);
  }

  private static FloatBuffer wrap(float[] array, int at) {
    return array == null ? null : FloatBuffer.wrap(array, at, array.length - at);
  }

  private static ByteBuffer wrap(byte[] array, int at) {
    return array == null ? null : ByteBuffer.wrap(array, at, array.length - at);
  }
}
