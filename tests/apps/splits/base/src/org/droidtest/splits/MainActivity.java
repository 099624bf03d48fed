package org.droidtest.splits;

import android.app.Activity;
import android.content.Intent;
import android.os.Bundle;
import android.widget.Button;
import android.widget.LinearLayout;
import android.widget.TextView;

/** Greets in the user's language, and opens what the feature has. */
public final class MainActivity extends Activity {
    @Override
    protected void onCreate(Bundle state) {
        super.onCreate(state);
        LinearLayout page = new LinearLayout(this);
        page.setOrientation(LinearLayout.VERTICAL);
        TextView greeting = new TextView(this);
        greeting.setId(R.id.greeting);
        greeting.setText(R.string.greeting);
        page.addView(greeting);
        Button feature = new Button(this);
        feature.setId(R.id.feature);
        feature.setText("Feature");
        feature.setOnClickListener(
                view -> startActivity(new Intent().setClassName(this, "org.droidtest.splits.feature.FeatureActivity")));
        page.addView(feature);
        setContentView(page);
    }
}
