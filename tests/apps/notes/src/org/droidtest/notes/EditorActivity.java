package org.droidtest.notes;

import android.app.Activity;
import android.os.Bundle;
import android.text.Editable;
import android.text.TextWatcher;
import android.view.Menu;
import android.view.MenuItem;
import android.view.View;
import android.widget.EditText;
import android.widget.Toast;

/** Writes a new note or changes one. */
public final class EditorActivity extends Activity {
    private FormatHistory history = new FormatHistory();
    private Note note;
    private EditText title;
    private EditText tags;
    private EditText body;
    private View formatBar;
    private boolean formatting;

    @Override
    protected void onCreate(Bundle state) {
        super.onCreate(state);
        setContentView(R.layout.editor);
        title = findViewById(R.id.title);
        tags = findViewById(R.id.tags);
        body = findViewById(R.id.body);
        formatBar = findViewById(R.id.format_bar);
        note = NoteStore.of(this).find(getIntent().getLongExtra("note", -1));
        if (note == null) {
            note = new Note();
        }
        if (state == null) {
            title.setText(note.title);
            tags.setText(note.tags);
            body.setText(note.body);
        } else if (state.getBoolean("format_bar")) {
            formatBar.setVisibility(View.VISIBLE);
        }
        findViewById(R.id.save).setOnClickListener(view -> save());
        findViewById(R.id.bold).setOnClickListener(view -> format(FormatHistory.BOLD));
        findViewById(R.id.italic).setOnClickListener(view -> format(FormatHistory.ITALIC));
        findViewById(R.id.undo).setOnClickListener(view -> show(history.undo(text(body))));
        findViewById(R.id.redo).setOnClickListener(view -> show(history.redo(text(body))));
        body.addTextChangedListener(
                new TextWatcher() {
                    @Override
                    public void beforeTextChanged(CharSequence s, int a, int b, int c) {}

                    @Override
                    public void onTextChanged(CharSequence s, int a, int b, int c) {}

                    @Override
                    public void afterTextChanged(Editable text) {
                        if (!formatting) {
                            history = new FormatHistory();
                        }
                    }
                });
    }

    @Override
    protected void onSaveInstanceState(Bundle state) {
        super.onSaveInstanceState(state);
        state.putBoolean("format_bar", formatBar.getVisibility() == View.VISIBLE);
    }

    private static String text(EditText field) {
        return field.getText().toString();
    }

    private void format(String mark) {
        show(history.apply(text(body), mark));
    }

    private void show(String text) {
        formatting = true;
        body.setText(text);
        formatting = false;
    }

    private void save() {
        String heading = text(title).trim();
        if (heading.isEmpty()) {
            title.setError(getString(R.string.error_title));
            return;
        }
        String due = DueDate.in(heading);
        note.title = heading;
        note.body = text(body).trim();
        if (due != null) {
            String when = DueDate.parse(due).toString();
            Toast.makeText(this, getString(R.string.due, when), Toast.LENGTH_SHORT).show();
        }
        NoteStore.of(this).save(note);
        if (!text(tags).equals(note.tags == null ? "" : note.tags)) {
            NoteStore.of(this).setTags(note.id, text(tags));
        }
        finish();
    }

    private boolean changed() {
        String before = note.tags == null ? "" : note.tags;
        return !text(title).equals(note.title)
                || !text(tags).equals(before)
                || !text(body).equals(note.body);
    }

    /** Leaving keeps what was written, if it has a title. */
    @Override
    public void onBackPressed() {
        if (changed() && !text(title).trim().isEmpty()) {
            save();
        } else {
            super.onBackPressed();
        }
    }

    @Override
    public boolean onCreateOptionsMenu(Menu menu) {
        getMenuInflater().inflate(R.menu.editor, menu);
        return true;
    }

    @Override
    public boolean onOptionsItemSelected(MenuItem item) {
        if (item.getItemId() == R.id.menu_formatting) {
            boolean visible = formatBar.getVisibility() == View.VISIBLE;
            formatBar.setVisibility(visible ? View.GONE : View.VISIBLE);
            return true;
        }
        return super.onOptionsItemSelected(item);
    }
}
