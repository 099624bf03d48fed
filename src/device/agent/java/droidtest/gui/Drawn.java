package droidtest.gui;

import android.graphics.Canvas;
import android.view.View;
import android.widget.ImageView;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;
import org.robolectric.shadows.ShadowView;

/**
 * What the app's views and its pictures show, as one number each. A board game or a chart has no text and no widgets: a
 * person sees that an event changed it, and a hierarchy does not. Drawing by the toolkit's widgets (cursors, ripples,
 * scroll bars) is left out.
 *
 * <p>{@code host.Shadowing} leads the framework's {@code View.draw} and {@code ImageView.onDraw} through here.
 */
public final class Drawn {
  private static final Map<View, Long> SHOWN = Collections.synchronizedMap(new WeakHashMap<>());
  private static final Field REAL;
  /** The framework's code under the shadows. */
  private static final MethodHandle REAL_DRAW = code(View.class, "draw");
  private static final MethodHandle REAL_IMAGE = code(ImageView.class, "onDraw");

  static {
    try {
      REAL = ShadowView.class.getDeclaredField("realView");
      REAL.setAccessible(true);
    } catch (NoSuchFieldException e) {
      throw new IllegalStateException(e);
    }
  }

  private static MethodHandle code(Class<?> type, String name) {
    try {
      String under = "$$robo$$" + type.getName().replace('.', '_') + "$" + name;
      Method method = type.getDeclaredMethod(under, Canvas.class);
      method.setAccessible(true);
      return MethodHandles.lookup().unreflect(method);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Whether a class draws itself: it is the app's own, no toolkit's, and overrides a drawing method. */
  private static final ClassValue<Boolean> OWN =
      new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
          ClassLoader framework = View.class.getClassLoader();
          for (Class<?> c = type; c != null && c.getClassLoader() != framework; c = c.getSuperclass()) {
            if (!toolkit(c.getName()) && draws(c)) {
              return true;
            }
          }
          return false;
        }
      };

  private Drawn() {}

  private static boolean toolkit(String name) {
    return name.startsWith("android.") || name.startsWith("androidx.") || name.startsWith("com.google.android.");
  }

  private static boolean draws(Class<?> type) {
    for (Method method : type.getDeclaredMethods()) {
      String name = method.getName();
      Class<?>[] types = method.getParameterTypes();
      if (types.length == 1 && types[0] == Canvas.class
          && (name.equals("onDraw") || name.equals("draw") || name.equals("dispatchDraw"))) {
        return true;
      }
    }
    return false;
  }

  private static Object real(Object shadow) {
    try {
      return REAL.get(shadow);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }

  /** {@code View.draw(Canvas)}. */
  public static void draw(Object shadow, Canvas canvas) throws Throwable {
    View view = (View) real(shadow);
    if (!(canvas instanceof HashingCanvas)) {
      REAL_DRAW.invokeExact(view, canvas);
      return;
    }
    HashingCanvas hashing = (HashingCanvas) canvas;
    long around = hashing.restart();
    try {
      REAL_DRAW.invokeExact(view, canvas);
      if (OWN.get(view.getClass())) {
        SHOWN.put(view, hashing.hash());
      }
    } finally {
      hashing.resume(around);
    }
  }

  /** {@code ImageView.onDraw(Canvas)}. */
  public static void drawImage(Object shadow, Canvas canvas) throws Throwable {
    ImageView view = (ImageView) real(shadow);
    if (!(canvas instanceof HashingCanvas)) {
      REAL_IMAGE.invokeExact(view, canvas);
      return;
    }
    HashingCanvas hashing = (HashingCanvas) canvas;
    long around = hashing.restart();
    try {
      REAL_IMAGE.invokeExact(view, canvas);
      SHOWN.put(view, hashing.hash());
    } finally {
      hashing.resume(around);
    }
  }

  /** A surface shows something new. */
  static void shows(View view, long hash) {
    SHOWN.put(view, hash);
  }

  /** The last hash of this view; 0 if it drew nothing itself. */
  static long of(View view) {
    Long hash = SHOWN.get(view);
    return hash == null ? 0 : hash;
  }
}
