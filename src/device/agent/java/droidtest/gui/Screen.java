package droidtest.gui;

import android.graphics.Bitmap;
import android.graphics.Canvas;
import android.graphics.RenderNode;
import android.os.IBinder;
import android.view.Display;
import android.view.View;
import android.view.ViewRootImpl;
import android.view.WindowManager;
import android.view.WindowManagerGlobal;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.robolectric.shadow.api.Shadow;
import org.robolectric.shadows.ShadowDisplay;
import org.robolectric.shadows.ShadowViewRootImpl;
import org.robolectric.util.ReflectionHelpers;

/** The windows of the app, as the window manager stacks them. */
public final class Screen {
  /** Room for the number of a window in its layer; a process has at most some dozens. */
  private static final int WINDOW_BITS = 9;
  private static final int SYSTEM_LAYER = 1 << 3 * WINDOW_BITS;

  /** One window that is on the screen. */
  public static final class Window {
    public final ViewRootImpl root;
    public final View view;
    public final WindowManager.LayoutParams params;
    final int index;
    public final int x;
    public final int y;

    Window(ViewRootImpl root, WindowManager.LayoutParams params, int index) {
      this.root = root;
      this.params = params;
      this.index = index;
      view = root.getView();
      int[] at = new int[2];
      view.getLocationOnScreen(at);
      x = at[0];
      y = at[1];
    }

    boolean has(int flag) {
      return (params.flags & flag) != 0;
    }

    boolean focusable() {
      return !has(WindowManager.LayoutParams.FLAG_NOT_FOCUSABLE);
    }

    boolean touchable() {
      return !has(WindowManager.LayoutParams.FLAG_NOT_TOUCHABLE);
    }

    /** Takes every touch, also those next to it. */
    boolean modal() {
      return focusable() && !has(WindowManager.LayoutParams.FLAG_NOT_TOUCH_MODAL);
    }

    boolean contains(float px, float py) {
      return px >= x && py >= y && px < x + view.getWidth() && py < y + view.getHeight();
    }

    /** The protocol's window kind. */
    int kind() {
      if (params.type == WindowManager.LayoutParams.TYPE_BASE_APPLICATION) {
        return 0;
      }
      if (params.type == WindowManager.LayoutParams.TYPE_APPLICATION) {
        return 1;
      }
      return params.type >= WindowManager.LayoutParams.FIRST_SUB_WINDOW
              && params.type <= WindowManager.LayoutParams.LAST_SUB_WINDOW
          ? 2
          : 3;
    }
  }

  private ViewRootImpl focused;

  /** All shown windows, the topmost first. */
  public List<Window> windows() {
    WindowManagerGlobal global = WindowManagerGlobal.getInstance();
    List<ViewRootImpl> roots = ReflectionHelpers.getField(global, "mRoots");
    List<WindowManager.LayoutParams> params = ReflectionHelpers.getField(global, "mParams");
    List<Window> windows = new ArrayList<>(roots.size());
    for (int i = 0; i < roots.size(); i++) {
      View view = roots.get(i).getView();
      if (view != null && view.getVisibility() == View.VISIBLE && view.isAttachedToWindow()
          && ownerShown(view, params.get(i), roots, params)) {
        windows.add(new Window(roots.get(i), params.get(i), i));
      }
    }
    windows.sort(Comparator.comparingInt((Window window) -> layer(window, windows)).reversed());
    return windows;
  }

  /**
   * The windows of one activity lie together, its below its dialogs (also those that were shown first, in {@code
   * onCreate}), and activities in the order of their windows; a panel is on its parent window.
   */
  private static int layer(Window window, List<Window> windows) {
    int type = window.params.type;
    if (type > WindowManager.LayoutParams.LAST_SUB_WINDOW) {
      return SYSTEM_LAYER + window.index;
    }
    Window owner = window;
    for (int depth = 0; depth < 4; depth++) {
      Window parent = parent(owner, windows);
      if (parent == null) {
        break;
      }
      owner = parent;
    }
    Window base = owner;
    for (Window other : windows) {
      if (isBase(other.params) && other.params.token == owner.params.token) {
        base = other;
      }
    }
    int dialog = owner == base ? 0 : owner.index + 1;
    int panel = owner == window ? 0 : window.index + 1;
    return ((base.index << WINDOW_BITS | dialog) << WINDOW_BITS) + panel;
  }

