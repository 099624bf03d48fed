package org.droidtest.nodes;

import android.app.Activity;
import android.os.Bundle;
import android.widget.LinearLayout;
import android.widget.TextView;

/** The drawn page, and what came of the last touch. */
public final class MainActivity extends Activity {
    private TextView result;

    @Override
    protected void onCreate(Bundle state) {
        super.onCreate(state);
        LinearLayout page = new LinearLayout(this);
        page.setOrientation(LinearLayout.VERTICAL);
        result = new TextView(this);
        result.setId(R.id.result);
        page.addView(result);
        page.addView(
                new DrawnPage(this, this::say),
                LinearLayout.LayoutParams.MATCH_PARENT,
                LinearLayout.LayoutParams.MATCH_PARENT);
        setContentView(page);
    }

    private void say(String what) {
        result.setText(what);
    }
}
