package org.droidtest.large;

import android.app.Activity;
import android.content.Intent;
import android.os.Bundle;
import android.widget.TextView;

/** Closes at once; or stays, and starts another one above it until there are enough. */
public final class StepActivity extends Activity {
    static final String STAYS = "stays";

    @Override
    protected void onCreate(Bundle state) {
        super.onCreate(state);
        if (!getIntent().getBooleanExtra(STAYS, false)) {
            setResult(RESULT_OK);
            finish();
            return;
        }
        int left = getIntent().getIntExtra(MainActivity.AMOUNT, 1) - 1;
        TextView text = new TextView(this);
        text.setId(R.id.result);
        text.setText(left == 0 ? "the last one" : left + " more");
        setContentView(text);
        if (left > 0 && state == null) {
            startActivity(new Intent(this, StepActivity.class).putExtra(STAYS, true).putExtra(MainActivity.AMOUNT, left));
        }
    }
}
