package org.droidtest.notes;

import android.app.Activity;
import android.content.Intent;
import android.content.SharedPreferences;
import android.os.Bundle;
import android.widget.Switch;
import android.widget.TextView;
import android.widget.Toast;

/** Four switches, of which one wants another, and the backup. */
public final class SettingsActivity extends Activity
        implements SharedPreferences.OnSharedPreferenceChangeListener {
    @Override
    protected void onCreate(Bundle state) {
        super.onCreate(state);
        setContentView(R.layout.settings);
        bind(R.id.large_text, "large_text");
        bind(R.id.show_tags, "show_tags");
        bind(R.id.sharing, "sharing");
        bind(R.id.sign_shared, "sign_shared");
        findViewById(R.id.back_up).setOnClickListener(view -> backUp());
    }

    private void bind(int id, String setting) {
        Switch view = findViewById(id);
        view.setChecked(Prefs.isOn(this, setting));
        view.setOnCheckedChangeListener(
                (button, on) -> Prefs.of(this).edit().putBoolean(setting, on).apply());
    }

    @Override
    protected void onResume() {
        super.onResume();
        Prefs.of(this).registerOnSharedPreferenceChangeListener(this);
        refresh();
    }

    @Override
    protected void onPause() {
        Prefs.of(this).unregisterOnSharedPreferenceChangeListener(this);
        super.onPause();
    }

    @Override
    public void onSharedPreferenceChanged(SharedPreferences preferences, String key) {
        refresh();
    }

    private void refresh() {
        findViewById(R.id.sign_shared).setEnabled(Prefs.isOn(this, "sharing"));
        String last = Prefs.of(this).getString("backup", null);
        ((TextView) findViewById(R.id.last_backup))
                .setText(
                        last == null
                                ? getString(R.string.never_backed_up)
                                : getString(R.string.backed_up, last));
    }

    private void backUp() {
        if (NoteStore.of(this).all().isEmpty()) {
            Toast.makeText(this, R.string.nothing_to_back_up, Toast.LENGTH_SHORT).show();
            return;
        }
        startService(new Intent(this, BackupService.class));
    }
}
