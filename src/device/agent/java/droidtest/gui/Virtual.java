package droidtest.gui;

import android.graphics.Rect;
import android.view.View;
import android.view.ViewGroup;
import android.view.accessibility.AccessibilityNodeInfo;
import android.view.accessibility.AccessibilityNodeInfo.AccessibilityAction;
import android.view.accessibility.AccessibilityNodeProvider;
import android.view.inputmethod.EditorInfo;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/**
 * The widgets that a view draws itself and names to accessibility services only: all of a Jetpack Compose page, the parts of
 * a chart or a keyboard. Their ids change with each composition and serve to act on them, never to recognise them.
 */
final class Virtual {
  /** The maximum per page: a provider may name more without end. */
  static final int NODES = 10_000;
  private static final int DEPTH = 100;

  private final Page page;
  private final Rect bounds = new Rect();
  private final Set<Integer> seen = new HashSet<>();
  /** Real views in the tree of virtual nodes, at the position named by their host. */
  private final Set<View> placed = Collections.newSetFromMap(new IdentityHashMap<>());
  private int left;

  Virtual(Page page) {
    this.page = page;
  }

  void begin() {
    placed.clear();
    left = NODES;
  }

  /** Writes what the view names below itself; false if that is nothing. */
  boolean write(View host, int index, Rect clip) {
    // The framework's are lists' and calendars', which are read as views or by points.
    if (host.getClass().getClassLoader() == View.class.getClassLoader()) {
      return false;
    }
    try {
      AccessibilityNodeProvider provider = host.getAccessibilityNodeProvider();
      AccessibilityNodeInfo root =
          provider == null ? null : provider.createAccessibilityNodeInfo(AccessibilityNodeProvider.HOST_VIEW_ID);
      if (root == null || root.getChildCount() == 0) {
        return false;
      }
      seen.clear();
      return children(host, provider, root, index, clip, 0);
    } catch (RuntimeException | LinkageError e) {
      // No accessibility service runs on a phone: an exception here is not a visible crash.
      return false;
    }
  }

  /** Whether a child of such a view has its place among the virtual nodes, or only holds such. */
  boolean placed(View child) {
    if (placed.contains(child)) {
      return true;
    }
    if (!(child instanceof ViewGroup) || child.isClickable()) {
      return false;
    }
    ViewGroup group = (ViewGroup) child;
    for (int i = 0; i < group.getChildCount(); i++) {
      if (!placed.contains(group.getChildAt(i))) {
        return false;
      }
    }
    return true;
  }

  private boolean children(
      View host, AccessibilityNodeProvider provider, AccessibilityNodeInfo node, int index, Rect clip, int depth) {
    boolean any = false;
    for (int i = 0; i < node.getChildCount() && depth < DEPTH; i++) {
      long id = node.getChildId(i);
      int virtual = AccessibilityNodeInfo.getVirtualDescendantId(id);
      if (virtual == AccessibilityNodeProvider.HOST_VIEW_ID) {
        any |= real(host, AccessibilityNodeInfo.getAccessibilityViewId(id), index, clip);
        continue;
      }
      AccessibilityNodeInfo child = --left > 0 && seen.add(virtual) ? provider.createAccessibilityNodeInfo(virtual) : null;
      if (child == null) {
        continue;
      }
      Rect visible = new Rect();
      child.getBoundsInScreen(visible);
      if (!visible.intersect(clip)) {
        visible.set(visible.left, visible.top, visible.left, visible.top);
      }
      int own = page.begin(new Page.Node(host, page.window(), visible, provider, virtual), index);
      write(host, child, visible);
      children(host, provider, child, own, clip, depth + 1);
      any = true;
    }
    return any;
  }

  /** A view of the app's within what the host draws. */
  private boolean real(View host, int id, int index, Rect clip) {
    View view = host instanceof ViewGroup ? find((ViewGroup) host, id) : null;
    if (view == null || !placed.add(view)) {
      return false;
    }
    int[] at = new int[2];
    view.getLocationOnScreen(at);
    // There may be another such host inside.
    Set<Integer> around = new HashSet<>(seen);
    page.view(view, index, at[0], at[1], clip);
    seen.clear();
    seen.addAll(around);
    return true;
  }

  private static View find(ViewGroup group, int id) {
    for (int i = 0; i < group.getChildCount(); i++) {
      View child = group.getChildAt(i);
      if (child != null && child.getAccessibilityViewId() == id) {
        return child;
      }
      View inside = child instanceof ViewGroup ? find((ViewGroup) child, id) : null;
      if (inside != null) {
        return inside;
      }
    }
    return null;
  }

