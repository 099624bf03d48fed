package droidtest.gui;

import android.view.InputEvent;
import android.view.InputEventReceiver;
import android.view.ViewRootImpl;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;

/**
 * Hands input to a window as the input dispatcher does: through all of the window's input stages, so that keys leave
 * touch mode, move the focus and press what has it, touches enter touch mode, and a trackball becomes arrow keys.
 */
public final class Input {
  private static final Method ENQUEUE;
  private static final Method TOUCH_MODE;

  static {
    try {
      ENQUEUE =
          ViewRootImpl.class.getDeclaredMethod(
              "enqueueInputEvent", InputEvent.class, InputEventReceiver.class, int.class, boolean.class);
      ENQUEUE.setAccessible(true);
      TOUCH_MODE = ViewRootImpl.class.getDeclaredMethod("ensureTouchModeLocally", boolean.class);
      TOUCH_MODE.setAccessible(true);
    } catch (NoSuchMethodException e) {
      throw new IllegalStateException(e);
    }
  }

  /** One per device: a new window keeps the state of the last one. */
  private boolean touchMode = true;

  /** Delivers an event in the window's coordinates; exceptions of the app are passed on unchanged. */
  public void send(Screen.Window window, InputEvent event) {
    if (!window.view.isAttachedToWindow()) {
      return;
    }
    if (window.view.isInTouchMode() != touchMode) {
      invoke(TOUCH_MODE, window.root, touchMode);
    }
    invoke(ENQUEUE, window.root, event, null, 0, true);
    if (window.view.isAttachedToWindow()) {
      touchMode = window.view.isInTouchMode();
    }
  }

  private static void invoke(Method method, Object target, Object... args) {
    try {
      method.invoke(target, args);
    } catch (InvocationTargetException e) {
      throw Input.<RuntimeException>as(e.getCause());
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The app's exception must reach the top unwrapped, whatever it is. */
  @SuppressWarnings("unchecked")
  private static <T extends Throwable> RuntimeException as(Throwable error) throws T {
    throw (T) error;
  }
}
