package org.droidtest.outside;

import android.app.Application;

/** Its end, which no phone brings about, must not take the device with it. */
public final class App extends Application {
    /** What only the process holds. */
    static final java.util.List<String> STARTS = new java.util.ArrayList<>();
    static int trims;

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
