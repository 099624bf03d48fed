package org.droidtest.outside;

import android.app.Application;
import android.content.BroadcastReceiver;
import android.content.Context;
import android.content.Intent;
import android.content.IntentFilter;

/** Its end, which no phone brings about, must not take the device with it. */
public final class App extends Application {
    /** What only the process holds. */
    static final java.util.List<String> STARTS = new java.util.ArrayList<>();
    static int trims;
    static final StringBuilder HEARD = new StringBuilder();
    /** Of a screen that is restored without it: see HeldActivity. */
    static String held;

    /** What receivers hear. */
    static void hear(Intent intent, String who) {
        String action = intent.getAction();
        HEARD.append(' ').append(who).append(action.substring(action.lastIndexOf('.') + 1));
    }

    @Override
    public void onCreate() {
        super.onCreate();
        IntentFilter filter = new IntentFilter(Intent.ACTION_DEVICE_STORAGE_LOW);
        filter.addAction(Intent.ACTION_DEVICE_STORAGE_OK);
        filter.addAction(Intent.ACTION_DATE_CHANGED);
        filter.addAction(Intent.ACTION_TIME_CHANGED);
        BroadcastReceiver receiver = new BroadcastReceiver() {
            @Override
            public void onReceive(Context context, Intent intent) {
                hear(intent, "");
            }
        };
        registerReceiver(receiver, filter);
    }

    @Override
    public void onTrimMemory(int level) {
        super.onTrimMemory(level);
        trims++;
    }

    @Override
    public void onTerminate() {
        throw new UnsupportedOperationException("no end");
    }
}
