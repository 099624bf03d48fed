package org.droidtest.large;

import android.app.Activity;
import android.os.Bundle;
import android.view.View;
import android.view.ViewGroup;
import android.widget.Button;
import android.widget.CheckBox;
import android.widget.LinearLayout;
import android.widget.ScrollView;
import android.widget.TextView;

/** A page of so many views, ten in a row: all are there at once, most of them scrolled away. */
public final class NodesActivity extends Activity {
    private static final int IN_A_ROW = 10;

    @Override
    protected void onCreate(Bundle state) {
        super.onCreate(state);
        LinearLayout rows = new LinearLayout(this);
        rows.setOrientation(LinearLayout.VERTICAL);
        TextView result = new TextView(this);
        result.setId(R.id.result);
        rows.addView(result);
        int amount = getIntent().getIntExtra(MainActivity.AMOUNT, 3000);
        LinearLayout row = null;
        for (int i = 0; i < amount; i++) {
            if (i % IN_A_ROW == 0) {
                row = new LinearLayout(this);
                rows.addView(row);
            }
            View view = view(i, result);
            row.addView(view, new LinearLayout.LayoutParams(0, ViewGroup.LayoutParams.WRAP_CONTENT, 1));
        }
        ScrollView scroll = new ScrollView(this);
        scroll.addView(rows);
        setContentView(scroll);
    }

    private View view(int number, TextView result) {
        TextView view = number % 3 == 0 ? new TextView(this) : number % 3 == 1 ? new Button(this) : new CheckBox(this);
        view.setText(String.valueOf(number));
        if (number % 3 == 1) {
            view.setOnClickListener(clicked -> result.setText("clicked " + number));
        }
        return view;
    }
}
