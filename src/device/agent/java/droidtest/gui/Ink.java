package droidtest.gui;

import android.graphics.Bitmap;
import android.graphics.Canvas;
import android.graphics.Matrix;
import android.graphics.NinePatch;
import android.graphics.Paint;
import android.graphics.Path;
import android.graphics.Picture;
import android.graphics.Rect;
import android.graphics.RectF;
import android.graphics.RenderNode;
import android.util.LruCache;
import org.robolectric.util.ReflectionHelpers;
import org.robolectric.util.ReflectionHelpers.ClassParameter;

/**
 * A canvas that tells what is drawn on it by one number: two drawings of the same things at the same places have the same.
 * It looks at the calls, not at pixels, which are never made for frames that nobody sees.
 */
public final class Ink extends Canvas {
  /** Sum of a few of a bitmap's pixels, by its generation. */
  private static final LruCache<Integer, Integer> PIXELS = new LruCache<>(512);

  private static final int SAMPLES = 6;

  /** Referenced, since a garbage-collected picture loses its recording; null on a bitmap. */
  private final Picture picture;
  private long hash;

  /** Starts a picture's recording; {@link #end} ends it. */
  Ink(Picture picture, int width, int height) {
    super(begin(picture, width, height));
    this.picture = picture;
  }

  private static long begin(Picture picture, int width, int height) {
    return ReflectionHelpers.<Long>callStaticMethod(
        Picture.class,
        "nativeBeginRecording",
        ClassParameter.from(long.class, ReflectionHelpers.<Long>getField(picture, "mNativePicture")),
        ClassParameter.from(int.class, width),
        ClassParameter.from(int.class, height));
  }

  void end() {
    ReflectionHelpers.callStaticMethod(
        Picture.class,
        "nativeEndRecording",
        ClassParameter.from(long.class, ReflectionHelpers.<Long>getField(picture, "mNativePicture")));
  }

  Ink(Bitmap bitmap) {
    super(bitmap);
    picture = null;
  }

  /** The known bitmap if it has this size, else a new one. */
  static Bitmap sized(Bitmap known, int width, int height) {
    boolean fits = known != null && known.getWidth() == width && known.getHeight() == height;
    return fits ? known : Bitmap.createBitmap(width, height, Bitmap.Config.ARGB_8888);
  }

  /** What was drawn since {@link #restart}. */
  long hash() {
    return hash;
  }

  /** Resets; returns the previous state, for {@link #resume}. */
  long restart() {
    long before = hash;
    hash = 1;
    return before;
  }

  void resume(long before) {
    hash = before;
  }

  private void mix(long value) {
    hash = (hash ^ value) * 0x9E3779B97F4A7C15L;
    hash ^= hash >>> 32;
  }

  private void mix(int kind, Paint paint, float... numbers) {
    mix(kind);
    if (paint != null) {
      mix(paint.getColor() * 31L + paint.getStyle().ordinal());
    }
    for (float number : numbers) {
      mix(Float.floatToRawIntBits(number));
    }
  }

  private void mix(CharSequence text, int start, int end) {
    for (int i = start; i < end; i++) {
      mix(text.charAt(i));
    }
  }

  private void mix(Bitmap bitmap) {
    if (bitmap == null || bitmap.isRecycled()) {
      mix(0);
      return;
    }
    int generation = bitmap.getGenerationId();
    Integer known = PIXELS.get(generation);
    if (known == null) {
      known = sample(bitmap, generation);
      PIXELS.put(generation, known);
    }
    mix(known);
  }

  private static int sample(Bitmap bitmap, int generation) {
    int width = bitmap.getWidth();
    int height = bitmap.getHeight();
    if (bitmap.getConfig() == Bitmap.Config.HARDWARE) {
      return generation;
    }
    int sum = width * 31 + height;
    for (int y = 0; y < SAMPLES; y++) {
      for (int x = 0; x < SAMPLES; x++) {
        sum = sum * 31 + bitmap.getPixel((2 * x + 1) * width / (2 * SAMPLES), (2 * y + 1) * height / (2 * SAMPLES));
      }
    }
    return sum;
  }

  @Override
  public void translate(float dx, float dy) {
    mix(1, null, dx, dy);
    super.translate(dx, dy);
  }

  @Override
  public void scale(float sx, float sy) {
    mix(2, null, sx, sy);
    super.scale(sx, sy);
  }

  @Override
  public void rotate(float degrees) {
    mix(3, null, degrees);
    super.rotate(degrees);
  }

  @Override
  public void concat(Matrix matrix) {
    if (matrix != null) {
      float[] values = new float[9];
      matrix.getValues(values);
      mix(4, null, values);
    }
    super.concat(matrix);
  }

  @Override
  public void drawColor(int color) {
    mix(5);
    mix(color);
    super.drawColor(color);
  }

  @Override
  public void drawRect(float left, float top, float right, float bottom, Paint paint) {
    mix(6, paint, left, top, right, bottom);
    super.drawRect(left, top, right, bottom, paint);
  }

