package org.droidtest.notes;

import android.content.BroadcastReceiver;
import android.content.Context;
import android.content.Intent;

/** Counts the reminders that came, also while the app was closed. */
public final class ReminderReceiver extends BroadcastReceiver {
    static final String COUNT = "reminders";

    @Override
    public void onReceive(Context context, Intent intent) {
        int count = Prefs.of(context).getInt(COUNT, 0);
        Prefs.of(context).edit().putInt(COUNT, count + 1).apply();
    }
}
