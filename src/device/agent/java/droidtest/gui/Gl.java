package droidtest.gui;

import android.opengl.GLSurfaceView;
import android.widget.VideoView;
import droidtest.host.box.Clock;
import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;
import javax.microedition.khronos.egl.EGL10;
import javax.microedition.khronos.egl.EGL11;
import javax.microedition.khronos.egl.EGLConfig;
import javax.microedition.khronos.egl.EGLContext;
import javax.microedition.khronos.egl.EGLDisplay;
import javax.microedition.khronos.egl.EGLSurface;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.util.ReflectionHelpers;
import org.robolectric.util.ReflectionHelpers.ClassParameter;

/**
 * A graphics processor that accepts everything and paints nothing: renderers get their threads, surfaces, contexts and
 * frames, so that an app's code for them runs.
 */
public final class Gl {
  private static final int FRAME_MS = 16;

  private Gl() {}

  /** The framework's view, on a surface that exists. */
  @Implements(value = GLSurfaceView.class)
  public static class OfGlSurfaceView extends Surfaces {}

  /** The framework's view, on a surface that exists. */
  @Implements(value = VideoView.class)
  public static class OfVideoView extends Surfaces {}

  /** EGL with one display, one configuration and as many contexts as are requested. */
  @Implements(className = "com.google.android.gles_jni.EGLImpl", isInAndroidSdk = false)
  public static class OfEgl {
    private static final ThreadLocal<EGLContext> CURRENT = new ThreadLocal<>();
    private static final ThreadLocal<EGLSurface> SURFACE = new ThreadLocal<>();
    private static final Map<EGLConfig, int[]> SPECS = Collections.synchronizedMap(new WeakHashMap<>());
    private static long next = 1;

    private static synchronized <T> T make(String kind, Class<T> type) {
      Object made =
          ReflectionHelpers.callConstructor(
              ReflectionHelpers.loadClass(Gl.class.getClassLoader(), "com.google.android.gles_jni.EGL" + kind + "Impl"),
              ClassParameter.from(long.class, next++));
      return type.cast(made);
    }

    @Implementation
    protected EGLDisplay eglGetDisplay(Object nativeDisplay) {
      return make("Display", EGLDisplay.class);
    }

    @Implementation
    protected boolean eglInitialize(EGLDisplay display, int[] version) {
      if (version != null && version.length > 1) {
        version[0] = 1;
        version[1] = 4;
      }
      return true;
    }

    @Implementation
    protected int eglGetError() {
      return EGL10.EGL_SUCCESS;
    }

    @Implementation
    protected boolean eglChooseConfig(EGLDisplay display, int[] spec, EGLConfig[] configs, int size, int[] count) {
      boolean found = eglGetConfigs(display, configs, size, count);
      if (spec != null && configs != null && size > 0 && configs.length > 0) {
        SPECS.put(configs[0], spec.clone());
      }
      return found;
    }

    @Implementation
    protected boolean eglGetConfigs(EGLDisplay display, EGLConfig[] configs, int size, int[] count) {
      if (configs != null && size > 0 && configs.length > 0) {
        configs[0] = make("Config", EGLConfig.class);
      }
      if (count != null && count.length > 0) {
        count[0] = 1;
      }
      return true;
    }

    /** The requested configuration; by default eight bits per colour, 24 of depth, 8 of stencil. */
    @Implementation
    protected boolean eglGetConfigAttrib(EGLDisplay display, EGLConfig config, int attribute, int[] value) {
      int[] spec = SPECS.getOrDefault(config, new int[0]);
      for (int i = 0; i + 1 < spec.length; i += 2) {
        if (spec[i] == attribute) {
          value[0] = spec[i + 1];
          return true;
        }
      }
      switch (attribute) {
        case EGL10.EGL_RED_SIZE:
        case EGL10.EGL_GREEN_SIZE:
        case EGL10.EGL_BLUE_SIZE:
        case EGL10.EGL_ALPHA_SIZE:
        case EGL10.EGL_STENCIL_SIZE:
          value[0] = 8;
          break;
        case EGL10.EGL_DEPTH_SIZE:
          value[0] = 24;
          break;
        case EGL10.EGL_BUFFER_SIZE:
          value[0] = 32;
          break;
        case EGL10.EGL_RENDERABLE_TYPE:
          value[0] = 0x45;
          break;
        case EGL10.EGL_SURFACE_TYPE:
          value[0] = EGL10.EGL_WINDOW_BIT | EGL10.EGL_PBUFFER_BIT;
          break;
        default:
          value[0] = 0;
      }
      return true;
    }

    @Implementation
    protected EGLContext eglCreateContext(EGLDisplay display, EGLConfig config, EGLContext share, int[] attributes) {
      return make("Context", EGLContext.class);
    }

    @Implementation
    protected EGLSurface eglCreateWindowSurface(EGLDisplay display, EGLConfig config, Object window, int[] attributes) {
      return make("Surface", EGLSurface.class);
    }

    @Implementation
    protected EGLSurface eglCreatePbufferSurface(EGLDisplay display, EGLConfig config, int[] attributes) {
      return make("Surface", EGLSurface.class);
    }

    @Implementation
    protected boolean eglMakeCurrent(EGLDisplay display, EGLSurface draw, EGLSurface read, EGLContext context) {
      CURRENT.set(context);
      SURFACE.set(draw);
      return true;
    }

    @Implementation
    protected EGLContext eglGetCurrentContext() {
      EGLContext current = CURRENT.get();
      return current == null ? EGL10.EGL_NO_CONTEXT : current;
    }

    @Implementation
    protected EGLSurface eglGetCurrentSurface(int which) {
      EGLSurface current = SURFACE.get();
      return current == null ? EGL10.EGL_NO_SURFACE : current;
    }

    @Implementation
    protected boolean eglSwapBuffers(EGLDisplay display, EGLSurface surface) {
      if (android.os.Looper.myLooper() != android.os.Looper.getMainLooper()) {
        Clock.sleepOn(FRAME_MS);
      }
      return true;
    }

    @Implementation
    protected boolean eglDestroyContext(EGLDisplay display, EGLContext context) {
      return true;
    }

    @Implementation
    protected boolean eglDestroySurface(EGLDisplay display, EGLSurface surface) {
      return true;
    }

    @Implementation
    protected boolean eglTerminate(EGLDisplay display) {
      return true;
    }

    @Implementation
    protected String eglQueryString(EGLDisplay display, int name) {
      return name == EGL10.EGL_VERSION ? "1.4" : name == EGL11.EGL_EXTENSIONS ? "" : "none";
    }
  }
}
