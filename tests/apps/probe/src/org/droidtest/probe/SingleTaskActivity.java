package org.droidtest.probe;

import android.content.Intent;

/** There is one of it; what lay above it goes when it is wanted again. */
public final class SingleTaskActivity extends Screen {
    @Override
    void fill() {
        opens(R.id.deeper, LevelActivity.class);
    }

    @Override
    protected void onNewIntent(Intent intent) {
        super.onNewIntent(intent);
        result("new intent from " + intent.getStringExtra("from"));
    }
}
