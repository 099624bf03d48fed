package droidtest.gui;

import android.graphics.Rect;
import android.os.Bundle;
import android.view.accessibility.AccessibilityNodeInfo;
import android.view.accessibility.AccessibilityNodeInfo.AccessibilityAction;
import android.view.accessibility.AccessibilityNodeProvider;
import android.view.inputmethod.EditorInfo;
import android.view.inputmethod.InputConnection;
import java.util.HashSet;
import java.util.Set;
import java.util.function.LongConsumer;

/** Text for a field that no view is behind. */
public final class VirtualTyping {
  /** Some frames, in which a field that was tapped takes the focus and opens its connection to the input method. */
  private static final long FOCUS_MS = 64;

  private static final int NONE = Integer.MIN_VALUE;

  private VirtualTyping() {}

  /**
   * Replaces the field's text; null when done, else why not. A field takes the text as an accessibility service gives it; where
   * it refuses, through its input connection.
   */
  public static String text(Page.Node field, String text, boolean action, LongConsumer wait) {
    wait.accept(FOCUS_MS);
    Bundle arguments = new Bundle();
    arguments.putCharSequence(AccessibilityNodeInfo.ACTION_ARGUMENT_SET_TEXT_CHARSEQUENCE, text);
    boolean set =
        field.view.isAttachedToWindow()
            && field.provider.performAction(now(field), AccessibilityNodeInfo.ACTION_SET_TEXT, arguments);
    if (!set && !typed(field, text)) {
      return "node takes no text any more";
    }
    if (action) {
      wait.accept(FOCUS_MS);
      perform(field);
    }
    return null;
  }

  /** The field's id since the tap: that of the field in its place, else of the one that has the focus, else as it was. */
  private static int now(Page.Node field) {
    int[] found = {NONE, field.virtual};
    Rect at = new Rect();
    find(field, AccessibilityNodeProvider.HOST_VIEW_ID, at, found, new HashSet<>());
    return found[0] != NONE ? found[0] : found[1];
  }

  private static void find(Page.Node field, int id, Rect at, int[] found, Set<Integer> seen) {
    boolean again = !seen.add(id) || seen.size() > Virtual.NODES;
    AccessibilityNodeInfo node = again ? null : field.provider.createAccessibilityNodeInfo(id);
    if (node == null) {
      return;
    }
    if (node.isEditable()) {
      node.getBoundsInScreen(at);
      if (at.contains(field.visible.centerX(), field.visible.centerY())) {
        found[0] = id;
      }
      if (node.isFocused()) {
        found[1] = id;
      }
    }
    for (int i = 0; i < node.getChildCount(); i++) {
      int child = AccessibilityNodeInfo.getVirtualDescendantId(node.getChildId(i));
      if (child != AccessibilityNodeProvider.HOST_VIEW_ID) {
        find(field, child, at, found, seen);
      }
    }
  }

  private static boolean typed(Page.Node field, String text) {
    EditorInfo info = new EditorInfo();
    InputConnection connection = connect(field, info);
    if (connection == null) {
      return false;
    }
    connection.beginBatchEdit();
    connection.performContextMenuAction(android.R.id.selectAll);
    connection.commitText(text, 1);
    connection.endBatchEdit();
    return true;
  }

  private static void perform(Page.Node field) {
    EditorInfo info = new EditorInfo();
    InputConnection connection = connect(field, info);
    if (connection == null) {
      field.provider.performAction(now(field), AccessibilityAction.ACTION_IME_ENTER.getId(), null);
      return;
    }
    int id = info.actionId != 0 ? info.actionId : info.imeOptions & EditorInfo.IME_MASK_ACTION;
    connection.performEditorAction(id == EditorInfo.IME_ACTION_UNSPECIFIED ? EditorInfo.IME_ACTION_DONE : id);
  }

  private static InputConnection connect(Page.Node field, EditorInfo info) {
    boolean edits = field.view.isAttachedToWindow() && field.view.onCheckIsTextEditor();
    return edits ? field.view.onCreateInputConnection(info) : null;
  }
}
