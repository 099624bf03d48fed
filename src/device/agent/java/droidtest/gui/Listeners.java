package droidtest.gui;

import android.view.ContextMenu;
import android.view.MotionEvent;
import android.view.View;
import android.view.ViewGroup;
import android.widget.AbsListView;
import android.widget.AbsSeekBar;
import android.widget.RatingBar;
import android.widget.TextView;
import java.lang.reflect.Field;
import java.util.List;

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

  private static final Overrides OWN_TOUCHES = new Overrides().or("onTouchEvent", MotionEvent.class);
  private static final Overrides OWN_CLICKS = new Overrides().or("performClick");
  private static final Overrides OWN_LONG_CLICKS =
      new Overrides().or("performLongClick").or("performLongClick", float.class, float.class);
  private static final Overrides OWN_CONTEXT_MENUS = new Overrides().or("onCreateContextMenu", ContextMenu.class);

  private Listeners() {}

  static int of(View view) {
    try {
      int bits = OWN_TOUCHES.in(view.getClass()) || drawn(view) ? OWN_TOUCH : 0;
      bits |= leaf(view) ? overridden(view) : 0;
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

  /** Where Dynodroid looks for overridden methods. A list leaves clicks to its items, even if it has none. */
  private static boolean leaf(View view) {
    return !(view instanceof AbsListView) && !(view instanceof ViewGroup && ((ViewGroup) view).getChildCount() > 0);
  }

  /** The app's own click methods, where a touch leads to them: {@link View#onTouchEvent} asks for the same flags. */
  private static int overridden(View view) {
    Class<?> type = view.getClass();
    int bits = 0;
    if (view.isClickable() || view.isLongClickable() || view.isContextClickable()) {
      bits |= OWN_CLICKS.in(type) ? CLICK : 0;
    }
    if (view.isLongClickable()) {
      bits |= OWN_LONG_CLICKS.in(type) ? LONG_CLICK : 0;
      bits |= OWN_CONTEXT_MENUS.in(type) ? CONTEXT_MENU : 0;
    }
    return bits;
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
