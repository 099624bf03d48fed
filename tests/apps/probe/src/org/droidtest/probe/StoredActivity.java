package org.droidtest.probe;

import android.content.ContentUris;
import android.content.ContentValues;
import android.database.Cursor;
import android.net.Uri;
import android.os.Environment;
import android.provider.CalendarContract;
import android.provider.CallLog;
import android.provider.ContactsContract;
import android.provider.ContactsContract.CommonDataKinds.Email;
import android.provider.ContactsContract.CommonDataKinds.Phone;
import android.provider.MediaStore;
import android.provider.Telephony;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/** Reads what the owner of the device has on it, as apps do. */
public final class StoredActivity extends Screen {
    @Override
    void fill() {
        button(R.id.stored_phones, () -> rows(Phone.CONTENT_URI, null, "display_name COLLATE LOCALIZED", "display_name", "data1"));
        button(R.id.stored_emails, () -> rows(Email.CONTENT_URI, null, null, "display_name", Email.ADDRESS));
        button(R.id.stored_filter, () -> rows(Uri.withAppendedPath(Phone.CONTENT_FILTER_URI, "ada"), null, null, "display_name"));
        button(R.id.stored_lookup, () -> rows(Uri.withAppendedPath(ContactsContract.PhoneLookup.CONTENT_FILTER_URI, "+44-20-555-0100"), null, null, "_id", "display_name"));
        button(R.id.stored_messages, () -> rows(Telephony.Sms.Inbox.CONTENT_URI, "body LIKE 'h%' AND read = 1", "date DESC", "address", "body", "no_such_column"));
        button(R.id.stored_insert, this::insert);
        button(R.id.stored_calls, () -> rows(CallLog.Calls.CONTENT_URI, null, "date", "number", "type", "duration"));
        button(R.id.stored_calendar, this::calendar);
        button(R.id.stored_pictures, this::pictures);
        button(R.id.stored_music, () -> rows(MediaStore.Audio.Media.EXTERNAL_CONTENT_URI, "is_music != 0", null, "title", "mime_type"));
        button(R.id.stored_documents, this::documents);
    }

    private void rows(Uri uri, String where, String order, String... columns) {
        result(table(uri, where, order, columns));
    }

    private String table(Uri uri, String where, String order, String... columns) {
        StringBuilder text = new StringBuilder();
        try (Cursor cursor = getContentResolver().query(uri, columns, where, null, order)) {
            while (cursor.moveToNext()) {
                text.append(text.length() == 0 ? "" : "; ");
                for (int i = 0; i < columns.length; i++) {
                    text.append(i == 0 ? "" : " ").append(cursor.getString(i));
                }
            }
        }
        return text.length() == 0 ? "nothing" : text.toString();
    }

    private void insert() {
        ContentValues message = new ContentValues();
        message.put("address", "+1");
        message.put("body", "heard of it?");
        Uri added = getContentResolver().insert(Telephony.Sms.Inbox.CONTENT_URI, message);
        ContentValues read = new ContentValues();
        read.put("read", 1);
        int changed = getContentResolver().update(Telephony.Sms.CONTENT_URI, read, "_id = ?", new String[] {added.getLastPathSegment()});
        result(changed + ", " + table(Telephony.Sms.Inbox.CONTENT_URI, null, "_id", "_id", "type", "read"));
    }

    private void calendar() {
        Uri.Builder from = CalendarContract.Instances.CONTENT_URI.buildUpon();
        ContentUris.appendId(from, 1715900000000L);
        ContentUris.appendId(from, 1716000000000L);
        rows(from.build(), null, null, "title", "eventLocation", "calendar_displayName");
    }

    private void pictures() {
        Uri all = MediaStore.Images.Media.EXTERNAL_CONTENT_URI;
        try (Cursor cursor = getContentResolver().query(all, new String[] {"_id", "_display_name", "_size"}, null, null, null)) {
            String said = "nothing";
            if (cursor.moveToFirst()) {
                Uri one = ContentUris.withAppendedId(all, cursor.getLong(0));
                int read = 0;
                try (InputStream in = getContentResolver().openInputStream(one)) {
                    while (in.read() >= 0) {
                        read++;
                    }
                }
                said = cursor.getString(1) + " of " + cursor.getLong(2) + " bytes, " + read + " read, " + getContentResolver().getType(one);
            }
            result(said + ", added " + (fresh(all) ? "now" : "at another time"));
        } catch (IOException e) {
            result("failed: " + e);
        }
    }

    /** Whether the store dates a new picture by the device's clock. */
    private boolean fresh(Uri all) {
        ContentValues picture = new ContentValues();
        picture.put(MediaStore.MediaColumns.DISPLAY_NAME, "dated.png");
        picture.put(MediaStore.MediaColumns.MIME_TYPE, "image/png");
        Uri added = getContentResolver().insert(all, picture);
        try (Cursor cursor = getContentResolver().query(added, new String[] {"date_added", "date_modified"}, null, null, null)) {
            cursor.moveToFirst();
            long now = System.currentTimeMillis() / 1000;
            return Math.abs(now - cursor.getLong(0)) < 2 && Math.abs(now - cursor.getLong(1)) < 2;
        } finally {
            getContentResolver().delete(added, null, null);
        }
    }

    private void documents() {
        File folder = Environment.getExternalStoragePublicDirectory(Environment.DIRECTORY_DOCUMENTS);
        String[] names = folder.list();
        result(names == null ? "no folder" : Arrays.toString(names));
    }
}
