package org.droidtest.outside;

import android.net.ConnectivityManager;
import android.os.Bundle;
import android.widget.CheckBox;
import java.time.LocalDate;
import java.util.regex.Pattern;

/** Crashes where something around it has changed, or by a regular expression. */
public final class FragileActivity extends Screen {
    private static final LocalDate FIRST = LocalDate.now();

    private CheckBox careful;

    @Override
    protected void onCreate(Bundle state) {
        super.onCreate(state);
        if (state != null && getResources().getConfiguration().smallestScreenWidthDp > 600) {
            throw new IllegalStateException("no layout for a tablet");
        }
    }

    @Override
    void fill() {
        button(R.id.save, this::save);
        button(R.id.today, this::today);
        button(R.id.sync, this::sync);
        button(R.id.shared, () -> Pattern.compile("(a|b"));
        button(R.id.brace, () -> Pattern.compile("\\{.*}"));
        button(R.id.dialect, () -> Pattern.compile("\\p{nv=5}"));
        careful = new CheckBox(this);
        careful.setId(R.id.careful);
        careful.setText("careful");
        add(careful);
    }

    private void save() {
        if (!careful.isChecked() && getFilesDir().getUsableSpace() < 10 << 20) {
            throw new IllegalStateException("the file is not whole");
        }
        result("stored");
    }

    private void today() {
        if (!LocalDate.now().equals(FIRST)) {
            throw new IllegalStateException("a list of two days");
        }
        result("one day");
    }

    private void sync() {
        if (getSystemService(ConnectivityManager.class).getActiveNetwork() == null) {
            throw new IllegalStateException("half of it came");
        }
        result("synced");
    }
}
