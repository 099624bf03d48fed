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
        TextView named = findViewById(R.id.named);
        String app = getPackageName();
        // The build gives the resources of a split a package of their own.
        named.setText(named("greeting", app) + ", " + named("title", app + ".feature") + ", " + named("title", app));
        findViewById(R.id.crash).setOnClickListener(view -> {
            throw new IllegalStateException("of the feature");
        });
    }

    /** The name of a text that is looked up by its name in a package of resources. */
    private String named(String name, String where) {
        int number = getResources().getIdentifier(name, "string", where);
        return number == 0 ? "none" : getResources().getResourceEntryName(number);
    }
}
