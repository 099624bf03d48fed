package droidtest.gui;

import android.graphics.Bitmap;
import android.graphics.Matrix;
import android.graphics.NinePatch;
import android.graphics.Paint;
import android.graphics.Path;
import android.graphics.Picture;
import android.graphics.Rect;
import android.graphics.RectF;
import android.graphics.RenderNode;
import android.graphics.fonts.Font;
import android.graphics.text.MeasuredText;
import android.util.LruCache;
import java.util.Arrays;
import org.robolectric.util.ReflectionHelpers;
import org.robolectric.util.ReflectionHelpers.ClassParameter;

/** The canvas that frames and pictures are drawn on: what {@link ShapeHashingCanvas} does for bitmaps, pictures and texts. */
public final class HashingCanvas extends ShapeHashingCanvas {
  /** Sum of a few of a bitmap's pixels, by its generation. */
  private static final LruCache<Integer, Integer> PIXELS = new LruCache<>(512);

  private static final int SAMPLES = 6;

  /** Referenced, since a garbage-collected picture loses its recording; null on a bitmap. */
  private final Picture picture;

  /** Starts a picture's recording; {@link #end} ends it. */
  HashingCanvas(Picture picture, int width, int height) {
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

  HashingCanvas(Bitmap bitmap) {
    super(bitmap);
    picture = null;
  }

  /** The known bitmap if it has this size, else a new one. */
  static Bitmap sized(Bitmap known, int width, int height) {
    boolean fits = known != null && known.getWidth() == width && known.getHeight() == height;
    return fits ? known : Bitmap.createBitmap(width, height, Bitmap.Config.ARGB_8888);
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
  public void drawPatch(NinePatch patch, RectF to, Paint paint) {
    mix(15, paint, to.left, to.top, to.right, to.bottom);
    mix(patch.getBitmap());
    super.drawPatch(patch, to, paint);
  }

  @Override
  public void drawBitmap(
      int[] colors, int offset, int stride, float x, float y, int width, int height, boolean alpha, Paint paint) {
    mix(14, paint, x, y, width, height);
    sample(colors, offset, stride, width, height);
    super.drawBitmap(colors, offset, stride, x, y, width, height, alpha, paint);
  }

  private void sample(int[] colors, int offset, int stride, int width, int height) {
    for (int y = 0; y < SAMPLES && width > 0; y++) {
      for (int x = 0; x < SAMPLES && height > 0; x++) {
        int column = (2 * x + 1) * width / (2 * SAMPLES);
        int row = (2 * y + 1) * height / (2 * SAMPLES);
        mix(colors[offset + row * stride + column]);
      }
    }
  }

  @Override
  public void drawBitmapMesh(
      Bitmap bitmap, int width, int height, float[] places, int place, int[] colors, int color, Paint paint) {
    mix(26, paint, Arrays.copyOfRange(places, place, place + 2 * (width + 1) * (height + 1)));
    mix(bitmap);
    super.drawBitmapMesh(bitmap, width, height, places, place, colors, color, paint);
  }

  @Override
  public void drawVertices(
      VertexMode mode, int count, float[] places, int place, float[] textures, int texture, int[] colors, int color,
      short[] indices, int index, int indexCount, Paint paint) {
    mix(27, paint, Arrays.copyOfRange(places, place, place + count));
    if (colors != null) {
      for (int i = 0; i < count / 2; i++) {
        mix(colors[color + i]);
      }
    }
    super.drawVertices(
        mode, count, places, place, textures, texture, colors, color, indices, index, indexCount, paint);
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
  public void drawTextRun(
      CharSequence text, int start, int end, int from, int to, float x, float y, boolean rightToLeft, Paint paint) {
    mix(17, paint, x, y, rightToLeft ? 1 : 0);
    mix(text, start, end);
    super.drawTextRun(text, start, end, from, to, x, y, rightToLeft, paint);
  }

  @Override
  public void drawTextRun(
      char[] text, int index, int count, int from, int length, float x, float y, boolean rightToLeft, Paint paint) {
    mix(17, paint, x, y, rightToLeft ? 1 : 0);
    mix(java.nio.CharBuffer.wrap(text), index, index + count);
    super.drawTextRun(text, index, count, from, length, x, y, rightToLeft, paint);
  }

  /** The measured text keeps its characters to itself: its widths stand for them. */
  @Override
  public void drawTextRun(
      MeasuredText text, int start, int end, int from, int to, float x, float y, boolean rightToLeft, Paint paint) {
    mix(17, paint, x, y, rightToLeft ? 1 : 0);
    for (int i = start; i < end; i++) {
      mix(Float.floatToRawIntBits(text.getCharWidthAt(i)));
    }
    super.drawTextRun(text, start, end, from, to, x, y, rightToLeft, paint);
  }

  @Override
  public void drawTextOnPath(String text, Path path, float across, float along, Paint paint) {
    onPath(path, across, along, paint);
    mix(text, 0, text.length());
    super.drawTextOnPath(text, path, across, along, paint);
  }

  @Override
  public void drawTextOnPath(char[] text, int index, int count, Path path, float across, float along, Paint paint) {
    onPath(path, across, along, paint);
    mix(java.nio.CharBuffer.wrap(text), index, index + count);
    super.drawTextOnPath(text, index, count, path, across, along, paint);
  }

  private void onPath(Path path, float across, float along, Paint paint) {
    mix(19, paint, across, along);
    mix(path);
  }

  @Override
  @Deprecated
  public void drawPosText(String text, float[] places, Paint paint) {
    mix(20, paint, places);
    mix(text, 0, text.length());
    super.drawPosText(text, places, paint);
  }

  @Override
  @Deprecated
  public void drawPosText(char[] text, int index, int count, float[] places, Paint paint) {
    mix(20, paint, places);
    mix(java.nio.CharBuffer.wrap(text), index, index + count);
    super.drawPosText(text, index, count, places, paint);
  }

  @Override
  public void drawGlyphs(int[] glyphs, int index, float[] places, int place, int count, Font font, Paint paint) {
    mix(21, paint);
    for (int i = 0; i < count; i++) {
      mix(glyphs[index + i]);
      mix(Float.floatToRawIntBits(places[place + 2 * i]));
      mix(Float.floatToRawIntBits(places[place + 2 * i + 1]));
    }
    super.drawGlyphs(glyphs, index, places, place, count, font, paint);
  }

  @Override
  public void drawText(char[] text, int index, int count, float x, float y, Paint paint) {
    mix(17, paint, x, y);
    mix(java.nio.CharBuffer.wrap(text), index, index + count);
    super.drawText(text, index, count, x, y, paint);
  }
}
