package droidtest.gui;

import android.graphics.BlendMode;
import android.graphics.Bitmap;
import android.graphics.Canvas;
import android.graphics.Matrix;
import android.graphics.Paint;
import android.graphics.Path;
import android.graphics.PorterDuff;
import android.graphics.Rect;
import android.graphics.RectF;
import java.util.Arrays;

/**
 * A canvas that tells what is drawn on it by one number: two drawings of the same things at the same places have the same.
 * It looks at the calls, not at pixels, which are never made for frames that nobody sees. Here are the number, the matrix and
 * the shapes.
 */
abstract class ShapeHashingCanvas extends Canvas {
  private long hash;

  /** @param pointer a canvas of the native library's */
  ShapeHashingCanvas(long pointer) {
    super(pointer);
  }

  ShapeHashingCanvas(Bitmap bitmap) {
    super(bitmap);
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

  final void mix(long value) {
    hash = (hash ^ value) * 0x9E3779B97F4A7C15L;
    hash ^= hash >>> 32;
  }

  final void mix(int kind, Paint paint, float... numbers) {
    mix(kind);
    if (paint != null) {
      mix(paint.getColor() * 31L + paint.getStyle().ordinal());
    }
    for (float number : numbers) {
      mix(Float.floatToRawIntBits(number));
    }
  }

  final void mix(CharSequence text, int start, int end) {
    for (int i = start; i < end; i++) {
      mix(text.charAt(i));
    }
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
  public void drawColor(int color, PorterDuff.Mode mode) {
    mix(5);
    mix(color * 31L + mode.ordinal());
    super.drawColor(color, mode);
  }

  @Override
  public void drawColor(int color, BlendMode mode) {
    mix(5);
    mix(color * 31L + mode.ordinal());
    super.drawColor(color, mode);
  }

  @Override
  public void drawColor(long color, BlendMode mode) {
    mix(5);
    mix(color * 31 + mode.ordinal());
    super.drawColor(color, mode);
  }

  @Override
  public void skew(float sx, float sy) {
    mix(24, null, sx, sy);
    super.skew(sx, sy);
  }

  @Override
  public void setMatrix(Matrix matrix) {
    if (matrix != null) {
      float[] values = new float[9];
      matrix.getValues(values);
      mix(25, null, values);
    }
    super.setMatrix(matrix);
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
  public void drawOval(float left, float top, float right, float bottom, Paint paint) {
    mix(9, paint, left, top, right, bottom);
    super.drawOval(left, top, right, bottom, paint);
  }

  @Override
  public void drawArc(
      float left, float top, float right, float bottom, float start, float sweep, boolean center, Paint paint) {
    mix(10, paint, left, top, right, bottom, start, sweep);
    super.drawArc(left, top, right, bottom, start, sweep, center, paint);
  }

  @Override
  public void drawDoubleRoundRect(RectF outer, float rx, float ry, RectF inner, float innerX, float innerY, Paint paint) {
    mix(23, paint, outer.left, outer.top, outer.right, outer.bottom, rx, ry);
    mix(23, paint, inner.left, inner.top, inner.right, inner.bottom, innerX, innerY);
    super.drawDoubleRoundRect(outer, rx, ry, inner, innerX, innerY, paint);
  }

  @Override
  public void drawDoubleRoundRect(RectF outer, float[] outerRadii, RectF inner, float[] innerRadii, Paint paint) {
    mix(23, paint, outer.left, outer.top, outer.right, outer.bottom);
    mix(23, paint, outerRadii);
    mix(23, paint, inner.left, inner.top, inner.right, inner.bottom);
    mix(23, paint, innerRadii);
    super.drawDoubleRoundRect(outer, outerRadii, inner, innerRadii, paint);
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
  public void drawLines(float[] points, int offset, int count, Paint paint) {
    mix(11, paint, Arrays.copyOfRange(points, offset, offset + count));
    super.drawLines(points, offset, count, paint);
  }

  @Override
  public void drawPoints(float[] points, Paint paint) {
    mix(12, paint, points);
    super.drawPoints(points, paint);
  }

  @Override
  public void drawPoints(float[] points, int offset, int count, Paint paint) {
    mix(12, paint, Arrays.copyOfRange(points, offset, offset + count));
    super.drawPoints(points, offset, count, paint);
  }

  @Override
  public void drawPaint(Paint paint) {
    mix(22, paint);
    super.drawPaint(paint);
  }

  @Override
  public void drawPath(Path path, Paint paint) {
    mix(13, paint);
    mix(path);
    super.drawPath(path, paint);
  }

  /** Its lines to within a pixel: two charts with the same bounds are not the same picture. */
  final void mix(Path path) {
    for (float number : path.approximate(1)) {
      mix(Float.floatToRawIntBits(number));
    }
  }
}