  @Override
  public void drawRect(Rect rect, Paint paint) {
    mix(6, paint, rect.left, rect.top, rect.right, rect.bottom);
    super.drawRect(rect, paint);
  }

  @Override
  public void drawRect(RectF rect, Paint paint) {
    mix(6, paint, rect.left, rect.top, rect.right, rect.bottom);
    super.drawRect(rect, paint);
  }

  @Override
  public void drawRoundRect(RectF rect, float rx, float ry, Paint paint) {
    mix(7, paint, rect.left, rect.top, rect.right, rect.bottom, rx, ry);
    super.drawRoundRect(rect, rx, ry, paint);
  }

  @Override
  public void drawRoundRect(float left, float top, float right, float bottom, float rx, float ry, Paint paint) {
    mix(7, paint, left, top, right, bottom, rx, ry);
    super.drawRoundRect(left, top, right, bottom, rx, ry, paint);
  }

  @Override
  public void drawCircle(float x, float y, float radius, Paint paint) {
    mix(8, paint, x, y, radius);
    super.drawCircle(x, y, radius, paint);
  }

  @Override
  public void drawOval(RectF oval, Paint paint) {
    mix(9, paint, oval.left, oval.top, oval.right, oval.bottom);
    super.drawOval(oval, paint);
  }

  @Override
  public void drawArc(RectF oval, float start, float sweep, boolean center, Paint paint) {
    mix(10, paint, oval.left, oval.top, oval.right, oval.bottom, start, sweep);
    super.drawArc(oval, start, sweep, center, paint);
  }

  @Override
  public void drawLine(float x1, float y1, float x2, float y2, Paint paint) {
    mix(11, paint, x1, y1, x2, y2);
    super.drawLine(x1, y1, x2, y2, paint);
  }

  @Override
  public void drawLines(float[] points, Paint paint) {
    mix(11, paint, points);
    super.drawLines(points, paint);
  }

  @Override
  public void drawPoint(float x, float y, Paint paint) {
    mix(12, paint, x, y);
    super.drawPoint(x, y, paint);
  }

  @Override
  public void drawPath(Path path, Paint paint) {
    RectF bounds = new RectF();
    path.computeBounds(bounds, true);
    mix(13, paint, bounds.left, bounds.top, bounds.right, bounds.bottom);
    super.drawPath(path, paint);
  }

  @Override
  public void drawBitmap(Bitmap bitmap, float left, float top, Paint paint) {
    mix(14, paint, left, top);
    mix(bitmap);
    super.drawBitmap(bitmap, left, top, paint);
  }

  @Override
  public void drawBitmap(Bitmap bitmap, Rect from, RectF to, Paint paint) {
    mix(14, paint, to.left, to.top, to.right, to.bottom);
    mix(from == null ? 0 : from.hashCode());
    mix(bitmap);
    super.drawBitmap(bitmap, from, to, paint);
  }

  @Override
  public void drawBitmap(Bitmap bitmap, Rect from, Rect to, Paint paint) {
    mix(14, paint, to.left, to.top, to.right, to.bottom);
    mix(from == null ? 0 : from.hashCode());
    mix(bitmap);
    super.drawBitmap(bitmap, from, to, paint);
  }

  @Override
  public void drawBitmap(Bitmap bitmap, Matrix matrix, Paint paint) {
    float[] values = new float[9];
    matrix.getValues(values);
    mix(14, paint, values);
    mix(bitmap);
    super.drawBitmap(bitmap, matrix, paint);
  }

  @Override
  public void drawPatch(NinePatch patch, Rect to, Paint paint) {
    mix(15, paint, to.left, to.top, to.right, to.bottom);
    mix(patch.getBitmap());
    super.drawPatch(patch, to, paint);
  }

  @Override
  public void drawPicture(Picture picture) {
    mix(16, null, picture.getWidth(), picture.getHeight());
    super.drawPicture(picture);
  }

  /** Drawn by the graphics processor on a device, and refused by a canvas without one. Its commands cannot be read. */
  @Override
  public void drawRenderNode(RenderNode node) {
    mix(18, null, node.getLeft(), node.getTop(), node.getWidth(), node.getHeight(), node.getAlpha());
  }

  @Override
  public void drawText(String text, float x, float y, Paint paint) {
    mix(17, paint, x, y);
    mix(text, 0, text.length());
    super.drawText(text, x, y, paint);
  }

  @Override
  public void drawText(String text, int start, int end, float x, float y, Paint paint) {
    mix(17, paint, x, y);
    mix(text, start, end);
    super.drawText(text, start, end, x, y, paint);
  }

  @Override
  public void drawText(CharSequence text, int start, int end, float x, float y, Paint paint) {
    mix(17, paint, x, y);
    mix(text, start, end);
    super.drawText(text, start, end, x, y, paint);
  }

  @Override
  public void drawText(char[] text, int index, int count, float x, float y, Paint paint) {
    mix(17, paint, x, y);
    mix(java.nio.CharBuffer.wrap(text), index, index + count);
    super.drawText(text, index, count, x, y, paint);
  }
}
