package org.droidtest.large;

import android.app.Activity;
import android.content.Context;
import android.graphics.Canvas;
import android.graphics.Paint;
import android.graphics.Rect;
import android.os.Bundle;
import android.view.View;
import android.view.accessibility.AccessibilityNodeInfo;
import android.view.accessibility.AccessibilityNodeProvider;
import android.widget.LinearLayout;
import android.widget.TextView;

/** A page of one view that draws so many widgets and names them to accessibility only, as Jetpack Compose does. */
public final class DrawnActivity extends Activity {
    private static final int IN_A_ROW = 50;
    private static final int HEIGHT = 4;

    private TextView result;

    @Override
    protected void onCreate(Bundle state) {
        super.onCreate(state);
        LinearLayout page = new LinearLayout(this);
        page.setOrientation(LinearLayout.VERTICAL);
        result = new TextView(this);
        result.setId(R.id.result);
        page.addView(result);
        Drawn drawn = new Drawn(this, getIntent().getIntExtra(MainActivity.AMOUNT, 3000));
        page.addView(drawn, LinearLayout.LayoutParams.MATCH_PARENT, LinearLayout.LayoutParams.MATCH_PARENT);
        setContentView(page);
    }

    private final class Drawn extends View {
        private final Paint paint = new Paint();
        private final int amount;

        Drawn(Context context, int amount) {
            super(context);
            this.amount = amount;
        }

        private Rect place(int number) {
            int width = Math.max(1, getWidth() / IN_A_ROW);
            int left = number % IN_A_ROW * width;
            int top = number / IN_A_ROW * HEIGHT;
            return new Rect(left, top, left + width, top + HEIGHT);
        }

        @Override
        protected void onDraw(Canvas canvas) {
            for (int number = 0; number < amount; number++) {
                canvas.drawRect(place(number), paint);
            }
        }

        @Override
        public AccessibilityNodeProvider getAccessibilityNodeProvider() {
            return new Nodes();
        }

        private final class Nodes extends AccessibilityNodeProvider {
            @Override
            public AccessibilityNodeInfo createAccessibilityNodeInfo(int id) {
                AccessibilityNodeInfo node = AccessibilityNodeInfo.obtain(Drawn.this, id);
                if (id == HOST_VIEW_ID) {
                    onInitializeAccessibilityNodeInfo(node);
                    for (int number = 0; number < amount; number++) {
                        node.addChild(Drawn.this, number);
                    }
                    return node;
                }
                node.setParent(Drawn.this);
                node.setPackageName(getPackageName());
                node.setClassName("android.widget.Button");
                node.setText(String.valueOf(id));
                node.setEnabled(true);
                node.setVisibleToUser(true);
                node.setClickable(true);
                node.addAction(AccessibilityNodeInfo.AccessibilityAction.ACTION_CLICK);
                Rect place = place(id);
                node.setBoundsInParent(place);
                int[] at = new int[2];
                getLocationOnScreen(at);
                place.offset(at[0], at[1]);
                node.setBoundsInScreen(place);
                return node;
            }

            @Override
            public boolean performAction(int id, int action, Bundle arguments) {
                result.setText("clicked " + id);
                return true;
            }
        }
    }
}
