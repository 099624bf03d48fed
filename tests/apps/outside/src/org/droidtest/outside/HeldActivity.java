package org.droidtest.outside;

import android.Manifest;
import android.content.pm.PackageManager;
import android.os.Bundle;

/** Trusts that its process lives on, and that what was granted stays granted. */
public final class HeldActivity extends Screen {
    private boolean holds;

    @Override
    protected void onCreate(Bundle state) {
        super.onCreate(state);
        if (state != null && state.getBoolean("holds")) {
            result("held " + App.held.length());
        }
    }

    @Override
    protected void onSaveInstanceState(Bundle state) {
        super.onSaveInstanceState(state);
        state.putBoolean("holds", holds);
    }

    @Override
    void fill() {
        button(R.id.hold, () -> {
            App.held = "something";
            holds = true;
            result("held");
        });
        button(R.id.agenda, this::agenda);
    }

    private void agenda() {
        if (checkSelfPermission(Manifest.permission.READ_CALENDAR) != PackageManager.PERMISSION_GRANTED) {
            throw new IllegalStateException("no calendar");
        }
        result("agenda");
    }
}
