package org.droidtest.outside;

import android.app.Activity;
import android.bluetooth.BluetoothAdapter;
import android.content.ClipData;
import android.content.Intent;
import android.database.Cursor;
import android.graphics.Bitmap;
import android.graphics.BitmapFactory;
import android.net.Uri;
import android.os.Bundle;
import android.provider.ContactsContract;
import android.provider.ContactsContract.CommonDataKinds.Phone;
import android.provider.DocumentsContract;
import android.provider.MediaStore;
import android.speech.RecognizerIntent;
import java.io.InputStream;
import java.io.OutputStream;

/** Asks other apps, and says what came back. */
public final class MainActivity extends Screen {
    private static final Uri PICTURE = Uri.parse("content://org.droidtest.outside.pictures/shot.jpg");
    private int asked;
    private int stops;

    @Override
    void fill() {
        ask(R.id.pick_contact, new Intent(Intent.ACTION_PICK, ContactsContract.Contacts.CONTENT_URI));
        ask(R.id.pick_phone, new Intent(Intent.ACTION_PICK).setType(Phone.CONTENT_TYPE));
        ask(R.id.pick_image, new Intent(Intent.ACTION_PICK, MediaStore.Images.Media.EXTERNAL_CONTENT_URI));
        ask(R.id.pick_images, new Intent(MediaStore.ACTION_PICK_IMAGES).putExtra(MediaStore.EXTRA_PICK_IMAGES_MAX, 5));
        ask(R.id.get_content, new Intent(Intent.ACTION_GET_CONTENT).setType("image/*").addCategory(Intent.CATEGORY_OPENABLE));
        ask(R.id.open_document, new Intent(Intent.ACTION_OPEN_DOCUMENT).setType("text/*").addCategory(Intent.CATEGORY_OPENABLE));
        ask(R.id.open_tree, new Intent(Intent.ACTION_OPEN_DOCUMENT_TREE));
        ask(R.id.create_document, new Intent(Intent.ACTION_CREATE_DOCUMENT).setType("text/plain").putExtra(Intent.EXTRA_TITLE, "mine.txt"));
        ask(R.id.thumbnail, new Intent(MediaStore.ACTION_IMAGE_CAPTURE));
        Intent picture = new Intent(MediaStore.ACTION_IMAGE_CAPTURE).putExtra(MediaStore.EXTRA_OUTPUT, PICTURE);
        ask(R.id.picture, picture);
        ask(R.id.speech, new Intent(RecognizerIntent.ACTION_RECOGNIZE_SPEECH));
        ask(R.id.scan, new Intent("com.google.zxing.client.android.SCAN"));
        ask(R.id.bluetooth, new Intent(BluetoothAdapter.ACTION_REQUEST_ENABLE));
        ask(R.id.chooser, Intent.createChooser(new Intent(Intent.ACTION_GET_CONTENT).setType("text/plain"), "Choose"));
        ask(R.id.ringtone, new Intent("android.intent.action.RINGTONE_PICKER"));
        ask(R.id.nobody, new Intent("org.droidtest.NOBODY"));
        button(R.id.resolves, this::resolves);
        button(R.id.network, () -> startActivity(new Intent(this, NetworkActivity.class)));
        button(R.id.fragile, () -> startActivity(new Intent(this, FragileActivity.class)));
        button(R.id.held, () -> startActivity(new Intent(this, HeldActivity.class)));
    }

    private void ask(int id, Intent intent) {
        button(
                id,
                () -> {
                    asked = id;
                    try {
                        startActivityForResult(intent, 1);
                    } catch (RuntimeException e) {
                        result("refused: " + e.getClass().getName());
                    }
                });
    }

    private void resolves() {
        StringBuilder text = new StringBuilder("resolves");
        for (String action :
                new String[] {MediaStore.ACTION_PICK_IMAGES, RecognizerIntent.ACTION_RECOGNIZE_SPEECH, Intent.ACTION_OPEN_DOCUMENT, "org.droidtest.NOBODY"}) {
            text.append(' ').append(new Intent(action).resolveActivity(getPackageManager()) != null);
        }
        result(text.toString());
    }

