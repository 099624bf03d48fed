package droidtest.app;

import android.graphics.ImageFormat;
import android.media.Image;
import android.media.ImageReader;
import android.view.Surface;
import droidtest.gui.Textures;
import java.lang.ref.WeakReference;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.annotation.RealObject;
import org.robolectric.shadow.api.Shadow;
import org.robolectric.shadows.ShadowImageReader;
import org.robolectric.util.ReflectionHelpers;
import org.robolectric.util.ReflectionHelpers.ClassParameter;

/** Readers of images, to which the camera delivers grey ones of their format and size. */
@Implements(ImageReader.class)
public class CameraImages extends ShadowImageReader {
  private static final Map<Surface, WeakReference<CameraImages>> READERS = Collections.synchronizedMap(new WeakHashMap<>());
  private static final byte GREY = (byte) 128;
  /** {@code ImageReader.ACQUIRE_NO_BUFS}. */
  private static final int NO_IMAGES = 1;
  private static ByteBuffer grey = ByteBuffer.allocateDirect(0);

  @RealObject private ImageReader reader;
  /** When the images were taken that the app has not acquired, in nanoseconds. */
  private final ArrayDeque<Long> times = new ArrayDeque<>();
  private int acquired;
  private boolean closed;

  /** Whether the camera can deliver one more image now. */
  static boolean takes(Surface target) {
    CameraImages images = of(target);
    return images == null || images.takes();
  }

  /** A frame for a surface: of a reader, or of a texture. */
  static void show(Surface target, long time) {
    CameraImages images = of(target);
    if (images != null) {
      images.add(time);
    } else {
      Textures.show(target);
    }
  }

  /** Weak, since the surface leads to the reader, and that to the app. */
  private static CameraImages of(Surface target) {
    WeakReference<CameraImages> images = READERS.get(target);
    return images == null ? null : images.get();
  }

  private synchronized boolean takes() {
    return closed || times.size() + acquired < reader.getMaxImages();
  }

  private void add(long time) {
    synchronized (this) {
      if (closed) {
        return;
      }
      times.add(time);
      ReflectionHelpers.<AtomicLong>getField(this, "availableBuffers").incrementAndGet();
    }
    ReflectionHelpers.callStaticMethod(
        ImageReader.class, "postEventFromNative", ClassParameter.from(Object.class, new WeakReference<>(reader)));
  }

  @Override
  @Implementation
  protected void close() {
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
      times.clear();
    }
    reader.setOnImageAvailableListener(null, null);
    List<Image> acquired = ReflectionHelpers.getField(reader, "mAcquiredImages");
    List.copyOf(acquired).forEach(Image::close);
    ReflectionHelpers.setField(reader, "mIsReaderValid", false);
    super.close();
  }

  @Override
  @Implementation
  protected Surface nativeGetSurface() {
    Surface surface = super.nativeGetSurface();
    READERS.put(surface, new WeakReference<>(this));
    return surface;
  }

  @Override
  @Implementation(minSdk = 34, methodName = "nativeImageSetup")
  protected synchronized int nativeImageSetupFromU(Image image) {
    if (closed) {
      return NO_IMAGES;
    }
    int status = super.nativeImageSetupFromU(image);
    if (status == 0) {
      acquired++;
      Long time = times.poll();
      if (time != null) {
        ((ShadowSurfaceImage) Shadow.extract(image)).setTimeStamp(time);
      }
    }
    return status;
  }

  @Override
  @Implementation
  protected synchronized void nativeReleaseImage(Image image) {
    acquired--;
    super.nativeReleaseImage(image);
  }

  /** An image of a reader. */
  @Implements(className = "android.media.ImageReader$SurfaceImage", isInAndroidSdk = false)
  public static class OfImage extends ShadowSurfaceImage {
    @RealObject private Image image;

    @Implementation
    protected Object nativeCreatePlanes(int planes, int format, long usage) throws ReflectiveOperationException {
      Class<?> type = Class.forName("android.media.ImageReader$SurfaceImage$SurfacePlane");
      Constructor<?> make = type.getDeclaredConstructor(image.getClass(), int.class, int.class, ByteBuffer.class);
      make.setAccessible(true);
      Object made = Array.newInstance(type, planes);
      int width = image.getWidth();
      int height = image.getHeight();
      for (int i = 0; i < planes; i++) {
        Object plane;
        if (image.getFormat() == ImageFormat.JPEG) {
          byte[] bytes = Jpeg.grey(width, height);
          ByteBuffer buffer = ByteBuffer.allocateDirect(bytes.length).put(bytes);
          buffer.flip();
          plane = make.newInstance(image, 0, 0, buffer);
        } else if (planes == 3) {
          int half = i == 0 ? 1 : 2;
          plane = make.newInstance(image, width / half, 1, grey(width / half * (height / half)));
        } else {
          plane = make.newInstance(image, width * 4, 4, grey(width * height * 4));
        }
        Array.set(made, i, plane);
      }
      return made;
    }
  }

  /** Shared, since readers of images do not write to them. */
  private static synchronized ByteBuffer grey(int length) {
    if (grey.capacity() < length) {
      ByteBuffer larger = ByteBuffer.allocateDirect(length);
      while (larger.hasRemaining()) {
        larger.put(GREY);
      }
      grey = larger;
    }
    ByteBuffer shared = grey.duplicate();
    shared.position(0).limit(length);
    return shared.slice();
  }
}
