package droidtest.gui;

import android.graphics.Matrix;
import android.graphics.Rect;
import android.graphics.RectF;
import android.view.View;
import android.view.ViewGroup;
import android.view.accessibility.AccessibilityNodeProvider;
import android.widget.AbsListView;
import android.widget.AdapterView;
import android.widget.ExpandableListView;
import android.widget.NumberPicker;
import android.widget.TextView;
import android.webkit.WebView;
import droidtest.host.Json;
import java.util.ArrayList;
import java.util.List;

/** Reads the windows that can receive input into the protocol's node list. */
public final class Page {
  static final int CLICKABLE = 1;
  static final int LONG_CLICKABLE = 2;
  static final int CHECKABLE = 4;
  static final int CHECKED = 8;
  static final int ENABLED = 16;
  static final int FOCUSABLE = 32;
  static final int FOCUSED = 64;
  static final int SCROLLABLE = 128;
  static final int PASSWORD = 256;
  static final int SELECTED = 512;
  static final int EDITABLE = 1024;
  static final int VISIBLE = 2048;
  static final int VIRTUAL = 4096;
  private static final int UNIMPORTANT = 8192;
  private static final int NO_MENU = 16384;

  private static final int ITEM_CLICK = 32;
  private static final int ITEM_LONG_CLICK = 64;

  private StringBuilder json = new StringBuilder();
  private StringBuilder previous = new StringBuilder();
  private List<Node> nodes = new ArrayList<>();
  private Screen.Window window;
  private Screen.Window focused;
  private final Virtual virtual = new Virtual(this);
  private int screenWidth;
  private boolean offers;
  private String pane;
  private long drawn;
  private long drawnBefore;
  private int screenHeight;

  /** A node of the last page, to act on. */
  public static final class Node {
    public final View view;
    public final Screen.Window window;
    public final Rect visible;
    /** Who acts on a virtual node; null for a view. */
    public final AccessibilityNodeProvider provider;
    /** The provider's name for it, until the next composition. */
    public final int virtual;
    /** Which of the elements of a web view's page it is; -1 for all other nodes. */
    public final int element;

    Node(View view, Screen.Window window, Rect visible, AccessibilityNodeProvider provider, int virtual) {
      this(view, window, visible, provider, virtual, -1);
    }

    Node(View view, Screen.Window window, Rect visible, AccessibilityNodeProvider provider, int virtual, int element) {
      this.element = element;
      this.view = view;
      this.window = window;
      this.visible = visible;
      this.provider = provider;
      this.virtual = virtual;
    }
  }

  /** Reads the page; true when it differs from the one read before. */
  public boolean read(Screen screen) {
    StringBuilder swap = previous;
    previous = json;
    json = swap;
    json.setLength(0);
    nodes = new ArrayList<>(nodes.size() + 16);
    screenWidth = screen.width();
    screenHeight = screen.height();
    Rect all = new Rect(0, 0, screenWidth, screenHeight);
    focused = null;
    offers = false;
    pane = null;
    drawnBefore = drawn;
    drawn = 0;
    virtual.begin();
    for (Screen.Window one : screen.reachable()) {
      window = one;
      focused = focused == null && one.focusable() ? one : focused;
      Rect frame = new Rect(one.x, one.y, one.x + one.view.getWidth(), one.y + one.view.getHeight());
      Rect clip = new Rect(all);
      if (!clip.intersect(frame)) {
        clip.setEmpty();
      }
      node(one.view, null, -1, one.x, one.y, clip);
    }
    return json.compareTo(previous) != 0;
  }

  /** Whether the last page has anything to touch. */
  public boolean offers() {
    return offers;
  }

  /** Whether the app's views and pictures changed since the last reading. */
  public boolean redrawn() {
    return drawn != drawnBefore;
  }

  /** The title of the pane on top among the virtual nodes; null if none has one. */
  public String pane() {
    return pane;
  }

  void pane(String title) {
    pane = title;
  }

  public CharSequence json() {
    return json;
  }

  /** The node with this index; null when there is none. */
  public Node node(int index) {
    return index >= 0 && index < nodes.size() ? nodes.get(index) : null;
  }

