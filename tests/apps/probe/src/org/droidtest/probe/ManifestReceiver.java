package org.droidtest.probe;

import android.content.BroadcastReceiver;
import android.content.Context;
import android.content.Intent;

/** Declared in the manifest. */
public final class ManifestReceiver extends BroadcastReceiver {
    @Override
    public void onReceive(Context context, Intent intent) {
        Screen.report("manifest receiver got " + intent.getStringExtra("from"));
    }
}
