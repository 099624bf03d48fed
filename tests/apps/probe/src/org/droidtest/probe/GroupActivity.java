package org.droidtest.probe;

import android.app.ActivityGroup;
import android.content.Intent;
import android.os.Bundle;
import android.view.Window;
import android.widget.Button;
import android.widget.FrameLayout;
import android.widget.LinearLayout;

/** An activity that shows others inside itself. */
@SuppressWarnings("deprecation")
public final class GroupActivity extends ActivityGroup {
    private FrameLayout place;

    @Override
    protected void onCreate(Bundle state) {
        super.onCreate(state);
        LinearLayout page = new LinearLayout(this);
        page.setOrientation(LinearLayout.VERTICAL);
        place = new FrameLayout(this);
        for (String which : new String[] {"one", "two"}) {
            Button button = new Button(this);
            button.setId(which.equals("one") ? R.id.show_one : R.id.show_two);
            button.setText("Show " + which);
            button.setOnClickListener(view -> show(which));
            page.addView(button);
        }
        page.addView(place);
        setContentView(page);
        show("one");
    }

    private void show(String which) {
        Intent inner = new Intent(this, InnerActivity.class).putExtra("which", which);
        Window window = getLocalActivityManager().startActivity(which, inner);
        place.removeAllViews();
        place.addView(window.getDecorView());
    }
}
