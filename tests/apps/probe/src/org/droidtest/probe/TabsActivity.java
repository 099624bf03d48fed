package org.droidtest.probe;

import android.app.TabActivity;
import android.content.Intent;
import android.os.Bundle;
import android.widget.TabHost;

/** Two activities as tabs, as apps once did. */
@SuppressWarnings("deprecation")
public final class TabsActivity extends TabActivity {
    @Override
    protected void onCreate(Bundle state) {
        super.onCreate(state);
        TabHost tabs = getTabHost();
        for (String which : new String[] {"one", "two"}) {
            tabs.addTab(
                    tabs.newTabSpec(which)
                            .setIndicator("Tab " + which)
                            .setContent(
                                    new Intent(this, InnerActivity.class).putExtra("which", which)));
        }
    }
}
