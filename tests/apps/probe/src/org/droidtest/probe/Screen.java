package org.droidtest.probe;

import android.app.Activity;
import android.content.Intent;
import android.os.Bundle;
import android.os.Handler;
import android.os.Looper;
import android.view.View;
import android.view.ViewGroup.LayoutParams;
import android.widget.Button;
import android.widget.LinearLayout;
import android.widget.ScrollView;
import android.widget.TextView;

/** A screen made in code: its result on top, then buttons, three to a row, named by their ids. */
abstract class Screen extends Activity {
    private static final int COLUMNS = 3;

    /** Where those without a screen of their own (services, receivers) write what happened. */
    private static Screen current;

    final Handler main = new Handler(Looper.getMainLooper());
    private LinearLayout page;
    private LinearLayout row;
    private TextView result;

    /** Adds what the screen shows. */
    abstract void fill();

    @Override
    protected void onCreate(Bundle state) {
        super.onCreate(state);
        page = new LinearLayout(this);
        page.setOrientation(LinearLayout.VERTICAL);
        result = text(R.id.result, "");
        result.setFreezesText(true);
        fill();
        ScrollView scroll = new ScrollView(this);
        scroll.addView(page);
        setContentView(scroll);
    }

    @Override
    protected void onResume() {
        super.onResume();
        current = this;
    }

    final String name(int id) {
        return getResources().getResourceEntryName(id);
    }

    final void add(View view) {
        row = null;
        page.addView(view, LayoutParams.MATCH_PARENT, LayoutParams.WRAP_CONTENT);
    }

    final TextView text(int id, String text) {
        TextView view = new TextView(this);
        view.setId(id);
        view.setText(text);
        add(view);
        return view;
    }

    final Button button(int id, Runnable action) {
        if (row == null || row.getChildCount() == COLUMNS) {
            LinearLayout next = new LinearLayout(this);
            add(next);
            row = next;
        }
        Button button = new Button(this, null, android.R.attr.buttonStyleSmall);
        button.setId(id);
        button.setText(name(id));
        button.setTextSize(10);
        button.setOnClickListener(view -> action.run());
        row.addView(button, new LinearLayout.LayoutParams(0, LayoutParams.WRAP_CONTENT, 1));
        return button;
    }

    /** A button that opens another screen. */
    final Button opens(int id, Class<?> screen) {
        return button(id, () -> startActivity(new Intent(this, screen)));
    }

    final void result(String text) {
        main.post(() -> result.setText(text));
    }

    /** Writes to the screen that was last on top. */
    static void report(String text) {
        if (current != null) {
            current.result(text);
        }
    }
}