  private void node(View view, View parent, int parentIndex, float left, float top, Rect clip) {
    if (view.getVisibility() != View.VISIBLE) {
      return;
    }
    Rect visible = new Rect(Math.round(left), Math.round(top), Math.round(left + view.getWidth()), Math.round(top + view.getHeight()));
    if (!visible.intersect(clip)) {
      visible.set(visible.left, visible.top, visible.left, visible.top);
    }
    int index = begin(new Node(view, window, visible, null, -1), parentIndex);
    write(view, parent, visible);
    boolean named = !(view instanceof WebView) && virtual.write(view, index, visible);
    if (!visible.isEmpty() && !named) {
      drawn = drawn * 31 + Drawn.of(view);
    }
    if (view instanceof WebView) {
      elements((WebView) view, index, left, top, visible);
      return;
    }
    if (!(view instanceof ViewGroup)) {
      return;
    }
    ViewGroup group = (ViewGroup) view;
    Rect inner = group.getClipChildren() ? visible : clip;
    for (int i = 0; i < group.getChildCount(); i++) {
      View child = group.getChildAt(i);
      if (child == null || named && virtual.placed(child)) {
        continue;
      }
      float x = left + child.getLeft() - group.getScrollX();
      float y = top + child.getTop() - group.getScrollY();
      Matrix matrix = child.getMatrix();
      if (!matrix.isIdentity()) {
        RectF mapped = new RectF(0, 0, child.getWidth(), child.getHeight());
        matrix.mapRect(mapped);
        x += mapped.left;
        y += mapped.top;
      }
      node(child, group, index, x, y, inner);
    }
  }

  /** What a web view's page shows. */
  private void elements(WebView view, int index, float left, float top, Rect visible) {
    WebNodes.Page page =
        new WebNodes.Page() {
          @Override
          public int next() {
            json.append(',');
            return nodes.size();
          }

          @Override
          public void add(int element, Rect shown) {
            nodes.add(new Node(view, window, shown, null, -1, element));
          }
        };
    offers |= WebNodes.write(json, page, view, index, window.kind(), left, top, visible);
  }

  /** Starts a node; gives its index. */
  int begin(Node node, int parentIndex) {
    nodes.add(node);
    if (json.length() > 0) {
      json.append(',');
    }
    json.append("{\"p\":").append(parentIndex).append(",\"w\":").append(window.kind());
    return nodes.size() - 1;
  }

  /** A view that hangs below a virtual node. */
  void view(View view, int parentIndex, float x, float y, Rect clip) {
    node(view, null, parentIndex, x, y, clip);
  }

  Screen.Window window() {
    return window;
  }

  private void write(View view, View parent, Rect visible) {
    String kind = String.valueOf(view.getAccessibilityClassName());
    string("c", kind);
    String own = view.getClass().getName();
    if (!own.equals(kind)) {
      string("vc", own);
    }
    String id = id(view);
    if (id != null) {
      string("i", id);
    }
    int flags = flags(view, visible);
    int listeners = Listeners.of(view);
    if (view == window.view && window == focused && !MenuKey.heard(window)) {
      flags |= NO_MENU;
    }
    if (view instanceof AbsListView) {
      // Clickable for its touch handling only: its accessibility node says that it is not.
      flags &= ~(CLICKABLE | LONG_CLICKABLE);
      listeners &= ~Listeners.CONTEXT_MENU;
    }
    if (parent instanceof AdapterView) {
      AdapterView<?> list = (AdapterView<?>) parent;
      // A list leaves touches to an item that holds something focusable.
      boolean on =
          view.isEnabled() && list.isEnabled() && itemEnabled(list, view)
              && !(list instanceof AbsListView && view.hasExplicitFocusable());
      if (on && takesClicks(list)) {
        listeners |= ITEM_CLICK;
        flags |= CLICKABLE;
      }
      if (on && list.isLongClickable()) {
        // The list's listener, its choice mode or its context menu: all of them are about the item.
        listeners |= list.getOnItemLongClickListener() != null ? ITEM_LONG_CLICK : Listeners.of(list) & Listeners.CONTEXT_MENU;
        flags |= LONG_CLICKABLE;
      }
    }
    texts(view);
    int scroll = view instanceof ViewGroup || view.isScrollContainer() ? scroll(view) : 0;
    end(visible, scroll != 0 ? flags | SCROLLABLE : flags, scroll, listeners);
  }

  /** What all nodes have, views or not. */
  void end(Rect visible, int flags, int scroll, int listeners) {
    json.append(",\"b\":[").append(visible.left).append(',').append(visible.top).append(',');
    json.append(visible.right).append(',').append(visible.bottom).append(']');
    if (scroll != 0) {
      json.append(",\"sc\":").append(scroll);
    }
    int live = ENABLED | VISIBLE;
    offers |= (flags & live) == live && ((flags & (CLICKABLE | LONG_CLICKABLE | EDITABLE)) | scroll | listeners) != 0;
    json.append(",\"f\":").append(flags);
    if (listeners != 0) {
      json.append(",\"l\":").append(listeners);
    }
    json.append('}');
  }

