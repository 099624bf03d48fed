package droidtest.gui;

import android.os.SystemClock;
import android.text.InputType;
import android.view.KeyCharacterMap;
import android.view.KeyEvent;
import android.view.View;
import android.view.inputmethod.EditorInfo;
import android.view.inputmethod.InputConnection;
import android.view.inputmethod.InputMethodManager;
import org.robolectric.RuntimeEnvironment;
import org.robolectric.shadow.api.Shadow;
import org.robolectric.shadows.ShadowInputMethodManager;

/**
 * The keyboard that a touch on a text field brings up: a finger that knows no widgets types by hitting it, which is how
 * Monkey fills fields. It covers the lower part of the screen until back or another window takes it away. Sizes and layouts
 * are those of Android's LatinIME. Events on widgets pass it by: who knows them works without it.
 */
public final class SoftKeyboard {
  /** Height in dp, the strip of suggestions included, and that of the strip. */
  private static final int HEIGHT_DP = 246;

  private static final int STRIP_DP = 40;

  private static final char DELETE = '\b';
  private static final char ENTER = '\n';
  /** A key that types nothing: shift, symbols. */
  private static final char NONE = 0;

  private static final String[] NUMBERS = {"123-", "456.", "789" + DELETE, " 0," + ENTER};
  private static final String[] LETTERS = {
    "qwertyuiop", "asdfghjkl", NONE + "zxcvbnm" + DELETE, NONE + ",    ." + ENTER
  };

  private final Screen screen;
  private boolean up;

  public SoftKeyboard(Screen screen) {
    this.screen = screen;
  }

  /** A finger has touched a field that requested the keyboard, or something else; called after each touch by coordinates. */
  public void touched() {
    up = asked() && editor() != null;
  }

  /** An event on a widget, which is sent without the keyboard. */
  public void away() {
    up = false;
    if (asked()) {
      manager().hideSoftInputFromWindow(null, 0);
    }
  }

  /** Handles a touch on the keyboard; false if it is not shown. */
  public boolean type(float x, float y) {
    View field = up ? editor() : null;
    int top = screen.height() - Math.min(screen.height() / 2, dp(HEIGHT_DP));
    if (field == null || y < top) {
      return false;
    }
    int first = top + dp(STRIP_DP);
    if (y >= first) {
      press(field, row(field, (int) (4 * (y - first) / (screen.height() - first))), x / screen.width());
    }
    return true;
  }

  /** Back hides the keyboard, and does nothing else; false if it is not shown. */
  public boolean back() {
    boolean was = up && editor() != null;
    away();
    return was;
  }

  private static String row(View field, int index) {
    EditorInfo info = new EditorInfo();
    field.onCreateInputConnection(info);
    int kind = info.inputType & InputType.TYPE_MASK_CLASS;
    boolean digits =
        kind == InputType.TYPE_CLASS_NUMBER || kind == InputType.TYPE_CLASS_PHONE || kind == InputType.TYPE_CLASS_DATETIME;
    return (digits ? NUMBERS : LETTERS)[Math.max(0, Math.min(3, index))];
  }

  private void press(View field, String row, float part) {
    char key = row.charAt(Math.max(0, Math.min(row.length() - 1, (int) (part * row.length()))));
    EditorInfo info = new EditorInfo();
    InputConnection connection = field.onCreateInputConnection(info);
    if (key == NONE || connection == null) {
      return;
    }
    boolean keys = info.inputType == InputType.TYPE_NULL;
    if (key == ENTER) {
      int action = info.imeOptions & (EditorInfo.IME_MASK_ACTION | EditorInfo.IME_FLAG_NO_ENTER_ACTION);
      if (action == EditorInfo.IME_ACTION_UNSPECIFIED || action == EditorInfo.IME_ACTION_NONE || action > EditorInfo.IME_MASK_ACTION) {
        send(connection, KeyEvent.KEYCODE_ENTER);
      } else {
        connection.performEditorAction(action);
      }
    } else if (key == DELETE) {
      if (keys) {
        send(connection, KeyEvent.KEYCODE_DEL);
      } else {
        connection.deleteSurroundingText(1, 0);
      }
    } else if (keys) {
      KeyEvent[] events = KeyCharacterMap.load(KeyCharacterMap.VIRTUAL_KEYBOARD).getEvents(new char[] {key});
      for (int i = 0; events != null && i < events.length; i++) {
        connection.sendKeyEvent(events[i]);
      }
    } else {
      connection.commitText(String.valueOf(key), 1);
    }
  }

  private static void send(InputConnection connection, int code) {
    long now = SystemClock.uptimeMillis();
    connection.sendKeyEvent(new KeyEvent(now, now, KeyEvent.ACTION_DOWN, code, 0));
    connection.sendKeyEvent(new KeyEvent(now, now, KeyEvent.ACTION_UP, code, 0));
  }

  /** The field that has the focus. */
  private View editor() {
    Screen.Window window = screen.focusedWindow();
    View focus = window == null ? null : window.view.findFocus();
    return focus != null && focus.isEnabled() && focus.onCheckIsTextEditor() ? focus : null;
  }

  private int dp(int dp) {
    return Math.round(dp * android.content.res.Resources.getSystem().getDisplayMetrics().density);
  }

  private static InputMethodManager manager() {
    return RuntimeEnvironment.getApplication().getSystemService(InputMethodManager.class);
  }

  private static boolean asked() {
    ShadowInputMethodManager shadow = Shadow.extract(manager());
    return shadow.isSoftInputVisible();
  }
}
