package droidtest.gui;

import android.app.Activity;
import android.app.Dialog;
import android.content.Context;
import android.content.ContextWrapper;
import android.view.KeyEvent;
import android.view.Menu;
import android.view.View;
import android.view.ViewGroup;
import android.view.Window;
import droidtest.host.AppClassLoader;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.Collection;

/**
 * Whether the menu key can do anything in a window. Most screens have no options menu, and a key that nobody hears is no
 * action of the page; but a menu is only made when the key comes, so what counts is who could make one: an activity or
 * a fragment with code of its own for it, or a listener for keys. In doubt the answer is yes.
 */
final class MenuKey {
  /** If the app overrides one of these, it may handle the key. */
  private static final Overrides HEARERS =
      new Overrides()
          .or("onCreateOptionsMenu", Menu.class)
          .or("onPrepareOptionsMenu", Menu.class)
          .or("onCreatePanelMenu", int.class, Menu.class)
          .or("onCreatePanelView", int.class)
          .or("onPreparePanel", int.class, View.class, Menu.class)
          .or("onKeyDown", int.class, KeyEvent.class)
          .or("onKeyUp", int.class, KeyEvent.class)
          .or("dispatchKeyEvent", KeyEvent.class);

  private MenuKey() {}

  /** False only when it is known that nothing would happen. */
  static boolean heard(Screen.Window window) {
    if (window.kind() == 2) {
      // A menu or drop-down that is open closes.
      return true;
    }
    Object callback = callback(window.view);
    if (callback == null) {
      return hearing(window.view);
    }
    if (HEARERS.in(callback.getClass()) || callback instanceof Dialog && field(Dialog.class, callback, "mOnKeyListener") != null) {
      return true;
    }
    if (callback instanceof Activity && (fragmentMenu(callback) || parentHears((Activity) callback))) {
      return true;
    }
    return hearing(window.view);
  }

  /** A tab's activity lives in its parent's window and has a separate menu. */
  private static boolean parentHears(Activity activity) {
    return activity instanceof android.app.ActivityGroup;
  }

  /** The activity or dialog behind a window; null if there is none. */
  private static Object callback(View decor) {
    for (Class<?> c = decor.getClass(); c != null; c = c.getSuperclass()) {
      if (c.getName().equals("com.android.internal.policy.DecorView")) {
        Window window = (Window) field(c, decor, "mWindow");
        Object callback = window == null ? null : window.getCallback();
        // A library may have put itself in front (AppCompat does).
        for (int i = 0; i < 4 && callback != null && !(callback instanceof Activity || callback instanceof Dialog); i++) {
          callback = inherited(callback, "mWrapped");
        }
        return callback != null || window == null ? callback : owner(window.getContext());
      }
    }
    return null;
  }

  private static Activity owner(Context context) {
    while (context instanceof ContextWrapper) {
      if (context instanceof Activity) {
        return (Activity) context;
      }
      context = ((ContextWrapper) context).getBaseContext();
    }
    return null;
  }

  /** The framework's fragments, and the support library's, whose manager the activity gives by a method. */
  private static boolean fragmentMenu(Object activity) {
    for (String getter : new String[] {"getFragmentManager", "getSupportFragmentManager"}) {
      try {
        Method method = activity.getClass().getMethod(getter);
        if (anyMenu(method.invoke(activity), 0)) {
          return true;
        }
      } catch (NoSuchMethodException e) {
        // No such fragments; renamed ones (minified apps) are asked about by their superclass below.
      } catch (ReflectiveOperationException | LinkageError e) {
        return true;
      }
    }
    return renamedLibrary(activity.getClass());
  }

  /** In a minified app the library's names are missing: its fragments are unknown. */
  private static boolean renamedLibrary(Class<?> type) {
    for (Class<?> c = type.getSuperclass(); c != null && c.getClassLoader() instanceof AppClassLoader; c = c.getSuperclass()) {
      if (Overrides.library(c) && c.getName().endsWith(".FragmentActivity")) {
        return !Overrides.declares(c, "getSupportFragmentManager");
      }
    }
    return false;
  }

  private static boolean anyMenu(Object manager, int depth) throws ReflectiveOperationException {
    Object fragments = manager == null || depth > 4 ? null : manager.getClass().getMethod("getFragments").invoke(manager);
    if (!(fragments instanceof Collection)) {
      return false;
    }
    for (Object fragment : (Collection<?>) fragments) {
      if (fragment == null) {
        continue;
      }
      if (Boolean.TRUE.equals(inherited(fragment, "mHasMenu"))) {
        return true;
      }
      if (anyMenu(fragment.getClass().getMethod("getChildFragmentManager").invoke(fragment), depth + 1)) {
        return true;
      }
    }
    return false;
  }

  /** Keys go from the focused view up; any listener on that path may handle this one. */
  private static boolean hearing(View view) {
    for (View at = view.findFocus() == null ? view : view.findFocus(); at != null; at = parent(at)) {
      if (Listeners.keys(at) || HEARERS.in(at.getClass())) {
        return true;
      }
    }
    return false;
  }

  private static View parent(View view) {
    return view.getParent() instanceof ViewGroup ? (View) view.getParent() : null;
  }

  private static Object inherited(Object of, String name) {
    for (Class<?> c = of.getClass(); c != null; c = c.getSuperclass()) {
      Object value = field(c, of, name);
      if (value != null) {
        return value;
      }
    }
    return null;
  }

  private static Object field(Class<?> type, Object of, String name) {
    try {
      Field field = type.getDeclaredField(name);
      field.setAccessible(true);
      return field.get(of);
    } catch (NoSuchFieldException e) {
      return null;
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }
}
