package droidtest.gui;

import android.view.View;
import java.lang.reflect.Field;
import java.lang.reflect.Method;

/**
 * The options menu of apps that were built for Android 2, with icons at the bottom of the screen. Android 14 shows it only
 * once in the life of a window: closing it forgets its content, and an empty one is not opened. Older versions, for which
 * these apps were made, fill it again each time.
 */
final class Menus {
  private static final Method PANEL;
  private static final Field WINDOW;

  static {
    try {
      WINDOW = Class.forName("com.android.internal.policy.DecorView").getDeclaredField("mWindow");
      WINDOW.setAccessible(true);
      PANEL = WINDOW.getType().getDeclaredMethod("getPanelState", int.class, boolean.class);
      PANEL.setAccessible(true);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  private Menus() {}

  /** To be called before a key that may open the menu. */
  static void refresh(View root) {
    if (!WINDOW.getDeclaringClass().isInstance(root)) {
      return;
    }
    try {
      Object window = WINDOW.get(root);
      Object panel = window == null ? null : PANEL.invoke(window, 0, false);
      if (panel != null && !flag(panel, "isOpen").getBoolean(panel) && flag(panel, "shownPanelView").get(panel) == null) {
        flag(panel, "refreshDecorView").setBoolean(panel, true);
      }
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Field flag(Object panel, String name) throws NoSuchFieldException {
    Field field = panel.getClass().getDeclaredField(name);
    field.setAccessible(true);
    return field;
  }
}
