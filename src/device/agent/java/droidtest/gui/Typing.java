package droidtest.gui;

import android.os.SystemClock;
import android.text.Editable;
import android.text.Selection;
import android.view.InputDevice;
import android.view.KeyCharacterMap;
import android.view.KeyEvent;
import android.view.inputmethod.EditorInfo;
import android.view.inputmethod.InputConnection;
import android.widget.TextView;
import java.util.function.LongConsumer;

/** Keys, and text typed as an input method types it. */
public final class Typing {
  private final Screen screen;
  private final Input input;
  private final LongConsumer wait;

  /** @param wait lets virtual time pass */
  public Typing(Screen screen, Input input, LongConsumer wait) {
    this.screen = screen;
    this.input = input;
    this.wait = wait;
  }

  /** A key pressed and let go in the focused window. */
  public void key(int code) {
    long down = SystemClock.uptimeMillis();
    send(down, KeyEvent.ACTION_DOWN, code);
    wait.accept(1);
    send(down, KeyEvent.ACTION_UP, code);
  }

  private void send(long down, int action, int code) {
    Screen.Window window = screen.focus();
    if (window != null) {
      if (code == KeyEvent.KEYCODE_MENU) {
        Menus.refresh(window.view);
      }
      long now = SystemClock.uptimeMillis();
      input.send(
          window,
          new KeyEvent(
              down, now, action, code, 0, 0, KeyCharacterMap.VIRTUAL_KEYBOARD, 0, 0, source(code)));
    }
  }

  /** Arrows are a d-pad's: those of a mere keyboard never leave a text field, since Android 8. */
  private static int source(int code) {
    boolean pad = code >= KeyEvent.KEYCODE_DPAD_UP && code <= KeyEvent.KEYCODE_DPAD_CENTER;
    return pad ? InputDevice.SOURCE_KEYBOARD | InputDevice.SOURCE_DPAD : InputDevice.SOURCE_KEYBOARD;
  }

  /** Replaces the field's text, through its filters, key listener and watchers. */
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
