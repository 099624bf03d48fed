package org.droidtest.outside;

import android.content.ContentProviderOperation;
import android.content.ContentUris;
import android.content.ContentValues;
import android.database.Cursor;
import android.graphics.Bitmap;
import android.net.Uri;
import android.provider.CalendarContract;
import android.provider.CallLog;
import android.provider.ContactsContract;
import android.provider.MediaStore;
import android.provider.Telephony;
import android.provider.UserDictionary;
import java.io.File;
import java.io.OutputStream;
import java.util.ArrayList;

/** Reads what a phone in use has on it, and adds to it as apps do. */
public final class RowsActivity extends Screen {
    @Override
    void fill() {
        button(R.id.counts, this::counts);
        button(R.id.sorted, this::sorted);
        button(R.id.add_contact, this::addContact);
        button(R.id.save_picture, this::savePicture);
    }

    private int count(Uri uri, String where) {
        try (Cursor cursor = getContentResolver().query(uri, null, where, null, null)) {
            return cursor.getCount();
        }
    }

    private void counts() {
        result(
                count(ContactsContract.Contacts.CONTENT_URI, null)
                        + " " + count(ContactsContract.Contacts.CONTENT_URI, "has_phone_number = 1")
                        + " " + count(Telephony.Sms.CONTENT_URI, null)
                        + " " + count(CallLog.Calls.CONTENT_URI, null)
                        + " " + count(CalendarContract.Events.CONTENT_URI, null)
                        + " " + count(MediaStore.Images.Media.EXTERNAL_CONTENT_URI, null)
                        + " " + count(MediaStore.Video.Media.EXTERNAL_CONTENT_URI, null)
                        + " " + count(MediaStore.Audio.Media.EXTERNAL_CONTENT_URI, null)
                        + " " + count(MediaStore.Downloads.EXTERNAL_CONTENT_URI, null)
                        + " " + count(UserDictionary.Words.CONTENT_URI, null));
    }

    private void sorted() {
        StringBuilder text = new StringBuilder();
        String[] columns = {"display_name"};
        Uri uri = ContactsContract.Contacts.CONTENT_URI;
        try (Cursor cursor = getContentResolver().query(uri, columns, "display_name LIKE ?", new String[] {"%er%"}, "display_name DESC")) {
            while (cursor.moveToNext()) {
                text.append(cursor.getString(0)).append(';');
            }
        }
        result(text.toString());
    }

    /** As the documentation of ContactsContract shows it. */
    private void addContact() {
        ArrayList<ContentProviderOperation> all = new ArrayList<>();
        all.add(
                ContentProviderOperation.newInsert(ContactsContract.RawContacts.CONTENT_URI)
                        .withValue("account_type", null)
                        .withValue("account_name", null)
                        .build());
        all.add(
                ContentProviderOperation.newInsert(ContactsContract.Data.CONTENT_URI)
                        .withValueBackReference("raw_contact_id", 0)
                        .withValue("mimetype", "vnd.android.cursor.item/name")
                        .withValue("data1", "Alan Turing")
                        .build());
        all.add(
                ContentProviderOperation.newInsert(ContactsContract.Data.CONTENT_URI)
                        .withValueBackReference("raw_contact_id", 0)
                        .withValue("mimetype", "vnd.android.cursor.item/phone_v2")
                        .withValue("data1", "555-1912")
                        .build());
        try {
            getContentResolver().applyBatch("com.android.contacts", all);
        } catch (Exception e) {
            result("failed: " + e);
            return;
        }
        Uri phones = ContactsContract.CommonDataKinds.Phone.CONTENT_URI;
        String[] columns = {"display_name", "data1", "contact_id"};
        try (Cursor cursor = getContentResolver().query(phones, columns, "data1 LIKE '%1912'", null, null)) {
            if (!cursor.moveToFirst()) {
                result("no phone");
                return;
            }
            Uri contact = ContentUris.withAppendedId(ContactsContract.Contacts.CONTENT_URI, cursor.getLong(2));
            result(cursor.getString(0) + " " + cursor.getString(1) + " " + count(contact, "has_phone_number = 1"));
        }
    }

    /** As apps save pictures since Android 10. */
    private void savePicture() {
        ContentValues values = new ContentValues();
        values.put("_display_name", "saved.png");
        values.put("mime_type", "image/png");
        values.put("relative_path", "Pictures/Outside");
        Uri uri = getContentResolver().insert(MediaStore.Images.Media.EXTERNAL_CONTENT_URI, values);
        try (OutputStream out = getContentResolver().openOutputStream(uri)) {
            Bitmap.createBitmap(3, 3, Bitmap.Config.ARGB_8888).compress(Bitmap.CompressFormat.PNG, 100, out);
        } catch (Exception e) {
            result("failed: " + e);
            return;
        }
        boolean there = new File("/sdcard/Pictures/Outside/saved.png").length() > 0;
        result("saved " + there + " " + getContentResolver().getType(uri) + " " + count(uri, null));
    }
}
