package org.droidtest.probe;

import android.database.Cursor;
import android.database.sqlite.SQLiteDatabase;
import android.widget.TextView;
import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.channels.FileLock;

/** What a reset must renew (the static, the property) or remove (all else): one number each. */
public final class MainActivity extends Screen {
    private static final String PROPERTY = "org.droidtest.probe.count";

    private static int count;
    /** Held until the process ends, as Room holds one. */
    private static FileLock lock;

    @Override
    void fill() {
        text(R.id.static_count, "");
        text(R.id.property_count, "");
        text(R.id.file_count, "");
        text(R.id.preference_count, "");
        text(R.id.sqlite_count, "");
        text(R.id.external_count, "");
        button(R.id.bump, this::bump);
        opens(R.id.confine, ConfineActivity.class);
        opens(R.id.texts, TextsActivity.class);
        opens(R.id.gestures, GesturesActivity.class);
        opens(R.id.navigation, NavigationActivity.class);
    }

    @Override
    protected void onResume() {
        super.onResume();
        show();
    }

    private void show() {
        set(R.id.static_count, count);
        set(R.id.property_count, Integer.getInteger(PROPERTY, 0));
        set(R.id.file_count, read(getFilesDir()));
        set(R.id.preference_count, getPreferences(MODE_PRIVATE).getInt("count", 0));
        set(R.id.sqlite_count, rows());
        set(R.id.external_count, read(getExternalFilesDir(null)));
    }

    private void set(int id, int number) {
        ((TextView) findViewById(id)).setText(Integer.toString(number));
    }

    private void bump() {
        count++;
        if (lock == null) {
            lock();
        }
        System.setProperty(PROPERTY, Integer.toString(Integer.getInteger(PROPERTY, 0) + 1));
        write(getFilesDir());
        int before = getPreferences(MODE_PRIVATE).getInt("count", 0);
        getPreferences(MODE_PRIVATE).edit().putInt("count", before + 1).apply();
        try (SQLiteDatabase rows = open()) {
            rows.execSQL("INSERT INTO bumps DEFAULT VALUES");
        }
        write(getExternalFilesDir(null));
        show();
    }

    private void lock() {
        try {
            lock = new RandomAccessFile(new File(getCacheDir(), "lock"), "rw").getChannel().lock();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private SQLiteDatabase open() {
        SQLiteDatabase rows = openOrCreateDatabase("probe.db", MODE_PRIVATE, null);
        rows.execSQL("CREATE TABLE IF NOT EXISTS bumps (id INTEGER PRIMARY KEY)");
        return rows;
    }

    private int rows() {
        try (SQLiteDatabase rows = open();
                Cursor count = rows.rawQuery("SELECT COUNT(*) FROM bumps", null)) {
            count.moveToFirst();
            return count.getInt(0);
        }
    }

    private static int read(File folder) {
        try (RandomAccessFile file = new RandomAccessFile(new File(folder, "count"), "r")) {
            return file.readInt();
        } catch (IOException e) {
            return 0;
        }
    }

    private static void write(File folder) {
        int before = read(folder);
        try (RandomAccessFile file = new RandomAccessFile(new File(folder, "count"), "rw")) {
            file.writeInt(before + 1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
