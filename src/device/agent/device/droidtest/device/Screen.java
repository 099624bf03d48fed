package droidtest.device;

import android.graphics.Rect;
import android.os.Build;
import android.view.accessibility.AccessibilityNodeInfo;
import android.view.accessibility.AccessibilityNodeInfo.AccessibilityAction;
import android.view.accessibility.AccessibilityWindowInfo;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The windows that can take input, as the protocol's nodes; remembers which node is which. */
final class Screen {
  /** Nodes sent at most. */
  private static final int LIMIT = 5_000;
  /** Levels gone down at most. */
  private static final int DEEPEST = 200;

  private final List<AccessibilityNodeInfo> nodes = new ArrayList<>();
  private final List<Object> out = new ArrayList<>();

  /** Package of the foreground window, empty when nothing could be read. */
  String front = "";

  static Screen read(Automation automation) {
    Screen screen = new Screen();
    List<AccessibilityWindowInfo> windows = automation.windows();
    // From the top down: what is under the active window takes no input.
    for (AccessibilityWindowInfo window : windows) {
      AccessibilityNodeInfo root = isRead(window) ? window.getRoot() : null;
      if (root != null) {
        boolean first = screen.nodes.isEmpty();
        if (first || window.isActive() || window.isFocused()) {
          screen.front = String.valueOf(root.getPackageName());
        }
        screen.add(root, -1, kind(window, root), 0);
      }
      if (root != null && (window.isActive() || window.isFocused())) {
        break;
      }
    }
    if (screen.nodes.isEmpty()) {
      // Some makers give no list at all.
      AccessibilityNodeInfo root = automation.activeRoot();
      if (root != null) {
        screen.front = String.valueOf(root.getPackageName());
        screen.add(root, -1, 0, 0);
      }
    }
    return screen;
  }

  /**
   * The apps' windows, and one of the system's that has the input to itself: what says that an app does not respond is no
   * application window, and takes every touch. A keyboard takes the focus of no window.
   */
  private static boolean isRead(AccessibilityWindowInfo window) {
    int type = window.getType();
    return type == AccessibilityWindowInfo.TYPE_APPLICATION
        || type == AccessibilityWindowInfo.TYPE_SYSTEM && (window.isActive() || window.isFocused());
  }

  List<Object> json() {
    return out;
  }

  AccessibilityNodeInfo node(int index) {
    return index >= 0 && index < nodes.size() ? nodes.get(index) : null;
  }

  private static int kind(AccessibilityWindowInfo window, AccessibilityNodeInfo root) {
    Rect bounds = new Rect();
    window.getBoundsInScreen(bounds);
    if (window.getParent() != null) {
      return 2;
    }
    return bounds.left > 0 && bounds.top > 0 ? 1 : 0;
  }

  private void add(AccessibilityNodeInfo node, int parent, int window, int depth) {
    if (nodes.size() >= LIMIT || depth > DEEPEST) {
      return;
    }
    int index = nodes.size();
    nodes.add(node);
    out.add(describe(node, parent, window));
    for (int i = 0; i < node.getChildCount(); i++) {
      AccessibilityNodeInfo child = node.getChild(i);
      if (child != null) {
        add(child, index, window, depth + 1);
      }
    }
  }

  private static Map<String, Object> describe(AccessibilityNodeInfo node, int parent, int window) {
    Map<String, Object> out = new LinkedHashMap<>();
    Rect bounds = new Rect();
    node.getBoundsInScreen(bounds);
    out.put("p", parent);
    out.put("w", window);
    out.put("c", text(node.getClassName()));
    out.put("i", node.getViewIdResourceName());
    out.put("t", text(node.getText()));
    out.put("d", text(node.getContentDescription()));
    if (Build.VERSION.SDK_INT >= 26) {
      out.put("h", text(node.getHintText()));
      if (node.isShowingHintText()) {
        out.put("t", "");
      }
    }
    out.put("b", new int[] {bounds.left, bounds.top, bounds.right, bounds.bottom});
    out.put("f", flags(node));
    if (node.isEditable()) {
      out.put("it", node.getInputType());
      int longest = node.getMaxTextLength();
      if (longest >= 0) {
        out.put("ml", longest);
      }
    }
    int scrolls = scrolls(node, bounds);
    if (scrolls != 0) {
      out.put("sc", scrolls);
    }
    return out;
  }

  private static String text(CharSequence text) {
    return text == null ? "" : text.toString();
  }

  private static int flags(AccessibilityNodeInfo node) {
    return (node.isClickable() ? 1 : 0)
        | (node.isLongClickable() ? 2 : 0)
        | (node.isCheckable() ? 4 : 0)
        | (node.isChecked() ? 8 : 0)
        | (node.isEnabled() ? 16 : 0)
        | (node.isFocusable() ? 32 : 0)
        | (node.isFocused() ? 64 : 0)
        | (node.isScrollable() ? 128 : 0)
        | (node.isPassword() ? 256 : 0)
        | (node.isSelected() ? 512 : 0)
        | (node.isEditable() ? 1024 : 0)
        | (node.isVisibleToUser() ? 2048 : 0);
  }

  private static int scrolls(AccessibilityNodeInfo node, Rect bounds) {
    if (!node.isScrollable()) {
      return 0;
    }
    int found = 0;
    boolean forward = false;
    boolean backward = false;
    for (AccessibilityAction action : node.getActionList()) {
      forward |= action.getId() == AccessibilityNodeInfo.ACTION_SCROLL_FORWARD;
      backward |= action.getId() == AccessibilityNodeInfo.ACTION_SCROLL_BACKWARD;
      if (Build.VERSION.SDK_INT >= 23) {
        found |= action.equals(AccessibilityAction.ACTION_SCROLL_UP) ? 1 : 0;
        found |= action.equals(AccessibilityAction.ACTION_SCROLL_DOWN) ? 2 : 0;
        found |= action.equals(AccessibilityAction.ACTION_SCROLL_LEFT) ? 4 : 0;
        found |= action.equals(AccessibilityAction.ACTION_SCROLL_RIGHT) ? 8 : 0;
      }
    }
    if (found != 0) {
      return found;
    }
    boolean sideways = bounds.width() > 3 * bounds.height() || text(node.getClassName()).contains("Horizontal");
    return sideways ? (backward ? 4 : 0) | (forward ? 8 : 0) : (backward ? 1 : 0) | (forward ? 2 : 0);
  }
}
