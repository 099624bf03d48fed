package org.droidtest.notes;

import android.app.Activity;
import android.content.Intent;
import android.os.Bundle;
import android.widget.TextView;

/** What this is, and a version that invites to be touched. */
public final class AboutActivity extends Activity {
    /** How often the version was touched in this life of the process. */
    static int taps;

    private static final int TAPS_WANTED = 7;

    private TextView version;

    @Override
    protected void onCreate(Bundle state) {
        super.onCreate(state);
        setContentView(R.layout.about);
        version = findViewById(R.id.version);
        version.setText(R.string.version);
        version.setOnClickListener(view -> tapped());
        ((TextView) findViewById(R.id.opened))
                .setText(getString(R.string.opened, DetailActivity.opened));
        int reminders = Prefs.of(this).getInt(ReminderReceiver.COUNT, 0);
        ((TextView) findViewById(R.id.reminders))
                .setText(getString(R.string.reminders, reminders));
        findViewById(R.id.licences)
                .setOnClickListener(
                        view -> startActivity(new Intent(this, LicencesActivity.class)));
    }

    /** Planted version-taps: a number is taken for the id of a string. */
    private void tapped() {
        taps++;
        if (taps == TAPS_WANTED) {
            version.setText(taps);
        }
    }
}
