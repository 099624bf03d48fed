package droidtest.device;

import android.graphics.Rect;
import android.os.Bundle;
import android.os.SystemClock;
import android.view.InputDevice;
import android.view.KeyCharacterMap;
import android.view.KeyEvent;
import android.view.MotionEvent;
import android.view.accessibility.AccessibilityNodeInfo;

/** Touches and keys, injected as a person's would come. */
final class Fingers {
  private static final int STEP_MS = 10;

  private final Automation automation;

  Fingers(Automation automation) {
    this.automation = automation;
  }

  void tap(float x, float y, long holdMs) {
    long down = SystemClock.uptimeMillis();
    touch(down, MotionEvent.ACTION_DOWN, new float[] {x, y});
    SystemClock.sleep(holdMs);
    touch(down, MotionEvent.ACTION_UP, new float[] {x, y});
  }

  void drag(float x, float y, float x2, float y2, long ms) {
    long down = SystemClock.uptimeMillis();
    touch(down, MotionEvent.ACTION_DOWN, new float[] {x, y});
    long steps = Math.max(2, ms / STEP_MS);
    for (long i = 1; i <= steps; i++) {
      float part = (float) i / steps;
      SystemClock.sleep(STEP_MS);
      touch(down, MotionEvent.ACTION_MOVE, new float[] {x + (x2 - x) * part, y + (y2 - y) * part});
    }
    touch(down, MotionEvent.ACTION_UP, new float[] {x2, y2});
  }

  /** Two fingers on the widget's middle line, together or apart. */
  void pinch(Rect in, boolean inward) {
    float y = in.exactCenterY();
    float near = in.width() * 0.05f;
    float far = in.width() * 0.4f;
    float from = inward ? far : near;
    float to = inward ? near : far;
    long down = SystemClock.uptimeMillis();
    touch(down, MotionEvent.ACTION_DOWN, pair(in, from, y));
    touch(down, MotionEvent.ACTION_POINTER_DOWN | 1 << MotionEvent.ACTION_POINTER_INDEX_SHIFT, pair(in, from, y));
    for (int i = 1; i <= 20; i++) {
      SystemClock.sleep(STEP_MS);
      touch(down, MotionEvent.ACTION_MOVE, pair(in, from + (to - from) * i / 20, y));
    }
    touch(down, MotionEvent.ACTION_POINTER_UP | 1 << MotionEvent.ACTION_POINTER_INDEX_SHIFT, pair(in, to, y));
    touch(down, MotionEvent.ACTION_UP, new float[] {in.exactCenterX() - to, y});
  }

  private static float[] pair(Rect in, float apart, float y) {
    return new float[] {in.exactCenterX() - apart, y, in.exactCenterX() + apart, y};
  }

  private void touch(long down, int action, float[] points) {
    // The first finger goes down alone.
    int count = action == MotionEvent.ACTION_DOWN ? 1 : points.length / 2;
    MotionEvent.PointerProperties[] who = new MotionEvent.PointerProperties[count];
    MotionEvent.PointerCoords[] where = new MotionEvent.PointerCoords[count];
    for (int i = 0; i < count; i++) {
      who[i] = new MotionEvent.PointerProperties();
      who[i].id = i;
      who[i].toolType = MotionEvent.TOOL_TYPE_FINGER;
      where[i] = new MotionEvent.PointerCoords();
      where[i].x = points[2 * i];
      where[i].y = points[2 * i + 1];
      where[i].pressure = 1;
      where[i].size = 1;
    }
    MotionEvent event =
        MotionEvent.obtain(
            down, SystemClock.uptimeMillis(), action, count, who, where, 0, 0, 1, 1, 0, 0, InputDevice.SOURCE_TOUCHSCREEN, 0);
    automation.inject(event);
    event.recycle();
  }

  /** The ball under the thumb: pairs of small steps, then perhaps a press. */
  void trackball(int[] moves, boolean press) {
    for (int i = 0; i < moves.length; i += 2) {
      roll(MotionEvent.ACTION_MOVE, moves[i], moves[i + 1]);
    }
    if (press) {
      roll(MotionEvent.ACTION_DOWN, 0, 0);
      SystemClock.sleep(STEP_MS);
      roll(MotionEvent.ACTION_UP, 0, 0);
    }
  }

  private void roll(int action, float x, float y) {
    long now = SystemClock.uptimeMillis();
    MotionEvent event = MotionEvent.obtain(now, now, action, x, y, 0);
    event.setSource(InputDevice.SOURCE_TRACKBALL);
    automation.inject(event);
    event.recycle();
  }

  void key(int code) {
    long now = SystemClock.uptimeMillis();
    for (int action : new int[] {KeyEvent.ACTION_DOWN, KeyEvent.ACTION_UP}) {
      automation.inject(
          new KeyEvent(now, now, action, code, 0, 0, KeyCharacterMap.VIRTUAL_KEYBOARD, 0, 0, InputDevice.SOURCE_KEYBOARD));
    }
  }

  /** Sets the field's text through the accessibility service; types it key by key if the field refuses that. */
  void type(AccessibilityNodeInfo field, String text, boolean enter) {
    Rect bounds = new Rect();
    field.getBoundsInScreen(bounds);
    tap(bounds.exactCenterX(), bounds.exactCenterY(), 20);
    Bundle arguments = new Bundle();
    arguments.putCharSequence(AccessibilityNodeInfo.ACTION_ARGUMENT_SET_TEXT_CHARSEQUENCE, text);
    if (!field.performAction(AccessibilityNodeInfo.ACTION_SET_TEXT, arguments)) {
      key(KeyEvent.KEYCODE_MOVE_END);
      int old = field.getText() == null ? 0 : field.getText().length();
      for (int i = 0; i < Math.min(old, 500); i++) {
        key(KeyEvent.KEYCODE_DEL);
      }
      KeyEvent[] keys = KeyCharacterMap.load(KeyCharacterMap.VIRTUAL_KEYBOARD).getEvents(text.toCharArray());
      for (KeyEvent event : keys == null ? new KeyEvent[0] : keys) {
        automation.inject(event);
      }
    }
    if (enter) {
      key(KeyEvent.KEYCODE_ENTER);
    }
  }
}