  private static boolean isBase(WindowManager.LayoutParams params) {
    return params.type == WindowManager.LayoutParams.TYPE_BASE_APPLICATION;
  }

  private static Window parent(Window window, List<Window> windows) {
    int type = window.params.type;
    if (type < WindowManager.LayoutParams.FIRST_SUB_WINDOW) {
      return null;
    }
    for (Window other : windows) {
      if (other != window && other.view.getWindowToken() == window.params.token) {
        return other;
      }
    }
    return null;
  }

  /** Dialogs and panels of an activity that is not shown are not shown either. */
  private static boolean ownerShown(
      View view, WindowManager.LayoutParams own, List<ViewRootImpl> roots, List<WindowManager.LayoutParams> params) {
    IBinder token = view.getApplicationWindowToken();
    for (int i = 0; i < roots.size(); i++) {
      View other = roots.get(i).getView();
      if (other == null || other == view) {
        continue;
      }
      boolean dialogOf = own.type == WindowManager.LayoutParams.TYPE_APPLICATION
          && isBase(params.get(i)) && params.get(i).token == own.token;
      if (dialogOf || other.getWindowToken() == token) {
        return other.getVisibility() == View.VISIBLE;
      }
    }
    return true;
  }

  /** The windows that can receive input, the topmost first. */
  public List<Window> reachable() {
    List<Window> reachable = new ArrayList<>();
    for (Window window : windows()) {
      if (!window.touchable()) {
        continue;
      }
      reachable.add(window);
      if (window.modal()) {
        break;
      }
    }
    return reachable;
  }

  /** The window that gets keys. */
  public Window focusedWindow() {
    for (Window window : windows()) {
      if (window.focusable()) {
        return window;
      }
    }
    return null;
  }

  /** Tells the windows who has the focus now, as the window manager does; gives the one that has it. */
  public Window focus() {
    Window now = focusedWindow();
    ViewRootImpl root = now == null ? null : now.root;
    if (root == focused) {
      return now;
    }
    if (focused != null && focused.getView() != null) {
      tell(focused, false);
    }
    focused = root;
    if (root != null) {
      tell(root, true);
    }
    return now;
  }

  private static void tell(ViewRootImpl root, boolean has) {
    ((ShadowViewRootImpl) Shadow.extract(root)).callWindowFocusChanged(has);
    // Immediately: a menu whose window loses the focus late interprets the next key as a shortcut.
    ReflectionHelpers.callInstanceMethod(ViewRootImpl.class, root, "handleWindowFocusChanged");
  }

  private static Display display() {
    return ShadowDisplay.getDefaultDisplay();
  }

  public int rotation() {
    return display().getRotation();
  }

  @SuppressWarnings("deprecation")
  public int width() {
    return display().getWidth();
  }

  @SuppressWarnings("deprecation")
  public int height() {
    return display().getHeight();
  }

  /** Draws all windows into a PNG file. */
  public void capture(String path) throws IOException {
    Bitmap picture = Bitmap.createBitmap(width(), height(), Bitmap.Config.ARGB_8888);
    Canvas canvas = new Sheet(picture);
    List<Window> windows = windows();
    for (int i = windows.size() - 1; i >= 0; i--) {
      Window window = windows.get(i);
      if (window.view.getWidth() > 0 && window.view.getHeight() > 0) {
        if (window.has(WindowManager.LayoutParams.FLAG_DIM_BEHIND)) {
          canvas.drawARGB((int) (window.params.dimAmount * 255), 0, 0, 0);
        }
        canvas.save();
        canvas.translate(window.x, window.y);
        window.view.draw(canvas);
        canvas.restore();
      }
    }
    try (OutputStream out = new FileOutputStream(path)) {
      picture.compress(Bitmap.CompressFormat.PNG, 100, out);
    }
    picture.recycle();
  }

  /** Leaves out what only the graphics processor of a device can draw: a canvas on a bitmap refuses it. */
  private static final class Sheet extends Canvas {
    Sheet(Bitmap picture) {
      super(picture);
    }

    @Override
    public void drawRenderNode(RenderNode node) {}
  }
}
