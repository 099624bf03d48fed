package droidtest.gui;

import android.content.res.Resources;
import android.opengl.EGL14;
import android.opengl.EGL15;
import android.opengl.EGLObjectHandle;
import android.util.DisplayMetrics;
import droidtest.host.box.Clock;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.IntBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.robolectric.util.ReflectionHelpers;
import org.robolectric.util.ReflectionHelpers.ClassParameter;

/**
 * EGL with one display and as many configurations, contexts and surfaces as are requested: the native methods of EGL14,
 * EGL15, EGLExt and EGL10 ({@code EGLImpl}), which share their handles as on a phone. What is not here succeeds.
 */
public final class Egl {
  private static final int FRAME_MS = 16;
  private static final long DISPLAY = 1;
  private static final int NEWEST = 3;
  private static final Map<List<Class<?>>, Object> NONE = new HashMap<>();
  private static final Map<Long, Context> CONTEXTS = new HashMap<>();
  private static final Map<Long, int[]> SURFACES = new HashMap<>();
  private static ThreadLocal<Current> current = ThreadLocal.withInitial(Current::new);
  private static long handles = DISPLAY;

  private Egl() {}

  private static final class Context {
    final long handle;
    final long config;
    final int version;
    final GlObjects objects;
    Gles.State state;

    Context(long handle, long config, int version, GlObjects objects) {
      this.handle = handle;
      this.config = config;
      this.version = version;
      this.objects = objects;
    }
  }

  private static final class Current {
    Context context;
    long draw;
    long read;
    int error = EGL14.EGL_SUCCESS;
  }

  /** The process life is over. */
  public static synchronized void forget() {
    EglConfigs.forget();
    CONTEXTS.clear();
    SURFACES.clear();
    current = ThreadLocal.withInitial(Current::new);
    handles = DISPLAY;
  }

  /** The constants that native code sets: {@code EGL_NO_CONTEXT} and the like. */
  static void initialize(Class<?> owner) throws IllegalAccessException {
    for (Field field : owner.getDeclaredFields()) {
      if (Modifier.isStatic(field.getModifiers()) && EGLObjectHandle.class.isAssignableFrom(field.getType())) {
        field.setAccessible(true);
        field.set(null, object(owner, field.getType(), 0));
      }
    }
  }

  static synchronized long next() {
    return ++handles;
  }

  /** The framework's object for a handle: for 0 always the owner's constant, since apps compare with {@code ==}. */
  static Object object(Class<?> owner, Class<?> type, long handle) {
    if (handle != 0) {
      return object(type, handle);
    }
    synchronized (NONE) {
      return NONE.computeIfAbsent(List.of(owner, type), key -> object(type, 0));
    }
  }

  static Object object(Class<?> type, long handle) {
    Class<?> made = type;
    if (!EGLObjectHandle.class.isAssignableFrom(type)) {
      String name = "com.google.android.gles_jni." + type.getSimpleName() + "Impl";
      made = ReflectionHelpers.loadClass(Egl.class.getClassLoader(), name);
    }
    return ReflectionHelpers.callConstructor(made, ClassParameter.from(long.class, handle));
  }

  static long handle(Object object) {
    if (object == null) {
      throw new IllegalArgumentException("Object is set to null.");
    }
    if (object instanceof EGLObjectHandle) {
      return ((EGLObjectHandle) object).getNativeHandle();
    }
    return ReflectionHelpers.<Long>getField(object, "m" + object.getClass().getSimpleName().replace("Impl", ""));
  }

  /** Whether the calling thread has a context. */
  static boolean ready() {
    return current.get().context != null;
  }

  /** What the context of the calling thread has made. */
  static GlObjects objects() {
    return current.get().context.objects;
  }

  static Gles.State state() {
    return current.get().context.state;
  }

  static int version() {
    return current.get().context.version;
  }

  static void clear() {
    current.get().error = EGL14.EGL_SUCCESS;
  }

  static boolean fails(int error) {
    current.get().error = error;
    return false;
  }

  private static int attribute(IntBuffer list, int name, int otherwise) {
    for (int i = list == null ? 0 : list.position(); list != null && i + 1 < list.limit(); i += 2) {
      if (list.get(i) == EGL14.EGL_NONE) {
        break;
      }
      if (list.get(i) == name) {
        return list.get(i + 1);
      }
    }
    return otherwise;
  }

  static boolean put(IntBuffer out, int value) {
    if (out != null && out.hasRemaining()) {
      out.put(out.position(), value);
    }
    return true;
  }

  public static int eglGetError() {
    int error = current.get().error;
    clear();
    return error;
  }

  public static long eglGetDisplay(long number) {
    return DISPLAY;
  }

  public static long eglGetDisplay(Object number) {
    return DISPLAY;
  }

  public static long eglGetPlatformDisplay(int platform, long number, long[] attributes, int at) {
    return DISPLAY;
  }

  public static boolean eglInitialize(Object display, IntBuffer major, IntBuffer minor) {
    put(minor, 5);
    return handle(display) == DISPLAY ? put(major, 1) : fails(EGL14.EGL_BAD_DISPLAY);
  }

  public static boolean eglInitialize(Object display, IntBuffer version) {
    IntBuffer minor = version == null || version.limit() < 2 ? null : version.duplicate().position(1);
    return eglInitialize(display, version, minor);
  }

