package droidtest.gui;

import android.graphics.Picture;
import android.os.SystemClock;
import android.view.View;
import java.util.Map;
import java.util.WeakHashMap;
import org.robolectric.util.ReflectionHelpers;

/**
 * Draws what has become dirty, as the display's frames do on a device. Robolectric has no surface and so never draws, but
 * much of an app lives there: the code of custom views, scrollers (pagers, drawers and flings move on in
 * {@code computeScroll}), listeners for the first draw. The frames are recorded, not painted: nobody sees them, and a
 * recording costs next to nothing. On the way {@link Drawn} learns what the app's views show.
 */
public final class Frames {
  private final Screen screen;
  /** Width and height of what was drawn last. */
  private final Map<View, Long> drawn = new WeakHashMap<>();

  public Frames(Screen screen) {
    this.screen = screen;
  }

  /** One frame of every window that needs it; passes on what the app throws while it draws. */
  public void draw() {
    for (Screen.Window window : screen.windows()) {
      View view = window.view;
      long size = (long) view.getWidth() << 32 | view.getHeight();
      if (view.getWidth() <= 0 || view.getHeight() <= 0 || view.isLayoutRequested()) {
        continue;
      }
      Long before = drawn.put(view, size);
      if (view.isDirty() || before == null || before != size) {
        // Animations of views request this frame's time.
        Object attached = ReflectionHelpers.getField(view, "mAttachInfo");
        ReflectionHelpers.setField(attached, "mDrawingTime", SystemClock.uptimeMillis());
        HashingCanvas hashing = new HashingCanvas(new Picture(), view.getWidth(), view.getHeight());
        try {
          view.getViewTreeObserver().dispatchOnDraw();
          view.draw(hashing);
        } finally {
          hashing.end();
        }
      }
    }
  }
}
