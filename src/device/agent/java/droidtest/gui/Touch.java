package droidtest.gui;

import android.os.SystemClock;
import android.view.InputDevice;
import android.view.MotionEvent;
import java.util.List;
import java.util.function.LongConsumer;

/**
 * Fingers on the screen. A gesture goes to the window that it starts in, as the window manager has it, and virtual time
 * passes between its parts.
 */
public final class Touch {
  private static final int STEP_MS = 10;

  private final Screen screen;
  private final Input input;
  private final LongConsumer wait;

  /** @param wait lets virtual time pass */
  public Touch(Screen screen, Input input, LongConsumer wait) {
    this.screen = screen;
    this.input = input;
    this.wait = wait;
  }

  public void tap(float x, float y) {
    press(x, y, STEP_MS);
  }

  public void longPress(float x, float y) {
    press(x, y, 700);
  }

  private void press(float x, float y, long ms) {
    Screen.Window window = target(x, y);
    if (window == null) {
      return;
    }
    long down = SystemClock.uptimeMillis();
    send(window, down, MotionEvent.ACTION_DOWN, x, y);
    wait.accept(ms);
    send(window, down, MotionEvent.ACTION_UP, x, y);
  }

  /** One finger from here to there. */
  public void drag(float x1, float y1, float x2, float y2, long ms) {
    Screen.Window window = target(x1, y1);
    if (window == null) {
      return;
    }
    long down = SystemClock.uptimeMillis();
    int steps = (int) Math.max(4, Math.min(24, ms / STEP_MS));
    send(window, down, MotionEvent.ACTION_DOWN, x1, y1);
    for (int i = 1; i <= steps; i++) {
      wait.accept(Math.max(1, ms / steps));
      send(window, down, MotionEvent.ACTION_MOVE, x1 + (x2 - x1) * i / steps, y1 + (y2 - y1) * i / steps);
    }
    send(window, down, MotionEvent.ACTION_UP, x2, y2);
  }

  /** Two fingers apart from each other, or together. */
  public void pinch(float x, float y, float from, float to) {
    Screen.Window window = target(x, y);
    if (window == null) {
      return;
    }
    long down = SystemClock.uptimeMillis();
    int second = MotionEvent.ACTION_POINTER_DOWN | 1 << MotionEvent.ACTION_POINTER_INDEX_SHIFT;
    int secondUp = MotionEvent.ACTION_POINTER_UP | 1 << MotionEvent.ACTION_POINTER_INDEX_SHIFT;
    send(window, down, MotionEvent.ACTION_DOWN, x - from, y);
    send(window, down, second, x - from, y, x + from, y);
    for (int i = 1; i <= 8; i++) {
      wait.accept(STEP_MS);
      float at = from + (to - from) * i / 8;
      send(window, down, MotionEvent.ACTION_MOVE, x - at, y, x + at, y);
    }
    send(window, down, secondUp, x - to, y, x + to, y);
    send(window, down, MotionEvent.ACTION_UP, x - to, y);
  }

  /** The ball under the thumb: small steps, and a press at the end or not. */
  public void trackball(int[] moves, boolean press) {
    Screen.Window window = screen.focus();
    for (int i = 0; window != null && i < moves.length; i += 2) {
      roll(window, MotionEvent.ACTION_MOVE, moves[i], moves[i + 1]);
      wait.accept(1);
      window = screen.focus();
    }
    if (window != null && press) {
      roll(window, MotionEvent.ACTION_DOWN, 0, 0);
      wait.accept(STEP_MS);
      roll(window, MotionEvent.ACTION_UP, 0, 0);
    }
  }

  private void roll(Screen.Window window, int action, float x, float y) {
    long now = SystemClock.uptimeMillis();
    MotionEvent event = MotionEvent.obtain(now, now, action, x, y, 0);
    event.setSource(InputDevice.SOURCE_TRACKBALL);
    input.send(window, event);
  }

  /** The window under the finger; windows above that let the touch through get it as an outside touch. */
  private Screen.Window target(float x, float y) {
    List<Screen.Window> windows = screen.reachable();
    for (Screen.Window window : windows) {
      if (window.modal() || window.contains(x, y)) {
        return window;
      }
      if (window.has(android.view.WindowManager.LayoutParams.FLAG_WATCH_OUTSIDE_TOUCH)) {
        send(window, SystemClock.uptimeMillis(), MotionEvent.ACTION_OUTSIDE, x, y);
      }
    }
    return null;
  }

  private void send(Screen.Window window, long down, int action, float... points) {
    if (!window.view.isAttachedToWindow()) {
      return;
    }
    int count = points.length / 2;
    MotionEvent.PointerProperties[] properties = new MotionEvent.PointerProperties[count];
    MotionEvent.PointerCoords[] coords = new MotionEvent.PointerCoords[count];
    for (int i = 0; i < count; i++) {
      properties[i] = new MotionEvent.PointerProperties();
      properties[i].id = i;
      properties[i].toolType = MotionEvent.TOOL_TYPE_FINGER;
      coords[i] = new MotionEvent.PointerCoords();
      coords[i].x = points[2 * i];
      coords[i].y = points[2 * i + 1];
      coords[i].pressure = 1;
      coords[i].size = 1;
    }
    MotionEvent event =
        MotionEvent.obtain(
            down, SystemClock.uptimeMillis(), action, count, properties, coords, 0, 0, 1, 1, 0, 0,
            InputDevice.SOURCE_TOUCHSCREEN, 0);
    event.offsetLocation(-window.x, -window.y);
    input.send(window, event);
  }
}
