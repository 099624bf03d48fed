package org.droidtest.outside;

import android.app.AlarmManager;
import android.app.usage.StorageStatsManager;
import android.content.res.Configuration;
import android.os.StatFs;
import android.os.storage.StorageManager;
import android.util.DisplayMetrics;
import java.io.File;
import java.util.Calendar;

/** What changes around the app: its storage, the date, the screen, its permissions. */
public final class AroundActivity extends Screen {
    @Override
    void fill() {
        button(R.id.room, this::room);
        button(R.id.date, this::date);
        button(R.id.size, this::size);
        button(R.id.may, this::may);
        button(R.id.alarm, this::alarm);
    }

    /** In MiB. */
    private void room() {
        File files = getFilesDir();
        StorageManager storage = getSystemService(StorageManager.class);
        StorageStatsManager stats = getSystemService(StorageStatsManager.class);
        String allocatable;
        try {
            java.util.UUID here = storage.getUuidForPath(files);
            allocatable = (storage.getAllocatableBytes(here) >> 20) + " " + (stats.getFreeBytes(here) >> 20);
        } catch (java.io.IOException e) {
            allocatable = e.toString();
        }
        result(
                (new StatFs(files.getPath()).getAvailableBytes() >> 20) + " " + (files.getUsableSpace() >> 20) + " "
                        + (files.getTotalSpace() >> 20) + " " + allocatable + App.HEARD);
        App.HEARD.setLength(0);
    }

    private void date() {
        Calendar now = Calendar.getInstance();
        String today = java.time.LocalDate.now().toString();
        result(now.get(Calendar.DAY_OF_MONTH) + " " + today + App.HEARD);
        App.HEARD.setLength(0);
    }

    private void size() {
        Configuration now = getResources().getConfiguration();
        DisplayMetrics metrics = getResources().getDisplayMetrics();
        android.view.View all = getWindow().getDecorView();
        result(
                now.smallestScreenWidthDp + " " + now.screenWidthDp + "x" + now.screenHeightDp + " " + metrics.widthPixels + "x"
                        + metrics.heightPixels + " " + all.getWidth() + "x" + all.getHeight());
    }

    private void may() {
        StringBuilder text = new StringBuilder();
        for (String name : new String[] {"READ_CALENDAR", "READ_CALL_LOG", "READ_CONTACTS", "WRITE_CONTACTS", "READ_SMS"}) {
            text.append(checkSelfPermission("android.permission." + name) == 0 ? 1 : 0);
        }
        text.append(shouldShowRequestPermissionRationale("android.permission.READ_CALENDAR") ? " why" : "");
        result(text.toString());
    }

    /** Goes off tomorrow. */
    private void alarm() {
        AlarmManager alarms = getSystemService(AlarmManager.class);
        long tomorrow = System.currentTimeMillis() + 20 * 3_600_000L;
        alarms.setExact(AlarmManager.RTC, tomorrow, "tomorrow", () -> result("rang"), main);
    }
}
