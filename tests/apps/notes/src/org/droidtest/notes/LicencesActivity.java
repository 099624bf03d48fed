package org.droidtest.notes;

import android.app.Activity;
import android.os.Bundle;

/** The terms. */
public final class LicencesActivity extends Activity {
    @Override
    protected void onCreate(Bundle state) {
        super.onCreate(state);
        setContentView(R.layout.licences);
        findViewById(R.id.close).setOnClickListener(view -> finish());
    }
}
