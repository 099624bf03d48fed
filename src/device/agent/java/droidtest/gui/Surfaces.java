package droidtest.gui;

import android.graphics.Bitmap;
import android.graphics.Canvas;
import android.graphics.PixelFormat;
import android.graphics.Rect;
import android.graphics.SurfaceTexture;
import android.view.Surface;
import android.view.SurfaceHolder;
import android.view.SurfaceView;
import android.view.View;
import droidtest.host.box.Clock;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.annotation.RealObject;
import org.robolectric.shadows.ShadowSurfaceView;

/**
 * A surface that exists as long as its view is shown: games wait for it before they do anything. What is drawn on it goes
 * to a picture in memory; each frame takes as long as one does on a screen, on the virtual clock.
 */
@Implements(value = SurfaceView.class)
public class Surfaces extends ShadowSurfaceView {
  /** What a frame takes that is drawn outside the main thread. */
  static final int FRAME_MS = 16;

  @RealObject private SurfaceView real;
  private final Holder holder = new Holder();
  private boolean created;
  private int width;
  private int height;

  @Override
  @Implementation
  protected void onAttachedToWindow() {
    real.getViewTreeObserver()
        .addOnPreDrawListener(
            () -> {
              updateSurface();
              return true;
            });
  }

  @Override
  @Implementation
  protected SurfaceHolder getHolder() {
    return holder;
  }

  /** The framework calls this whenever size or visibility may have changed. */
  @Implementation
  protected void updateSurface() {
    boolean shown = real.isAttachedToWindow() && real.getWindowVisibility() == View.VISIBLE && real.isShown();
    int newWidth = holder.fixedWidth > 0 ? holder.fixedWidth : real.getWidth();
    int newHeight = holder.fixedHeight > 0 ? holder.fixedHeight : real.getHeight();
    if (created && !shown) {
      created = false;
      for (SurfaceHolder.Callback callback : holder.callbacks) {
        callback.surfaceDestroyed(holder);
      }
      holder.drop();
      return;
    }
    if (!shown || newWidth <= 0 || newHeight <= 0) {
      return;
    }
    boolean fresh = !created;
    created = true;
    if (!fresh && newWidth == width && newHeight == height) {
      return;
    }
    width = newWidth;
    height = newHeight;
    for (SurfaceHolder.Callback callback : holder.callbacks) {
      if (fresh) {
        callback.surfaceCreated(holder);
      }
      callback.surfaceChanged(holder, PixelFormat.RGBA_8888, width, height);
    }
  }

  private final class Holder implements SurfaceHolder {
    private final CopyOnWriteArrayList<Callback> callbacks = new CopyOnWriteArrayList<>();
    private final ReentrantLock lock = new ReentrantLock();
    private final Surface surface = new Surface(new SurfaceTexture(0));
    private int fixedWidth;
    private int fixedHeight;
    private Bitmap picture;

    @Override
    public void addCallback(Callback callback) {
      callbacks.addIfAbsent(callback);
    }

    @Override
    public void removeCallback(Callback callback) {
      callbacks.remove(callback);
    }

    @Override
    public boolean isCreating() {
      return false;
    }

    @Override
    @Deprecated
    public void setType(int type) {
      // Long without meaning.
    }

    @Override
    public void setFixedSize(int width, int height) {
      fixedWidth = width;
      fixedHeight = height;
      real.requestLayout();
    }

    @Override
    public void setSizeFromLayout() {
      setFixedSize(0, 0);
    }

    @Override
    public void setFormat(int format) {
      // The picture is always the same.
    }

    @Override
    public void setKeepScreenOn(boolean on) {
      real.setKeepScreenOn(on);
    }

    @Override
    public Canvas lockCanvas() {
      return lockCanvas(null);
    }

    @Override
    public Canvas lockCanvas(Rect dirty) {
      lock.lock();
      if (!created) {
        lock.unlock();
        return null;
      }
      picture = HashingCanvas.sized(picture, width, height);
      HashingCanvas hashing = new HashingCanvas(picture);
      hashing.restart();
      return hashing;
    }

    @Override
    public void unlockCanvasAndPost(Canvas canvas) {
      if (canvas instanceof HashingCanvas) {
        Drawn.shows(real, ((HashingCanvas) canvas).hash());
      }
      lock.unlock();
      if (android.os.Looper.myLooper() != android.os.Looper.getMainLooper()) {
        Clock.sleepOn(FRAME_MS);
      }
    }

    @Override
    public Rect getSurfaceFrame() {
      return new Rect(0, 0, width, height);
    }

    @Override
    public Surface getSurface() {
      return surface;
    }

    void drop() {
      picture = null;
    }
  }
}
