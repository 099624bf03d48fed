package org.droidtest.splits.feature;

import android.app.Activity;
import android.os.Bundle;
import android.widget.TextView;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;

/** Code, a layout, a text and an asset, all of the feature's split. */
public final class FeatureActivity extends Activity {
    @Override
    protected void onCreate(Bundle state) {
        super.onCreate(state);
        setContentView(R.layout.feature);
        TextView note = findViewById(R.id.note);
        try (BufferedReader in = new BufferedReader(new InputStreamReader(getAssets().open("notes/note.txt")))) {
            note.setText(in.readLine() + ", " + getString(org.droidtest.splits.R.string.greeting));
        } catch (IOException e) {
            note.setText(e.toString());
        }
        findViewById(R.id.crash).setOnClickListener(view -> {
            throw new IllegalStateException("of the feature");
        });
    }
}
