package droidtest.gui;

import android.content.ActivityNotFoundException;
import android.content.Intent;
import android.net.Uri;
import android.view.MotionEvent;
import android.view.View;
import android.webkit.WebView;
import droidtest.host.web.Engine;
import java.util.List;

/**
 * Fingers on a page. Where the engine has no layout, its elements are below each other in the document's order, each as
 * wide as the view and one row high, and the page scrolls by such rows.
 */
public final class WebTouch {
  /** The height of a row in dp: what a finger can hit. */
  private static final int ROW_DP = 48;
  private static final int LONG_MS = 500;

  private final WebView view;
  private final Web web;
  private int scrolled;
  private float downX;
  private float downY;
  private float lastY;
  private boolean still;
  private int aimed = -1;
  private boolean wraps;
  private int measured;

  WebTouch(WebView view, Web web) {
    this.view = view;
    this.web = web;
  }

  /** Whether a page without a client leaves the app: the system opens it. */
  static boolean leaves(WebView view, String url) {
    String scheme = String.valueOf(Uri.parse(url).getScheme());
    if (List.of("file", "data", "about", "content", "javascript", "blob").contains(scheme)) {
      return false;
    }
    try {
      view.getContext().startActivity(new Intent(Intent.ACTION_VIEW, Uri.parse(url)).addCategory(Intent.CATEGORY_BROWSABLE));
      return true;
    } catch (ActivityNotFoundException e) {
      return false;
    }
  }

  List<Engine.Element> elements() {
    WebFrame frame = web.frame();
    return frame == null ? List.of() : frame.elements();
  }

  int row() {
    return Math.max(1, Math.round(ROW_DP * view.getResources().getDisplayMetrics().density));
  }

  /** Where an element is in the view: left, top, right, bottom. */
  int[] place(int element) {
    int[] box = elements().get(element).box();
    int top = element * row() - scrolled;
    return box != null ? box : new int[] {0, top, view.getWidth(), top + row()};
  }

  private int most() {
    return Math.max(0, elements().size() * row() - view.getHeight());
  }

  /** What a layout says of the page, as {@link Engine#extent}; null if there is none. */
  private int[] extent() {
    WebFrame frame = web.frame();
    return frame == null ? null : frame.extent();
  }

  /** The protocol's directions in which there is more. */
  int scrolls() {
    elements();
    int[] extent = extent();
    if (extent != null) {
      return (extent[0] > 0 ? 1 : 0) | (extent[0] < extent[1] ? 2 : 0);
    }
    scrolled = Math.min(scrolled, most());
    return (scrolled > 0 ? 1 : 0) | (scrolled < most() ? 2 : 0);
  }

  private int height() {
    int[] extent = extent();
    return extent != null && extent[2] > 0 ? extent[2] : Math.max(1, elements().size() * row());
  }

  void measure(int width, int height) {
    wraps = View.MeasureSpec.getMode(height) != View.MeasureSpec.EXACTLY;
    measured = height();
    int wide = View.MeasureSpec.getSize(width);
    boolean free = View.MeasureSpec.getMode(width) == View.MeasureSpec.UNSPECIFIED;
    view.new PrivateAccess()
        .setMeasuredDimension(
            free ? view.getResources().getDisplayMetrics().widthPixels : wide, View.resolveSize(measured, height));
  }

  /** The page may be another: a view that is as high as its page is laid out again. */
  void changed() {
    if (wraps && height() != measured) {
      view.requestLayout();
    }
  }

  /** The next touch of the view is for this element, wherever it is shown. */
  public static void aim(View view, int element) {
    Web.of(view).touch().aimed = element;
  }

  /** The element under a finger, -1 for none. */
  private int at(float x, float y) {
    if (extent() != null) {
      int found = -1;
      for (int i = 0; i < elements().size(); i++) {
        int[] box = elements().get(i).box();
        found = x >= box[0] && x < box[2] && y >= box[1] && y < box[3] ? i : found;
      }
      return found;
    }
    int index = (int) Math.floor((y + scrolled) / row());
    return index >= 0 && index < elements().size() ? index : -1;
  }

  boolean on(MotionEvent event) {
    WebFrame frame = web.frame();
    if (frame == null || !frame.ready()) {
      return true;
    }
    // The framework's constants are not the compiler's here.
    int action = event.getActionMasked();
    if (action == MotionEvent.ACTION_DOWN) {
      down(event);
    } else if (action == MotionEvent.ACTION_MOVE) {
      move(event);
    } else if (action == MotionEvent.ACTION_UP) {
      up(event, frame);
    } else {
      still = false;
      aimed = -1;
    }
    return true;
  }

  private void down(MotionEvent event) {
    downX = event.getX();
    downY = event.getY();
    lastY = downY;
    still = true;
    if (!view.isFocused() && view.isFocusable()) {
      view.requestFocusFromTouch();
    }
  }

  private void move(MotionEvent event) {
    int slop = android.view.ViewConfiguration.get(view.getContext()).getScaledTouchSlop();
    if (Math.abs(event.getX() - downX) > slop || Math.abs(event.getY() - downY) > slop) {
      still = false;
    }
    if (!still && extent() == null) {
      scrolled = Math.max(0, Math.min(most(), scrolled + Math.round(lastY - event.getY())));
      lastY = event.getY();
    }
  }

  private void up(MotionEvent event, WebFrame frame) {
    int element = aimed >= 0 ? aimed : at(event.getX(), event.getY());
    aimed = -1;
    boolean pressed = event.getEventTime() - event.getDownTime() >= LONG_MS;
    if (still && element >= 0) {
      frame.act(element, pressed ? "long" : "click", "");
    } else if (!still && extent() != null) {
      frame.scroll(
          Math.round(downX), Math.round(downY), Math.round(downX - event.getX()), Math.round(downY - event.getY()));
    }
    still = false;
  }

  /** A text for one of the fields, by the keyboard. */
  public static void type(View view, int element, String text, boolean enter) {
    WebFrame frame = Web.of(view).frame();
    if (frame != null) {
      frame.act(element, enter ? "enter" : "text", text);
    }
  }
}
