package org.droidtest.notes;

import android.content.Context;
import android.content.SharedPreferences;

/** What the app remembers between its lives. */
final class Prefs {
    private Prefs() {}

    static SharedPreferences of(Context context) {
        return context.getSharedPreferences("notes", Context.MODE_PRIVATE);
    }

    static boolean isOn(Context context, String setting) {
        return of(context).getBoolean(setting, false);
    }
}
