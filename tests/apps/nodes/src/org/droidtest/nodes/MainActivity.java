package org.droidtest.nodes;

import android.app.Activity;
import android.os.Bundle;
import android.widget.LinearLayout;
import android.widget.TextView;
import android.window.OnBackInvokedDispatcher;

/** The drawn page, and what came of the last touch. */
public final class MainActivity extends Activity {
    private TextView result;
    private int backs;

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
        getOnBackInvokedDispatcher()
                .registerOnBackInvokedCallback(
                        OnBackInvokedDispatcher.PRIORITY_DEFAULT, () -> say("back " + ++backs));
    }

    private void say(String what) {
        result.setText(what);
    }
}
