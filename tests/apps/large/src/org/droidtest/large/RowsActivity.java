package org.droidtest.large;

import android.app.Activity;
import android.os.Bundle;
import android.view.View;
import android.view.ViewGroup;
import android.widget.BaseAdapter;
import android.widget.ListView;
import android.widget.TextView;

/** A list of so many rows, of which those in sight have views. */
public final class RowsActivity extends Activity {
    @Override
    protected void onCreate(Bundle state) {
        super.onCreate(state);
        int amount = getIntent().getIntExtra(MainActivity.AMOUNT, 100_000);
        ListView list = new ListView(this);
        list.setFastScrollEnabled(true);
        list.setAdapter(new Rows(amount));
        list.setOnItemClickListener((parent, view, at, id) -> setTitle("row " + at));
        setContentView(list);
        // Near the end, as a chat begins.
        list.setSelection(amount - 5);
    }

    private final class Rows extends BaseAdapter {
        private final int amount;

        Rows(int amount) {
            this.amount = amount;
        }

        @Override
        public int getCount() {
            return amount;
        }

        @Override
        public Object getItem(int at) {
            return at;
        }

        @Override
        public long getItemId(int at) {
            return at;
        }

        @Override
        public View getView(int at, View old, ViewGroup parent) {
            TextView row = old instanceof TextView ? (TextView) old : new TextView(RowsActivity.this);
            row.setText("row " + at);
            row.setPadding(20, 20, 20, 20);
            return row;
        }
    }
}
