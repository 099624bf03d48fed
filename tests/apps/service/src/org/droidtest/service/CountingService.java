package org.droidtest.service;

import android.app.Service;
import android.content.Intent;
import android.os.IBinder;

/** Counts how often it was started. */
public final class CountingService extends Service {
    private int starts;

    @Override
    public int onStartCommand(Intent intent, int flags, int id) {
        starts++;
        return START_STICKY;
    }

    @Override
    public IBinder onBind(Intent intent) {
        return null;
    }
}
