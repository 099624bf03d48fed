package org.droidtest.probe;

import android.appwidget.AppWidgetHost;
import android.content.Intent;
import android.content.pm.ApplicationInfo;
import android.content.pm.LauncherActivityInfo;
import android.content.pm.LauncherApps;
import android.content.pm.PackageManager;
import android.content.pm.ResolveInfo;
import android.os.Process;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The apps that a launcher shows, for which {@code <queries>} of the manifest asks, and the way there and back. */
public final class HomeScreenActivity extends Screen {
    private String seen = "";
    private boolean always;

    @Override
    void fill() {
        button(R.id.home_query, () -> result(queried()));
        button(R.id.home_launcher, () -> result(ofLauncherApps()));
        button(R.id.home_installed, () -> result(installed()));
        button(R.id.home_languages, () -> result(languages()));
        button(R.id.home_widgets, () -> result("widgets " + new AppWidgetHost(this, 1).getAppWidgetIds().length));
        button(R.id.home_start, () -> start(settings()));
        button(R.id.home_choose, () -> start(Intent.createChooser(new Intent(Intent.ACTION_SEND), "Share")));
        button(R.id.home_seen, () -> result(seen));
        button(
                R.id.home_always,
                () -> {
                    always = true;
                    start(settings());
                });
    }

    private String languages() {
        Locale[] all = Locale.getAvailableLocales();
        for (Locale locale : all) {
            if (locale.getDisplayName().isEmpty()) {
                return "one has no name";
            }
        }
        return all.length > 100 ? "all have names" : "only " + all.length;
    }

    private String queried() {
        PackageManager packages = getPackageManager();
        Intent home = new Intent(Intent.ACTION_MAIN).addCategory(Intent.CATEGORY_LAUNCHER);
        List<String> names = new ArrayList<>();
        for (ResolveInfo found : packages.queryIntentActivities(home, 0)) {
            names.add(found.loadLabel(packages) + (found.loadIcon(packages) == null ? " without icon" : ""));
        }
        return String.join(", ", names);
    }

    private String ofLauncherApps() {
        LauncherApps apps = getSystemService(LauncherApps.class);
        List<String> names = new ArrayList<>();
        for (LauncherActivityInfo found : apps.getActivityList(null, Process.myUserHandle())) {
            names.add(found.getLabel().toString() + (found.getIcon(0) == null ? " without icon" : ""));
        }
        int settings = apps.getActivityList("com.android.settings", Process.myUserHandle()).size();
        return String.join(", ", names) + "; " + settings;
    }

    private String installed() {
        PackageManager packages = getPackageManager();
        int system = 0;
        for (ApplicationInfo app : packages.getInstalledApplications(0)) {
            system += (app.flags & ApplicationInfo.FLAG_SYSTEM) != 0 ? 1 : 0;
        }
        try {
            return system + " " + packages.getPackageInfo("com.android.settings", PackageManager.GET_ACTIVITIES).activities.length;
        } catch (PackageManager.NameNotFoundException e) {
            return "no settings";
        }
    }

    private void start(Intent other) {
        seen = "";
        startActivity(other);
    }

    private Intent settings() {
        return getPackageManager().getLaunchIntentForPackage("com.android.settings");
    }

    @Override
    public void onTopResumedActivityChanged(boolean top) {
        super.onTopResumedActivityChanged(top);
        seen += top ? "on top " : "below ";
    }

    @Override
    protected void onPause() {
        seen += "paused ";
        super.onPause();
    }

    @Override
    protected void onStop() {
        seen += "stopped ";
        super.onStop();
    }

    @Override
    protected void onResume() {
        super.onResume();
        seen += "resumed ";
        if (always) {
            start(settings());
        }
    }
}
