package org.droidtest.probe;

import android.app.Service;
import android.content.Intent;
import android.os.Binder;
import android.os.IBinder;

/** Started and bound. */
public final class ProbeService extends Service {
    private int starts;

    /** What a client gets. */
    final class Answer extends Binder {
        int answer() {
            return 42;
        }
    }

    @Override
    public int onStartCommand(Intent intent, int flags, int id) {
        String action = intent == null ? null : intent.getAction();
        if ("throw".equals(action)) {
            throw new IllegalStateException("thrown in a service");
        }
        starts++;
        Screen.report("service started " + starts);
        return START_NOT_STICKY;
    }

    @Override
    public IBinder onBind(Intent intent) {
        return new Answer();
    }

    @Override
    public void onDestroy() {
        Screen.report("service destroyed after " + starts + " starts");
        super.onDestroy();
    }
}
