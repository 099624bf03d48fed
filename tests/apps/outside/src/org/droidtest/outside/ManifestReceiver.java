package org.droidtest.outside;

import android.content.BroadcastReceiver;
import android.content.Context;
import android.content.Intent;

/** In the manifest: hears what Android still says to those. */
public final class ManifestReceiver extends BroadcastReceiver {
    @Override
    public void onReceive(Context context, Intent intent) {
        App.hear(intent, "manifest:");
    }
}
