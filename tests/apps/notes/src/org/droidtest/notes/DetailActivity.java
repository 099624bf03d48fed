package org.droidtest.notes;

import android.app.Activity;
import android.app.AlertDialog;
import android.content.BroadcastReceiver;
import android.content.ClipData;
import android.content.ClipboardManager;
import android.content.Context;
import android.content.Intent;
import android.content.IntentFilter;
import android.os.Build;
import android.os.Bundle;
import android.os.Handler;
import android.os.Looper;
import android.view.ContextMenu;
import android.view.Menu;
import android.view.MenuItem;
import android.view.View;
import android.widget.TextView;
import android.widget.Toast;
import java.util.StringTokenizer;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** One note, with an options menu and a context menu on its text. */
public final class DetailActivity extends Activity {
    static final int DELETED = RESULT_FIRST_USER;
    static final String SYNC_DONE = "org.droidtest.notes.SYNC_DONE";
    /** How many notes were opened in this life of the process. */
    static int opened;

    private static final ExecutorService COUNTER = Executors.newSingleThreadExecutor();

    private final Handler main = new Handler(Looper.getMainLooper());
    private final BroadcastReceiver sync =
            new BroadcastReceiver() {
                @Override
                public void onReceive(Context context, Intent intent) {
                    synced(intent.getLongExtra("note", -1));
                }
            };
    private Note note;
    private TextView body;

    @Override
    protected void onCreate(Bundle state) {
        super.onCreate(state);
        setContentView(R.layout.detail);
        body = findViewById(R.id.detail_body);
        registerForContextMenu(body);
        if (state == null) {
            opened++;
        }
    }

    @Override
    protected void onStart() {
        super.onStart();
        IntentFilter filter = new IntentFilter(SYNC_DONE);
        if (Build.VERSION.SDK_INT >= 33) {
            registerReceiver(sync, filter, Context.RECEIVER_EXPORTED);
        } else {
            registerReceiver(sync, filter);
        }
    }

    @Override
    protected void onStop() {
        unregisterReceiver(sync);
        super.onStop();
    }

    @Override
    protected void onResume() {
        super.onResume();
        load();
    }

    private void load() {
        note = NoteStore.of(this).find(getIntent().getLongExtra("note", -1));
        if (note == null) {
            finish();
            return;
        }
        ((TextView) findViewById(R.id.detail_title))
                .setText(note.title.isEmpty() ? getString(R.string.untitled) : note.title);
        show(R.id.detail_due, DueDate.in(note.title) == null ? null
                : getString(R.string.due, DueDate.in(note.title)));
        show(R.id.detail_tags, note.tags);
        body.setText(note.body.isEmpty() ? getString(R.string.empty_body) : note.body);
        invalidateOptionsMenu();
        body.setTextSize(Prefs.isOn(this, "large_text") ? 24 : 16);
    }

    private void show(int id, String text) {
        TextView view = findViewById(id);
        view.setText(text);
        view.setVisibility(text == null ? View.GONE : View.VISIBLE);
    }

    /** Planted sync-broadcast: a message that names no note is taken for one of another. */
    private void synced(long id) {
        if (id != note.id) {
            throw new IllegalStateException("synced note " + id + " while another is on screen");
        }
        load();
    }

    @Override
    public boolean onCreateOptionsMenu(Menu menu) {
        getMenuInflater().inflate(R.menu.detail, menu);
        return true;
    }

    @Override
    public boolean onPrepareOptionsMenu(Menu menu) {
        menu.findItem(R.id.menu_share).setVisible(Prefs.isOn(this, "sharing"));
        menu.findItem(R.id.menu_original).setVisible(note != null && note.copyOf != 0);
        return true;
    }

    @Override
    public boolean onOptionsItemSelected(MenuItem item) {
        int id = item.getItemId();
        if (id == R.id.menu_edit) {
            startActivity(new Intent(this, EditorActivity.class).putExtra("note", note.id));
        } else if (id == R.id.menu_share) {
            share();
        } else if (id == R.id.menu_word_count) {
            countWords(note.body);
        } else if (id == R.id.menu_duplicate) {
            NoteStore.of(this).duplicate(note);
            Toast.makeText(this, R.string.duplicated, Toast.LENGTH_SHORT).show();
        } else if (id == R.id.menu_original) {
            show(R.id.detail_origin, origin());
        } else if (id == R.id.menu_delete) {
            new AlertDialog.Builder(this)
                    .setMessage(R.string.delete_note)
                    .setPositiveButton(R.string.delete, (dialog, which) -> delete())
                    .setNegativeButton(R.string.cancel, null)
                    .show();
        } else {
            return super.onOptionsItemSelected(item);
        }
        return true;
    }

    private String origin() {
        Note original = NoteStore.of(this).find(note.copyOf);
        if (original == null) {
            return getString(R.string.original_gone);
        }
        if (original.copyOf == 0) {
            return getString(R.string.copy_of, original.title);
        }
        String first = NoteStore.of(this).titleOf(original.copyOf);
        return getString(R.string.copy_of_copy, first);
    }

    private void share() {
        String text = note.title + "\n" + note.body;
        if (Prefs.isOn(this, "sign_shared")) {
            text += "\n" + signature();
        }
        Intent send =
                new Intent(Intent.ACTION_SEND)
                        .setType("text/plain")
                        .putExtra(Intent.EXTRA_TEXT, text);
        startActivity(Intent.createChooser(send, getString(R.string.share)));
    }

    /** Planted guest-signature: who skipped the sign-in has no name. */
    private String signature() {
        return "-- " + Prefs.of(this).getString("name", null).trim();
    }

    private void countWords(String text) {
        COUNTER.execute(
                () -> {
                    int words = new StringTokenizer(text).countTokens();
                    main.post(() -> show(R.id.detail_words, getString(R.string.words, words)));
                });
    }

    private void delete() {
        NoteStore.of(this).delete(note.id);
        setResult(DELETED);
        finish();
    }

    @Override
    public void onCreateContextMenu(ContextMenu menu, View view, ContextMenu.ContextMenuInfo info) {
        if (!note.body.isEmpty()) {
            getMenuInflater().inflate(R.menu.body, menu);
        }
    }

    @Override
    public boolean onContextItemSelected(MenuItem item) {
        if (item.getItemId() == R.id.menu_split) {
            body.setText(split(note.body));
        } else {
            getSystemService(ClipboardManager.class)
                    .setPrimaryClip(ClipData.newPlainText(note.title, note.body));
        }
        return true;
    }

    /** Planted split-dots: a text of nothing but dots has no first sentence. */
    private static String split(String text) {
        StringTokenizer lines = new StringTokenizer(text, "\n.");
        StringBuilder out = new StringBuilder("\u2022 ").append(lines.nextToken().trim());
        while (lines.hasMoreTokens()) {
            out.append("\n\u2022 ").append(lines.nextToken().trim());
        }
        return out.toString();
    }
}