  public static synchronized long eglCreateContext(Object display, Object config, Object share, IntBuffer attributes) {
    int version = attribute(attributes, EGL14.EGL_CONTEXT_CLIENT_VERSION, 1);
    Context shared = CONTEXTS.get(handle(share));
    if (version < 1 || version > NEWEST) {
      fails(EGL14.EGL_BAD_CONFIG);
      return 0;
    }
    GlObjects objects = shared == null ? new GlObjects() : shared.objects;
    Context made = new Context(next(), config == null ? 0 : handle(config), version, objects);
    CONTEXTS.put(made.handle, made);
    return made.handle;
  }

  public static synchronized boolean eglDestroyContext(Object display, Object context) {
    return CONTEXTS.remove(handle(context)) != null || fails(EGL14.EGL_BAD_CONTEXT);
  }

  public static synchronized boolean eglQueryContext(Object display, Object context, int attribute, IntBuffer value) {
    Context asked = CONTEXTS.get(handle(context));
    if (asked == null) {
      return fails(EGL14.EGL_BAD_CONTEXT);
    }
    if (attribute == EGL14.EGL_CONTEXT_CLIENT_VERSION) {
      return put(value, asked.version);
    }
    if (attribute == EGL14.EGL_CONTEXT_CLIENT_TYPE) {
      return put(value, EGL14.EGL_OPENGL_ES_API);
    }
    return put(value, attribute == EGL14.EGL_CONFIG_ID ? (int) asked.config : EGL14.EGL_BACK_BUFFER);
  }

  static synchronized long surface(int width, int height) {
    long made = next();
    SURFACES.put(made, new int[] {width, height});
    return made;
  }

  private static long window(Object window) {
    if (window == null) {
      throw new IllegalArgumentException("Make sure the SurfaceView or associated SurfaceHolder has a valid Surface");
    }
    DisplayMetrics screen = Resources.getSystem().getDisplayMetrics();
    return surface(screen.widthPixels, screen.heightPixels);
  }

  public static long eglCreateWindowSurface(Object display, Object config, Object window, IntBuffer attributes) {
    return window(window);
  }

  public static long eglCreateWindowSurfaceTexture(Object display, Object config, Object window, IntBuffer attributes) {
    return window(window);
  }

  public static long eglCreatePlatformWindowSurface(
      Object display, Object config, Object window, long[] attributes, int at) {
    return window(window);
  }

  public static long eglCreatePbufferSurface(Object display, Object config, IntBuffer attributes) {
    return surface(attribute(attributes, EGL14.EGL_WIDTH, 0), attribute(attributes, EGL14.EGL_HEIGHT, 0));
  }

  public static synchronized boolean eglDestroySurface(Object display, Object surface) {
    return SURFACES.remove(handle(surface)) != null || fails(EGL14.EGL_BAD_SURFACE);
  }

  public static synchronized boolean eglQuerySurface(Object display, Object surface, int attribute, IntBuffer value) {
    int[] size = SURFACES.get(handle(surface));
    if (size == null) {
      return fails(EGL14.EGL_BAD_SURFACE);
    }
    if (attribute == EGL14.EGL_WIDTH || attribute == EGL14.EGL_HEIGHT) {
      return put(value, size[attribute == EGL14.EGL_WIDTH ? 0 : 1]);
    }
    if (attribute == EGL14.EGL_SWAP_BEHAVIOR) {
      return put(value, EGL14.EGL_BUFFER_DESTROYED);
    }
    return put(value, attribute == EGL14.EGL_RENDER_BUFFER ? EGL14.EGL_BACK_BUFFER : 0);
  }

  public static synchronized boolean eglMakeCurrent(Object display, Object draw, Object read, Object context) {
    Current mine = current.get();
    long wanted = handle(context);
    Context made = CONTEXTS.get(wanted);
    if (made == null && mine.context != null && mine.context.handle == wanted) {
      made = mine.context;
    }
    long[] surfaces = {handle(draw), handle(read)};
    if (handle(display) != DISPLAY) {
      return fails(EGL14.EGL_BAD_DISPLAY);
    }
    if (wanted != 0 && made == null) {
      return fails(EGL14.EGL_BAD_CONTEXT);
    }
    for (long surface : surfaces) {
      if (surface != 0 && !SURFACES.containsKey(surface)) {
        return fails(EGL14.EGL_BAD_SURFACE);
      }
    }
    if (made != null && made.state == null) {
      made.state = new Gles.State(SURFACES.getOrDefault(surfaces[0], new int[2]));
    }
    mine.context = made;
    mine.draw = surfaces[0];
    mine.read = surfaces[1];
    return true;
  }

  public static boolean eglReleaseThread() {
    current.remove();
    return true;
  }

  public static long eglGetCurrentContext() {
    return ready() ? current.get().context.handle : 0;
  }

  public static long eglGetCurrentDisplay() {
    return ready() ? DISPLAY : 0;
  }

  public static long eglGetCurrentSurface(int which) {
    return which == EGL14.EGL_READ ? current.get().read : current.get().draw;
  }

  public static int eglQueryAPI() {
    return EGL14.EGL_OPENGL_ES_API;
  }

  /** Takes as long as a frame does on a screen. */
  public static boolean eglSwapBuffers(Object display, Object surface) {
    if (android.os.Looper.myLooper() != android.os.Looper.getMainLooper()) {
      Clock.sleepOn(FRAME_MS);
    }
    synchronized (Egl.class) {
      return SURFACES.containsKey(handle(surface)) || fails(EGL14.EGL_BAD_SURFACE);
    }
  }

  public static int eglClientWaitSync(Object display, Object sync, int flags, long timeout) {
    return EGL15.EGL_CONDITION_SATISFIED;
  }

  /** No file: the fence has been passed. */
  public static int eglDupNativeFenceFDANDROIDImpl(Object display, Object sync) {
    return -1;
  }
}
