package org.droidtest.probe;

import android.content.res.Configuration;

/** Handles the turn itself. */
public final class TurningActivity extends Screen {
    @Override
    void fill() {
        text(R.id.label, "turn me");
    }

    @Override
    public void onConfigurationChanged(Configuration configuration) {
        super.onConfigurationChanged(configuration);
        result("turned to " + configuration.orientation);
    }
}
