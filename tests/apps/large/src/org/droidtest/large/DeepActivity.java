package org.droidtest.large;

import android.app.Activity;
import android.os.Bundle;
import android.view.ViewGroup;
import android.widget.Button;
import android.widget.FrameLayout;
import android.widget.TextView;

/** A page whose views are nested so deeply: a frame in a frame, a button in the innermost. */
public final class DeepActivity extends Activity {
    @Override
    protected void onCreate(Bundle state) {
        super.onCreate(state);
        TextView result = new TextView(this);
        result.setId(R.id.result);
        Button button = new Button(this);
        button.setText("innermost");
        button.setOnClickListener(clicked -> result.setText("clicked innermost"));
        ViewGroup.LayoutParams low =
                new FrameLayout.LayoutParams(ViewGroup.LayoutParams.MATCH_PARENT, 200, android.view.Gravity.BOTTOM);
        ViewGroup inner = new FrameLayout(this);
        inner.addView(button, low);
        for (int depth = getIntent().getIntExtra(MainActivity.AMOUNT, 100); depth > 0; depth--) {
            ViewGroup outer = new FrameLayout(this);
            outer.addView(inner);
            inner = outer;
        }
        inner.addView(result);
        setContentView(inner);
    }
}
