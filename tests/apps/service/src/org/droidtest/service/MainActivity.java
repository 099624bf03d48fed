package org.droidtest.service;

import android.app.Activity;
import android.content.Intent;
import android.os.Bundle;

/** Starts the service and goes. */
public final class MainActivity extends Activity {
    @Override
    protected void onCreate(Bundle state) {
        super.onCreate(state);
        startService(new Intent(this, CountingService.class));
        finish();
    }
}
