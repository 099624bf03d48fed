package org.droidtest.probe;

import android.content.ContentProvider;
import android.content.ContentValues;
import android.database.Cursor;
import android.database.MatrixCursor;
import android.net.Uri;
import java.util.ArrayList;
import java.util.List;

/** Rows in memory. */
public final class ProbeProvider extends ContentProvider {
    private final List<String> rows = new ArrayList<>();

    @Override
    public boolean onCreate() {
        return true;
    }

    @Override
    public Cursor query(Uri uri, String[] columns, String where, String[] arguments, String order) {
        MatrixCursor cursor = new MatrixCursor(new String[] {"_id", "text"});
        for (String row : rows) {
            cursor.addRow(new Object[] {cursor.getCount(), row});
        }
        return cursor;
    }

    @Override
    public Uri insert(Uri uri, ContentValues values) {
        rows.add(values.getAsString("text"));
        return uri;
    }

    @Override
    public String getType(Uri uri) {
        return null;
    }

    @Override
    public int delete(Uri uri, String where, String[] arguments) {
        return 0;
    }

    @Override
    public int update(Uri uri, ContentValues values, String where, String[] arguments) {
        return 0;
    }
}
