package org.droidtest.probe;

import android.app.AlertDialog;
import android.os.Bundle;

/** Greets with a dialog that is there before the activity's own window. */
public final class GreetingActivity extends Screen {
    @Override
    void fill() {
        button(R.id.behind, () -> result("reached behind the dialog"));
    }

    @Override
    protected void onCreate(Bundle state) {
        super.onCreate(state);
        new AlertDialog.Builder(this)
                .setMessage("Welcome")
                .setPositiveButton("Thanks", (dialog, which) -> result("greeted"))
                .show();
    }
}
