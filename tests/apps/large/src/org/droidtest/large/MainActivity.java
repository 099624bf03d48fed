package org.droidtest.large;

import android.app.Activity;
import android.content.Intent;
import android.os.Bundle;
import android.text.InputType;
import android.widget.Button;
import android.widget.EditText;
import android.widget.LinearLayout;
import android.widget.TextView;

/** A field for an amount, and pages that have so many of something. */
public final class MainActivity extends Activity {
    static final String AMOUNT = "amount";

    private LinearLayout page;
    private EditText amount;
    private TextView result;
    private int left;
    private int taken;

    @Override
    protected void onCreate(Bundle state) {
        super.onCreate(state);
        page = new LinearLayout(this);
        page.setOrientation(LinearLayout.VERTICAL);
        amount = new EditText(this);
        amount.setId(R.id.amount);
        amount.setInputType(InputType.TYPE_CLASS_NUMBER);
        amount.setText("100");
        page.addView(amount);
        button("nodes", () -> startActivity(intent(NodesActivity.class)));
        button("deep", () -> startActivity(intent(DeepActivity.class)));
        button("drawn", () -> startActivity(intent(DrawnActivity.class)));
        button("rows", () -> startActivity(intent(RowsActivity.class)));
        // One after the other: each is finished before the next begins.
        button("steps", () -> {
            left = wanted();
            step();
        });
        // One above the other: the back stack grows.
        button("stack", () -> startActivity(intent(StepActivity.class).putExtra(StepActivity.STAYS, true)));
        result = new TextView(this);
        result.setId(R.id.result);
        page.addView(result);
        setContentView(page);
    }

    private void button(String text, Runnable work) {
        Button button = new Button(this);
        button.setText(text);
        button.setAllCaps(false);
        button.setOnClickListener(view -> work.run());
        page.addView(button);
    }

    private int wanted() {
        return Integer.parseInt(amount.getText().toString());
    }

    private Intent intent(Class<? extends Activity> activity) {
        return new Intent(this, activity).putExtra(AMOUNT, wanted());
    }

    private void step() {
        startActivityForResult(new Intent(this, StepActivity.class), 1);
    }

    @Override
    protected void onActivityResult(int request, int code, Intent data) {
        left--;
        taken++;
        if (left > 0) {
            step();
        } else {
            result.setText(taken + " steps taken");
        }
    }
}
