package droidtest.gui;

import android.view.MotionEvent;
import android.view.View;
import android.widget.AbsSeekBar;
import android.widget.RatingBar;
import android.widget.TextView;
import droidtest.host.AppClassLoader;
import java.lang.reflect.Field;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;

/** The listeners of a view: what it reacts to is known, not guessed. */
final class Listeners {
  private static final int CLICK = 1;
  private static final int LONG_CLICK = 2;
  private static final int TOUCH = 4;
  private static final int KEY = 8;
  private static final int TEXT = 16;
  static final int CONTEXT_MENU = 128;
  static final int OWN_TOUCH = 256;

  private static final Field INFO = field(View.class, "mListenerInfo");
  private static final Class<?> INFO_CLASS = INFO.getType();
  private static final Field ON_CLICK = field(INFO_CLASS, "mOnClickListener");
  private static final Field ON_LONG_CLICK = field(INFO_CLASS, "mOnLongClickListener");
  private static final Field ON_TOUCH = field(INFO_CLASS, "mOnTouchListener");
  private static final Field ON_KEY = field(INFO_CLASS, "mOnKeyListener");
  private static final Field ON_CONTEXT_MENU = field(INFO_CLASS, "mOnCreateContextMenuListener");
  private static final Field TEXT_WATCHERS = field(TextView.class, "mListeners");

  /** By class: whether the app's code handles touches. */
  private static final Map<Class<?>, Boolean> OWN = new WeakHashMap<>();

  private Listeners() {}

  static int of(View view) {
    try {
      int bits = ownTouch(view.getClass()) || drawn(view) ? OWN_TOUCH : 0;
      Object info = INFO.get(view);
      if (info != null) {
        bits |= ON_CLICK.get(info) != null ? CLICK : 0;
        bits |= ON_LONG_CLICK.get(info) != null ? LONG_CLICK : 0;
        bits |= ON_TOUCH.get(info) != null ? TOUCH : 0;
        bits |= ON_KEY.get(info) != null ? KEY : 0;
        bits |= ON_CONTEXT_MENU.get(info) != null ? CONTEXT_MENU : 0;
      }
      if (view instanceof TextView) {
        List<?> watchers = (List<?>) TEXT_WATCHERS.get(view);
        bits |= watchers != null && !watchers.isEmpty() ? TEXT : 0;
      }
      return bits;
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The framework's views where the place of a touch matters: sliders, the days of a month, the dial of a clock. */
  private static boolean drawn(View view) {
    if (view instanceof AbsSeekBar) {
      return !(view instanceof RatingBar && ((RatingBar) view).isIndicator());
    }
    String name = view.getClass().getName();
    return name.equals("android.widget.SimpleMonthView") || name.equals("android.widget.RadialTimePickerView");
  }

  private static boolean ownTouch(Class<?> type) {
    Boolean known = OWN.get(type);
    if (known == null) {
      known = false;
      for (Class<?> c = type; c != null && c.getClassLoader() instanceof AppClassLoader; c = c.getSuperclass()) {
        known |= !library(c) && declares(c, "onTouchEvent", MotionEvent.class);
      }
      OWN.put(type, known);
    }
    return known;
  }

  /** Whether a view has a listener for keys. */
  static boolean keys(View view) {
    try {
      Object info = INFO.get(view);
      return info != null && ON_KEY.get(info) != null;
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Google's support library does not count as the app. */
  static boolean library(Class<?> type) {
    return type.getName().startsWith("android.support.") || type.getName().startsWith("androidx.");
  }

  /** Whether this class itself, not a parent, has the method. */
  static boolean declares(Class<?> type, String method, Class<?>... parameters) {
    try {
      type.getDeclaredMethod(method, parameters);
      return true;
    } catch (NoSuchMethodException | LinkageError e) {
      return false;
    }
  }

  private static Field field(Class<?> type, String name) {
    try {
      Field field = type.getDeclaredField(name);
      field.setAccessible(true);
      return field;
    } catch (NoSuchFieldException e) {
      throw new IllegalStateException(e);
    }
  }
}
