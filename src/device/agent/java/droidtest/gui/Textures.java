package droidtest.gui;

import android.graphics.Bitmap;
import android.graphics.Canvas;
import android.graphics.Rect;
import android.graphics.SurfaceTexture;
import android.os.Looper;
import android.view.Surface;
import android.view.TextureView;
import droidtest.host.box.Clock;
import java.lang.ref.WeakReference;
import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.annotation.RealObject;
import org.robolectric.shadow.api.Shadow;
import org.robolectric.shadows.ShadowNativeSurface;
import org.robolectric.shadows.ShadowTextureView;
import org.robolectric.util.ReflectionHelpers;
import org.robolectric.util.ReflectionHelpers.ClassParameter;

/**
 * A view that shows a texture. As on Android it has one once it is drawn, although the canvas is not of hardware. What
 * an app draws on it goes to a picture in memory.
 */
@Implements(TextureView.class)
public class Textures extends ShadowTextureView {
  private static final Map<SurfaceTexture, WeakReference<TextureView>> VIEWS =
      Collections.synchronizedMap(new WeakHashMap<>());

  @RealObject private TextureView view;
  private Bitmap picture;
  private boolean locked;

  /** The surface has a new frame. */
  public static void show(Surface surface) {
    SurfaceTexture texture = ((OfSurface) Shadow.extract(surface)).texture;
    if (texture != null) {
      show(texture);
    }
  }

  private static void show(SurfaceTexture texture) {
    WeakReference<TextureView> reference = VIEWS.get(texture);
    TextureView view = reference == null ? null : reference.get();
    if (view == null) {
      ReflectionHelpers.callStaticMethod(
          SurfaceTexture.class, "postEventFromNative",
          ClassParameter.from(WeakReference.class, new WeakReference<>(texture)));
    } else {
      view.post(() -> updated(view, texture));
    }
  }

  private static void updated(TextureView view, SurfaceTexture texture) {
    TextureView.SurfaceTextureListener listener = view.getSurfaceTextureListener();
    if (listener != null && view.getSurfaceTexture() == texture) {
      listener.onSurfaceTextureUpdated(texture);
    }
  }

  @Implementation
  protected void draw(Canvas canvas) {
    Shadow.directlyOn(view, TextureView.class, "draw", ClassParameter.from(Canvas.class, canvas));
    SurfaceTexture texture = view.getSurfaceTexture();
    if (texture != null) {
      // The app may have moved it here from another view.
      VIEWS.put(texture, new WeakReference<>(view));
    } else if (view.getWidth() > 0 && view.getHeight() > 0) {
      begin(view.getWidth(), view.getHeight());
    }
  }

  private void begin(int width, int height) {
    SurfaceTexture texture = new SurfaceTexture(false);
    texture.setDefaultBufferSize(width, height);
    ReflectionHelpers.setField(TextureView.class, view, "mSurface", texture);
    VIEWS.put(texture, new WeakReference<>(view));
    TextureView.SurfaceTextureListener listener = view.getSurfaceTextureListener();
    if (listener != null) {
      listener.onSurfaceTextureAvailable(texture, width, height);
    }
  }

  @Implementation
  protected Canvas lockCanvas(Rect dirty) {
    int width = view.getWidth();
    int height = view.getHeight();
    if (!view.isAvailable() || locked || width <= 0 || height <= 0) {
      return null;
    }
    locked = true;
    picture = HashingCanvas.sized(picture, width, height);
    HashingCanvas hashing = new HashingCanvas(picture);
    hashing.restart();
    return hashing;
  }

  @Implementation
  protected void unlockCanvasAndPost(Canvas canvas) {
    if (!locked) {
      return;
    }
    locked = false;
    if (canvas instanceof HashingCanvas) {
      Drawn.shows(view, ((HashingCanvas) canvas).hash());
    }
    if (view.isAvailable()) {
      show(view.getSurfaceTexture());
    }
    if (Looper.myLooper() != Looper.getMainLooper()) {
      Clock.sleepOn(Surfaces.FRAME_MS);
    }
  }

  /** Knows the texture that it writes to. */
  @Implements(Surface.class)
  public static class OfSurface extends ShadowNativeSurface {
    @RealObject private Surface surface;
    private SurfaceTexture texture;

    @Implementation
    protected void __constructor__(SurfaceTexture texture) {
      Shadow.invokeConstructor(Surface.class, surface, ClassParameter.from(SurfaceTexture.class, texture));
      this.texture = texture;
    }
  }
}
