package org.droidtest.probe;

import android.app.ActivityManager;
import android.app.AlertDialog;
import android.content.Context;
import android.content.Intent;
import android.content.SharedPreferences;
import android.content.pm.ActivityInfo;
import android.content.pm.ResolveInfo;
import android.net.ConnectivityManager;
import android.net.Uri;
import android.view.View;
import android.widget.AdapterView;
import android.widget.ArrayAdapter;
import android.widget.Spinner;
import android.widget.Toast;
import java.io.File;
import java.io.IOException;
import java.net.URL;

/** What Android answers, and what it refuses. */
@SuppressWarnings("deprecation")
public final class RefusalsActivity extends Screen {
    private String order = "";
    private Spinner spinner;

    @Override
    void fill() {
        button(R.id.select, this::select);
        button(R.id.toast_nothing, () -> refused(() -> Toast.makeText(this, null, Toast.LENGTH_SHORT).show()));
        button(R.id.toast_thread, () -> new Thread(() -> refused(this::toast), "no-looper").start());
        button(R.id.cleared, this::cleared);
        button(R.id.resolved, this::resolved);
        button(R.id.tasks, this::tasks);
        button(R.id.network_main, () -> refused(this::load));
        button(R.id.file_address, () -> refused(this::show));
        button(R.id.late_window, () -> refused(new AlertDialog.Builder(getApplicationContext())::show));
        button(R.id.lie_down, () -> setRequestedOrientation(ActivityInfo.SCREEN_ORIENTATION_LANDSCAPE));
        spinner = new Spinner(this);
        spinner.setAdapter(
                new ArrayAdapter<>(this, android.R.layout.simple_spinner_item, new String[] {"first", "second"}));
        spinner.setOnItemSelectedListener(
                new AdapterView.OnItemSelectedListener() {
                    @Override
                    public void onItemSelected(AdapterView<?> parent, View view, int position, long id) {
                        step("selected " + position + " " + (view != null));
                    }

                    @Override
                    public void onNothingSelected(AdapterView<?> parent) {
                        step("nothing selected");
                    }
                });
        add(spinner);
    }

    private void step(String what) {
        order = order.isEmpty() ? what : order + ", " + what;
        result(order);
    }

    private void select() {
        order = "";
        spinner.setSelection(1 - spinner.getSelectedItemPosition());
        step("asked");
    }

    private void toast() {
        Toast.makeText(this, "from a thread", Toast.LENGTH_SHORT).show();
    }

    private void cleared() {
        SharedPreferences kept = getSharedPreferences("cleared", MODE_PRIVATE);
        kept.edit().putInt("one", 1).apply();
        order = "";
        SharedPreferences.OnSharedPreferenceChangeListener listener = (all, key) -> step("changed " + key);
        kept.registerOnSharedPreferenceChangeListener(listener);
        kept.edit().clear().apply();
        kept.unregisterOnSharedPreferenceChangeListener(listener);
    }

    private void resolved() {
        Intent home = new Intent(Intent.ACTION_MAIN).addCategory(Intent.CATEGORY_HOME);
        ResolveInfo launcher = getPackageManager().resolveActivity(home, 0);
        boolean dials = new Intent(Intent.ACTION_DIAL).resolveActivity(getPackageManager()) != null;
        boolean unknown = new Intent("org.droidtest.UNKNOWN").resolveActivity(getPackageManager()) != null;
        ConnectivityManager network = getSystemService(ConnectivityManager.class);
        boolean online = network.getActiveNetworkInfo() != null;
        result(launcher.activityInfo.packageName + ", " + dials + ", " + unknown + ", online " + online);
    }

    private void tasks() {
        ActivityManager manager = (ActivityManager) getSystemService(Context.ACTIVITY_SERVICE);
        result("on top " + manager.getRunningTasks(1).get(0).topActivity.getShortClassName());
    }

    private void load() {
        try {
            new URL("http://example.org/").openStream().close();
        } catch (IOException e) {
            result("not loaded: " + e.getMessage());
        }
    }

    private void show() {
        Uri file = Uri.fromFile(new File(getExternalFilesDir(null), "picture.png"));
        startActivity(new Intent(Intent.ACTION_VIEW).setDataAndType(file, "image/png"));
    }

    private void refused(Runnable action) {
        try {
            action.run();
        } catch (RuntimeException e) {
            result("refused: " + e.getClass().getSimpleName());
        }
    }
}