  private void write(View host, AccessibilityNodeInfo node, Rect visible) {
    CharSequence type = node.getClassName();
    page.string("c", type == null || type.length() == 0 ? "android.view.View" : type);
    String id = node.getViewIdResourceName();
    if (id != null && !id.isEmpty()) {
      page.string("i", id);
    }
    boolean hinting = node.isShowingHintText();
    texts(node, hinting);
    int flags = flags(host, node, visible);
    int scroll = scroll(node);
    flags |= scroll != 0 ? Page.SCROLLABLE : 0;
    // A slider's value is where the finger is.
    boolean slides = node.getRangeInfo() != null && node.getActionList().contains(AccessibilityAction.ACTION_SET_PROGRESS);
    page.end(visible, flags, scroll, slides ? Listeners.OWN_TOUCH : 0);
  }

  private void texts(AccessibilityNodeInfo node, boolean hinting) {
    CharSequence text = node.getText();
    CharSequence hint = hinting ? text : node.getHintText();
    if (!hinting && text != null && text.length() > 0) {
      page.string("t", node.isPassword() ? "\u2022".repeat(Math.min(1000, text.length())) : text);
    }
    CharSequence description = node.getContentDescription();
    if (description != null && description.length() > 0) {
      page.string("d", description);
    }
    if (hint != null && hint.length() > 0) {
      page.string("h", hint);
    }
    CharSequence state = node.getStateDescription();
    if (state != null && state.length() > 0) {
      page.string("st", state);
    }
    Semantics.write(page, node);
    if (node.isEditable()) {
      page.number("it", node.getInputType());
      page.number("ia", node.getActionList().contains(AccessibilityAction.ACTION_IME_ENTER) ? EditorInfo.IME_ACTION_DONE : 0);
      if (node.getMaxTextLength() > 0) {
        page.number("ml", node.getMaxTextLength());
      }
    }
  }

  private static int flags(View host, AccessibilityNodeInfo node, Rect visible) {
    int flags = Page.VIRTUAL;
    flags |= node.isClickable() ? Page.CLICKABLE : 0;
    flags |= node.isLongClickable() ? Page.LONG_CLICKABLE : 0;
    flags |= node.isCheckable() ? Page.CHECKABLE : 0;
    flags |= node.isChecked() ? Page.CHECKED : 0;
    flags |= node.isEnabled() && host.isEnabled() ? Page.ENABLED : 0;
    flags |= node.isFocusable() ? Page.FOCUSABLE : 0;
    flags |= node.isFocused() ? Page.FOCUSED : 0;
    flags |= node.isPassword() ? Page.PASSWORD : 0;
    flags |= node.isSelected() ? Page.SELECTED : 0;
    flags |= node.isEditable() ? Page.EDITABLE : 0;
    flags |= visible.isEmpty() || !node.isVisibleToUser() ? 0 : Page.VISIBLE;
    // A chip names itself once more among its parts.
    boolean again = visible.width() >= host.getWidth() && visible.height() >= host.getHeight();
    flags &= again && host.isClickable() ? ~(Page.CLICKABLE | Page.LONG_CLICKABLE) : ~0;
    return flags;
  }

  /** Where there is more, as the protocol has it. */
  private static int scroll(AccessibilityNodeInfo node) {
    if (!node.isScrollable()) {
      return 0;
    }
    List<AccessibilityAction> can = node.getActionList();
    int bits =
        (has(can, AccessibilityAction.ACTION_SCROLL_UP, AccessibilityAction.ACTION_PAGE_UP) ? 1 : 0)
            | (has(can, AccessibilityAction.ACTION_SCROLL_DOWN, AccessibilityAction.ACTION_PAGE_DOWN) ? 2 : 0)
            | (has(can, AccessibilityAction.ACTION_SCROLL_LEFT, AccessibilityAction.ACTION_PAGE_LEFT) ? 4 : 0)
            | (has(can, AccessibilityAction.ACTION_SCROLL_RIGHT, AccessibilityAction.ACTION_PAGE_RIGHT) ? 8 : 0);
    if (bits != 0) {
      return bits;
    }
    // Older toolkits name no direction.
    String type = String.valueOf(node.getClassName());
    boolean across = type.contains("Horizontal") || type.contains("Pager");
    boolean back = can.contains(AccessibilityAction.ACTION_SCROLL_BACKWARD);
    boolean on = can.contains(AccessibilityAction.ACTION_SCROLL_FORWARD);
    return across ? (back ? 4 : 0) | (on ? 8 : 0) : (back ? 1 : 0) | (on ? 2 : 0);
  }

  private static boolean has(List<AccessibilityAction> can, AccessibilityAction one, AccessibilityAction other) {
    return can.contains(one) || can.contains(other);
  }
}
