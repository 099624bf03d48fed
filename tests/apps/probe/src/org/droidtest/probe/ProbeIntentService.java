package org.droidtest.probe;

import android.app.IntentService;
import android.content.Intent;

/** Works on a thread of its own and stops by itself. */
@SuppressWarnings("deprecation")
public final class ProbeIntentService extends IntentService {
    public ProbeIntentService() {
        super("probe");
    }

    @Override
    protected void onHandleIntent(Intent intent) {
        Screen.report("worked on " + intent.getIntExtra("number", 0) + " in " + Thread.currentThread().getName());
    }
}
