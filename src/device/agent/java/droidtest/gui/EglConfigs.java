package droidtest.gui;

import android.opengl.EGL14;
import android.opengl.EGLExt;
import java.nio.IntBuffer;
import java.util.ArrayList;
import java.util.List;
import javax.microedition.khronos.egl.EGL10;

/** What EGL's display offers: a configuration for each specification. */
public final class EglConfigs {
  private static final String EXTENSIONS =
      "EGL_KHR_get_all_proc_addresses EGL_ANDROID_presentation_time EGL_KHR_swap_buffers_with_damage"
          + " EGL_ANDROID_get_native_client_buffer EGL_ANDROID_front_buffer_auto_refresh"
          + " EGL_ANDROID_get_frame_timestamps EGL_KHR_image EGL_KHR_image_base EGL_KHR_gl_texture_2D_image"
          + " EGL_KHR_gl_renderbuffer_image EGL_KHR_fence_sync EGL_KHR_wait_sync EGL_KHR_create_context"
          + " EGL_KHR_no_config_context EGL_KHR_surfaceless_context EGL_ANDROID_image_native_buffer"
          + " EGL_ANDROID_recordable EGL_ANDROID_native_fence_sync ";

  private static final int DONT_CARE = -1;
  private static final List<List<Integer>> SPECS = new ArrayList<>();

  private EglConfigs() {}

  static synchronized void forget() {
    SPECS.clear();
  }

  public static String eglQueryString(Object display, int name) {
    if (name == EGL14.EGL_CLIENT_APIS) {
      return "OpenGL_ES";
    }
    switch (name) {
      case EGL10.EGL_VENDOR:
        return "Android";
      case EGL10.EGL_VERSION:
        return "1.5 Android META-EGL";
      case EGL10.EGL_EXTENSIONS:
        return EXTENSIONS;
      default:
        Egl.fails(EGL14.EGL_BAD_PARAMETER);
        return null;
    }
  }

  public static boolean eglGetConfigs(Object display, Object[] configs, int at, int size, IntBuffer count) {
    return eglChooseConfig(display, null, configs, at, size, count);
  }

  public static boolean eglGetConfigs(Object display, Object[] configs, int size, IntBuffer count) {
    return eglChooseConfig(display, null, configs, 0, size, count);
  }

  public static boolean eglChooseConfig(Object display, IntBuffer spec, Object[] configs, int size, IntBuffer count) {
    return eglChooseConfig(display, spec, configs, 0, size, count);
  }

  /** One configuration for each specification: it has what was requested. */
  public static boolean eglChooseConfig(
      Object display, IntBuffer spec, Object[] configs, int at, int size, IntBuffer count) {
    Egl.handle(display);
    if (configs != null && size > 0 && configs.length > at) {
      List<Integer> wanted = new ArrayList<>();
      for (int i = spec == null ? 0 : spec.position(); spec != null && i + 1 < spec.limit(); i += 2) {
        if (spec.get(i) == EGL14.EGL_NONE) {
          break;
        }
        wanted.add(spec.get(i));
        wanted.add(spec.get(i + 1));
      }
      configs[at] = Egl.object(configs.getClass().getComponentType(), config(wanted));
    }
    return Egl.put(count, 1);
  }

  private static synchronized long config(List<Integer> spec) {
    int at = SPECS.indexOf(spec);
    if (at < 0) {
      at = SPECS.size();
      SPECS.add(spec);
    }
    return at + 1;
  }

  /** The requested configuration; by default eight bits per colour, 24 of depth, 8 of stencil. */
  public static boolean eglGetConfigAttrib(Object display, Object config, int attribute, IntBuffer value) {
    long handle = Egl.handle(config);
    List<Integer> spec;
    synchronized (EglConfigs.class) {
      spec = handle > 0 && handle <= SPECS.size() ? SPECS.get((int) handle - 1) : List.of();
    }
    for (int i = 0; i < spec.size(); i += 2) {
      if (spec.get(i) == attribute && spec.get(i + 1) != DONT_CARE) {
        return Egl.put(value, spec.get(i + 1));
      }
    }
    int versions = EGL14.EGL_OPENGL_ES_BIT | EGL14.EGL_OPENGL_ES2_BIT | EGLExt.EGL_OPENGL_ES3_BIT_KHR;
    switch (attribute) {
      case EGL10.EGL_RED_SIZE:
      case EGL10.EGL_GREEN_SIZE:
      case EGL10.EGL_BLUE_SIZE:
      case EGL10.EGL_ALPHA_SIZE:
      case EGL10.EGL_STENCIL_SIZE:
        return Egl.put(value, 8);
      case EGL10.EGL_DEPTH_SIZE:
        return Egl.put(value, 24);
      case EGL10.EGL_BUFFER_SIZE:
        return Egl.put(value, 32);
      case EGL10.EGL_RENDERABLE_TYPE:
        return Egl.put(value, versions);
      case EGL10.EGL_SURFACE_TYPE:
        return Egl.put(value, EGL14.EGL_WINDOW_BIT | EGL14.EGL_PBUFFER_BIT);
      case EGL10.EGL_CONFIG_ID:
        return Egl.put(value, (int) handle);
      case EGL10.EGL_CONFIG_CAVEAT:
      case EGL10.EGL_TRANSPARENT_TYPE:
        return Egl.put(value, EGL14.EGL_NONE);
      case EGL10.EGL_COLOR_BUFFER_TYPE:
        return Egl.put(value, EGL14.EGL_RGB_BUFFER);
      case EGL10.EGL_NATIVE_VISUAL_ID:
        return Egl.put(value, 1);
      default:
        return Egl.put(value, attribute == EGL14.EGL_CONFORMANT ? versions : 0);
    }
  }
}
