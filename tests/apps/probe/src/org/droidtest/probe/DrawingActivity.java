package org.droidtest.probe;

import android.content.Context;
import android.graphics.Bitmap;
import android.graphics.Canvas;
import android.graphics.Color;
import android.graphics.Paint;
import android.graphics.Picture;
import android.graphics.RenderNode;
import android.opengl.GLSurfaceView;
import android.os.SystemClock;
import android.view.View;
import android.widget.LinearLayout;
import javax.microedition.khronos.egl.EGLConfig;
import javax.microedition.khronos.opengles.GL10;

/** Pictures that no widget tells of, and work that only ends because time passes. */
public final class DrawingActivity extends Screen {
    private int x;

    @Override
    void fill() {
        Square square = new Square(this);
        button(
                R.id.move,
                () -> {
                    x += 20;
                    square.invalidate();
                });
        button(R.id.still, square::invalidate);
        button(R.id.stretch, square::stretch);
        button(R.id.spin, () -> spin(SystemClock.uptimeMillis() + 300));
        button(R.id.join, this::join);
        button(R.id.offscreen, () -> new Thread(() -> result(new Offscreen().render())).start());
        button(R.id.picture, this::picture);
        add(square);
        square.setLayoutParams(new LinearLayout.LayoutParams(-1, 100));
        GLSurfaceView gl = new GLSurfaceView(this);
        gl.setRenderer(new Frames());
        add(gl);
        gl.setLayoutParams(new LinearLayout.LayoutParams(-1, 100));
    }

    /** As a gallery's fling: posts itself at once until its time has come. */
    private void spin(long until) {
        if (SystemClock.uptimeMillis() < until) {
            main.post(() -> spin(until));
        } else {
            result("spun");
        }
    }

    /** As the framework's transitions copy a view: the bitmap of a picture is one of the graphics processor. */
    private void picture() {
        Picture picture = new Picture();
        picture.beginRecording(30, 20).drawColor(Color.RED);
        picture.endRecording();
        Bitmap bitmap = Bitmap.createBitmap(picture);
        result(bitmap.getWidth() + " x " + bitmap.getHeight());
    }

    /** As a game's pause: the main thread waits for one that sleeps between its frames. */
    private void join() {
        Thread sleeper = new Thread(() -> SystemClock.sleep(700));
        sleeper.start();
        try {
            sleeper.join();
            result("joined");
        } catch (InterruptedException e) {
            result("interrupted");
        }
    }

    private final class Square extends View {
        private final Paint paint = new Paint();
        private RenderNode node;

        /** From now on it draws what the graphics processor keeps, as the stretched end of a Compose list does. */
        void stretch() {
            node = new RenderNode("stretch");
            node.setPosition(0, 0, 50, 50);
            node.beginRecording().drawColor(Color.RED);
            node.endRecording();
            invalidate();
        }

        Square(Context context) {
            super(context);
        }

        @Override
        protected void onDraw(Canvas canvas) {
            paint.setColor(Color.BLUE);
            canvas.drawRect(x, 0, x + 50, 50, paint);
            if (node != null) {
                canvas.drawRenderNode(node);
            }
        }
    }

    private final class Frames implements GLSurfaceView.Renderer {
        private int drawn;

        @Override
        public void onSurfaceCreated(GL10 gl, EGLConfig config) {
            gl.glClearColor(0, 0, 0, 1);
        }

        @Override
        public void onSurfaceChanged(GL10 gl, int width, int height) {
            gl.glViewport(0, 0, width, height);
        }

        @Override
        public void onDrawFrame(GL10 gl) {
            gl.glClear(GL10.GL_COLOR_BUFFER_BIT);
            if (++drawn == 3) {
                result("three frames");
            }
        }
    }
}
