package org.droidtest.probe;

import android.content.Context;
import android.graphics.Bitmap;
import android.graphics.BlendMode;
import android.graphics.Canvas;
import android.graphics.Color;
import android.graphics.Paint;
import android.graphics.Path;
import android.graphics.PorterDuff;
import android.graphics.RectF;
import android.graphics.text.MeasuredText;
import android.view.View;
import android.widget.LinearLayout;

/** Draws one thing after another, each in two ways that a person can tell apart. */
public final class StrokesActivity extends Screen {
    private int kind = -1;
    private int step;

    private interface Stroke {
        /** @param n 0 or 1 */
        void draw(Canvas canvas, Paint paint, int n);
    }

    private static final Stroke[] STROKES = {
        (canvas, paint, n) -> canvas.drawTextRun(n == 0 ? "one" : "two", 0, 3, 0, 3, 5, 40, false, paint),
        (canvas, paint, n) -> canvas.drawTextRun((n == 0 ? "one" : "two").toCharArray(), 0, 3, 0, 3, 5, 40, false, paint),
        (canvas, paint, n) -> canvas.drawTextRun(measured(n == 0 ? "i" : "m", paint), 0, 1, 0, 1, 5, 40, false, paint),
        (canvas, paint, n) -> canvas.drawTextOnPath(n == 0 ? "one" : "two", line(), 0, 0, paint),
        (canvas, paint, n) -> canvas.drawPosText(n == 0 ? "ab" : "cd", new float[] {5, 40, 30, 40}, paint),
        (canvas, paint, n) -> canvas.drawOval(5, 5, 50 + n, 50, paint),
        (canvas, paint, n) -> canvas.drawArc(5, 5, 50, 50, 0, 90 + n, true, paint),
        (canvas, paint, n) -> canvas.drawDoubleRoundRect(new RectF(0, 0, 90, 90), 5, 5, new RectF(9, 9, 40 + n, 40), 5, 5, paint),
        (canvas, paint, n) -> canvas.drawPoints(new float[] {5, 5, 20 + n, 20}, paint),
        (canvas, paint, n) -> canvas.drawLines(new float[] {0, 0, 5, 5, 20 + n, 20}, 2, 4, paint),
        (canvas, paint, n) -> canvas.drawPath(chart(n), paint),
        (canvas, paint, n) -> canvas.drawPaint(tinted(paint, n)),
        (canvas, paint, n) -> canvas.drawColor(Color.RED, n == 0 ? PorterDuff.Mode.ADD : PorterDuff.Mode.SRC),
        (canvas, paint, n) -> canvas.drawColor(n == 0 ? Color.RED : Color.BLUE, BlendMode.SRC_OVER),
        (canvas, paint, n) -> canvas.drawBitmap(new int[] {Color.RED, n}, 0, 1, 5, 5, 1, 2, true, paint),
        (canvas, paint, n) -> canvas.drawBitmapMesh(bitmap(), 1, 1, new float[] {0, 0, 50 + n, 0, 0, 50, 50, 50}, 0, null, 0, paint),
        (canvas, paint, n) -> canvas.drawVertices(Canvas.VertexMode.TRIANGLES, 6, new float[] {0, 0, 50, 0, 0, 50 + n}, 0, null, 0, null, 0, null, 0, 0, paint),
        (canvas, paint, n) -> {
            canvas.skew(n * .1f, 0);
            canvas.drawRect(0, 0, 50, 50, paint);
        },
    };

    @Override
    void fill() {
        View drawing = new Drawing(this);
        button(R.id.kind, () -> {
            kind++;
            step = 0;
            drawing.invalidate();
            result(kind < STROKES.length ? "stroke " + kind : "all");
        });
        button(R.id.step, () -> {
            step ^= 1;
            drawing.invalidate();
        });
        add(drawing);
        drawing.setLayoutParams(new LinearLayout.LayoutParams(-1, 100));
    }

    private static MeasuredText measured(String text, Paint paint) {
        return new MeasuredText.Builder(text.toCharArray()).appendStyleRun(paint, text.length(), false).build();
    }

    private static Path line() {
        Path path = new Path();
        path.moveTo(5, 40);
        path.lineTo(90, 40);
        return path;
    }

    /** Both have the same bounds. */
    private static Path chart(int n) {
        Path path = new Path();
        path.moveTo(0, 0);
        path.lineTo(30 + 10 * n, 60);
        path.lineTo(60, 30);
        path.lineTo(90, 80);
        return path;
    }

    private static Paint tinted(Paint paint, int n) {
        paint.setColor(n == 0 ? Color.GREEN : Color.YELLOW);
        return paint;
    }

    private static Bitmap bitmap() {
        return Bitmap.createBitmap(4, 4, Bitmap.Config.ARGB_8888);
    }

    private final class Drawing extends View {
        Drawing(Context context) {
            super(context);
        }

        @Override
        protected void onDraw(Canvas canvas) {
            if (kind >= 0 && kind < STROKES.length) {
                Paint paint = new Paint();
                paint.setTextSize(20);
                STROKES[kind].draw(canvas, paint, step);
            }
        }
    }
}
