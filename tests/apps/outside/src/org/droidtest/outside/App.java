package org.droidtest.outside;

import android.app.Application;

/** Its end, which no phone brings about, must not take the device with it. */
public final class App extends Application {
    @Override
    public void onTerminate() {
        throw new UnsupportedOperationException("no end");
    }
}