    @Override
    protected void onStop() {
        super.onStop();
        stops++;
    }

    @Override
    protected void onSaveInstanceState(Bundle state) {
        super.onSaveInstanceState(state);
        state.putInt("asked", asked);
    }

    @Override
    protected void onActivityResult(int request, int code, Intent data) {
        if (code == Activity.RESULT_CANCELED) {
            result(name(asked) + " cancelled");
            return;
        }
        try {
            result(name(asked) + " " + said(data) + (stops > 0 ? " after a stop" : ""));
        } catch (Exception e) {
            result("failed: " + e);
        }
    }

    private String said(Intent data) throws Exception {
        if (asked == R.id.bluetooth) {
            return "on " + BluetoothAdapter.getDefaultAdapter().isEnabled();
        }
        if (asked == R.id.picture) {
            return size(PICTURE);
        }
        if (asked == R.id.thumbnail) {
            Bitmap small = data.getParcelableExtra("data");
            return small.getWidth() + "x" + small.getHeight();
        }
        if (asked == R.id.speech) {
            return data.getStringArrayListExtra(RecognizerIntent.EXTRA_RESULTS).get(0);
        }
        if (asked == R.id.scan) {
            return data.getStringExtra("SCAN_RESULT");
        }
        if (asked == R.id.ringtone) {
            return String.valueOf((Uri) data.getParcelableExtra("android.intent.extra.ringtone.PICKED_URI"));
        }
        Uri uri = data.getData();
        if (asked == R.id.pick_contact || asked == R.id.pick_phone) {
            String column = asked == R.id.pick_phone ? Phone.NUMBER : "display_name";
            try (Cursor cursor = getContentResolver().query(uri, new String[] {column}, null, null, null)) {
                return cursor.moveToFirst() ? cursor.getString(0) : "nobody";
            }
        }
        if (asked == R.id.open_tree) {
            Uri folder = DocumentsContract.buildDocumentUriUsingTree(uri, DocumentsContract.getTreeDocumentId(uri));
            Uri made = DocumentsContract.createDocument(getContentResolver(), folder, "text/plain", "new");
            write(made, "four");
            Uri children = DocumentsContract.buildChildDocumentsUriUsingTree(uri, DocumentsContract.getTreeDocumentId(uri));
            StringBuilder text = new StringBuilder();
            try (Cursor cursor = getContentResolver().query(children, new String[] {"_display_name", "_size"}, null, null, null)) {
                while (cursor.moveToNext()) {
                    text.append(cursor.getString(0)).append(' ').append(cursor.getString(1)).append(' ');
                }
            }
            return text.toString().trim();
        }
        if (asked == R.id.create_document) {
            write(uri, "twelve bytes");
            return bytes(uri) + " bytes of " + getContentResolver().getType(uri);
        }
        if (asked == R.id.pick_images && data.getClipData() != null) {
            ClipData clip = data.getClipData();
            return clip.getItemCount() + " pictures, the last " + size(clip.getItemAt(clip.getItemCount() - 1).getUri());
        }
        return asked == R.id.open_document || asked == R.id.chooser ? bytes(uri) + " bytes" : size(uri);
    }

    private void write(Uri uri, String text) throws Exception {
        try (OutputStream out = getContentResolver().openOutputStream(uri)) {
            out.write(text.getBytes("UTF-8"));
        }
    }

    private int bytes(Uri uri) throws Exception {
        int read = 0;
        try (InputStream in = getContentResolver().openInputStream(uri)) {
            while (in.read() >= 0) {
                read++;
            }
        }
        return read;
    }

    private String size(Uri uri) throws Exception {
        try (InputStream in = getContentResolver().openInputStream(uri)) {
            Bitmap picture = BitmapFactory.decodeStream(in);
            return picture == null ? "no picture" : "a picture " + (picture.getWidth() > 0);
        }
    }
}
