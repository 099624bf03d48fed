package droidtest.gui;

import android.os.SystemClock;
import android.text.Editable;
import android.text.Selection;
import android.view.KeyCharacterMap;
import android.view.KeyEvent;
import android.view.View;
import android.view.inputmethod.EditorInfo;
import android.view.inputmethod.InputConnection;
import android.widget.TextView;
import java.util.Map;

/** Keys, and text typed as an input method types it. */
public final class Typing {
  private static final Map<Integer, Integer> DIRECTIONS =
      Map.of(
          KeyEvent.KEYCODE_DPAD_UP, View.FOCUS_UP, KeyEvent.KEYCODE_DPAD_DOWN, View.FOCUS_DOWN,
          KeyEvent.KEYCODE_DPAD_LEFT, View.FOCUS_LEFT, KeyEvent.KEYCODE_DPAD_RIGHT, View.FOCUS_RIGHT,
          KeyEvent.KEYCODE_TAB, View.FOCUS_FORWARD);

  private final Screen screen;

  public Typing(Screen screen) {
    this.screen = screen;
  }

  /** A key pressed and let go in the focused window. */
  public void key(int code) {
    long now = SystemClock.uptimeMillis();
    send(new KeyEvent(now, now, KeyEvent.ACTION_DOWN, code, 0, 0, KeyCharacterMap.VIRTUAL_KEYBOARD, 0));
    send(new KeyEvent(now, now, KeyEvent.ACTION_UP, code, 0, 0, KeyCharacterMap.VIRTUAL_KEYBOARD, 0));
  }

  private void send(KeyEvent event) {
    Screen.Window window = screen.focusedWindow();
    if (window == null || window.view.dispatchKeyEventPreIme(event) || window.view.dispatchKeyEvent(event)) {
      return;
    }
    if (event.getAction() == KeyEvent.ACTION_DOWN) {
      moveFocus(window.view, event.getKeyCode());
    }
  }

  /** What the root of the views does with keys that nobody handled. */
  private static void moveFocus(View root, int code) {
    Integer direction = DIRECTIONS.get(code);
    if (direction == null) {
      return;
    }
    View focused = root.findFocus();
    View next = focused == null ? root.focusSearch(direction) : focused.focusSearch(direction);
    if (next != null && next != focused) {
      next.requestFocusFromTouch();
    }
  }

  /** Replaces the field's text; its filters, key listener and watchers have their say. */
  public void text(TextView field, String text, boolean action) {
    field.requestFocusFromTouch();
    EditorInfo info = new EditorInfo();
    InputConnection connection = field.onCreateInputConnection(info);
    if (connection == null) {
      return;
    }
    if (field.getText() instanceof Editable) {
      Selection.selectAll((Editable) field.getText());
    }
    String allowed = accepted(field, text);
    connection.beginBatchEdit();
    connection.commitText(allowed, 1);
    connection.endBatchEdit();
    if (action) {
      int id = info.actionId != 0 ? info.actionId : info.imeOptions & EditorInfo.IME_MASK_ACTION;
      connection.performEditorAction(id == EditorInfo.IME_ACTION_UNSPECIFIED ? EditorInfo.IME_ACTION_DONE : id);
    }
  }

  /** An input method offers only the keys that the field's input type has. */
  private static String accepted(TextView field, String text) {
    int kind = field.getInputType() & EditorInfo.TYPE_MASK_CLASS;
    boolean lines = (field.getInputType() & EditorInfo.TYPE_TEXT_FLAG_MULTI_LINE) != 0;
    StringBuilder out = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean fits;
      switch (kind) {
        case EditorInfo.TYPE_CLASS_NUMBER:
          fits = c >= '0' && c <= '9' || c == '-' || c == '.' || c == '+';
          break;
        case EditorInfo.TYPE_CLASS_PHONE:
          fits = "0123456789+*#()-./,;N ".indexOf(c) >= 0;
          break;
        case EditorInfo.TYPE_CLASS_DATETIME:
          fits = "0123456789/-:amp ".indexOf(c) >= 0;
          break;
        default:
          fits = c != '\n' || lines;
      }
      if (fits) {
        out.append(c);
      }
    }
    return out.toString();
  }
}
