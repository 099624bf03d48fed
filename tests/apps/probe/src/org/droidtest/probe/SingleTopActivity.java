package org.droidtest.probe;

import android.content.Intent;

/** Meets itself on top of the stack. */
public final class SingleTopActivity extends Screen {
    private int met;

    @Override
    void fill() {
        opens(R.id.again, SingleTopActivity.class);
    }

    @Override
    protected void onNewIntent(Intent intent) {
        super.onNewIntent(intent);
        met++;
        result("new intent " + met);
    }
}