  /** Groups of an expandable list open by themselves, and a list of choices chooses. */
  private static boolean takesClicks(AdapterView<?> list) {
    return list.getOnItemClickListener() != null
        || list instanceof ExpandableListView
        || list instanceof AbsListView && ((AbsListView) list).getChoiceMode() != AbsListView.CHOICE_MODE_NONE;
  }

  private static boolean itemEnabled(AdapterView<?> list, View item) {
    if (!(list instanceof AbsListView) || list.getAdapter() == null) {
      return true;
    }
    int position = list.getPositionForView(item);
    android.widget.ListAdapter adapter = ((AbsListView) list).getAdapter();
    return position >= 0 && position < adapter.getCount() && adapter.isEnabled(position);
  }

  private void texts(View view) {
    CharSequence description = view.getContentDescription();
    if (description != null && description.length() > 0) {
      string("d", description);
    }
    if (!(view instanceof TextView)) {
      return;
    }
    TextView text = (TextView) view;
    CharSequence shown = text.getText();
    if (shown != null && shown.length() > 0) {
      string("t", password(text) ? "\u2022".repeat(Math.min(1000, shown.length())) : shown);
    }
    CharSequence hint = text.getHint();
    if (hint != null && hint.length() > 0) {
      string("h", hint);
    }
    if (text.onCheckIsTextEditor()) {
      json.append(",\"it\":").append(text.getInputType());
      json.append(",\"ia\":").append(text.getImeOptions() & android.view.inputmethod.EditorInfo.IME_MASK_ACTION);
      for (android.text.InputFilter filter : text.getFilters()) {
        if (filter instanceof android.text.InputFilter.LengthFilter) {
          json.append(",\"ml\":").append(((android.text.InputFilter.LengthFilter) filter).getMax());
        }
      }
    }
  }

  private static boolean password(TextView text) {
    return text.getTransformationMethod() instanceof android.text.method.PasswordTransformationMethod;
  }

  private static int scroll(View view) {
    if (view instanceof WebView) {
      return Web.of(view).touch().scrolls();
    }
    if (view instanceof NumberPicker) {
      // It turns under the finger, whatever it says about scrolling.
      return 1 | 2;
    }
    try {
      return (view.canScrollVertically(-1) ? 1 : 0)
          | (view.canScrollVertically(1) ? 2 : 0)
          | (view.canScrollHorizontally(-1) ? 4 : 0)
          | (view.canScrollHorizontally(1) ? 8 : 0);
    } catch (RuntimeException | LinkageError e) {
      // Compose runs the app's semantics here. On a phone this query does not occur, so it is not a crash of the app.
      return 0;
    }
  }

  private static int flags(View view, Rect visible) {
    int flags = view.isClickable() ? CLICKABLE : 0;
    flags |= view.isLongClickable() ? LONG_CLICKABLE : 0;
    if (view instanceof android.widget.Checkable) {
      flags |= ((android.widget.Checkable) view).isChecked() ? CHECKABLE | CHECKED : CHECKABLE;
    }
    flags |= view.isEnabled() ? ENABLED : 0;
    flags |= view.isFocusable() ? FOCUSABLE : 0;
    flags |= view.isFocused() ? FOCUSED : 0;
    flags |= view.isSelected() ? SELECTED : 0;
    if (view instanceof TextView) {
      flags |= password((TextView) view) ? PASSWORD : 0;
      flags |= view.onCheckIsTextEditor() ? EDITABLE : 0;
    }
    flags |= visible.isEmpty() ? 0 : VISIBLE;
    return view.isImportantForAccessibility() ? flags : flags | UNIMPORTANT;
  }

  private static String id(View view) {
    String named = SystemName.of(view);
    if (named != null) {
      return named;
    }
    int id = view.getId();
    if (id == View.NO_ID || id >>> 24 == 0 || view.getResources() == null) {
      return null;
    }
    try {
      return view.getResources().getResourceName(id);
    } catch (android.content.res.Resources.NotFoundException e) {
      return null;
    }
  }

  void number(String name, int value) {
    json.append(",\"").append(name).append("\":").append(value);
  }

  void string(String name, CharSequence value) {
    json.append(",\"").append(name).append("\":");
    Json.text(json, value);
  }
}
