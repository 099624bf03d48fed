package org.droidtest.probe;

import android.content.res.Configuration;
import android.util.TypedValue;

/** Handles the turn itself; its theme differs by the way the screen stands. */
public final class TurningActivity extends Screen {
    @Override
    void fill() {
        text(R.id.label, "turn me");
    }

    @Override
    public void onConfigurationChanged(Configuration configuration) {
        super.onConfigurationChanged(configuration);
        TypedValue stands = new TypedValue();
        getTheme().resolveAttribute(R.attr.stands, stands, true);
        result("turned to " + configuration.orientation + ", " + stands.string);
    }
}
