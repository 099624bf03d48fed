package org.droidtest.notes;

import android.app.Activity;
import android.content.Intent;
import android.os.Bundle;
import android.text.Editable;
import android.text.TextWatcher;
import android.view.ContextMenu;
import android.view.Menu;
import android.view.MenuItem;
import android.view.View;
import android.view.ViewGroup;
import android.widget.AdapterView.AdapterContextMenuInfo;
import android.widget.BaseAdapter;
import android.widget.Button;
import android.widget.EditText;
import android.widget.ListView;
import android.widget.PopupMenu;
import android.widget.TextView;
import android.widget.Toast;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The list of notes: search, sort, add, and a menu on each row. */
public final class NotesActivity extends Activity {
    private static final int DETAIL = 1;
    private static final int BY_NEWEST = 0;
    private static final int BY_TAGS = 1;
    private static final int BY_TITLE = 2;
    private static final int[] SORT_LABELS = {
        R.string.sort_newest, R.string.sort_tags, R.string.sort_title
    };

    private final Rows rows = new Rows();
    private List<Note> notes = new ArrayList<>();
    private List<Note> shown = new ArrayList<>();
    private EditText search;
    private Button sort;
    private ListView list;

    @Override
    protected void onCreate(Bundle state) {
        super.onCreate(state);
        setContentView(R.layout.notes);
        search = findViewById(R.id.search);
        sort = findViewById(R.id.sort);
        list = findViewById(R.id.list);
        list.setEmptyView(findViewById(R.id.nothing));
        list.setAdapter(rows);
        list.setOnItemClickListener((parent, row, position, id) -> open(id));
        registerForContextMenu(list);
        sort.setOnClickListener(view -> sortNext());
        findViewById(R.id.add)
                .setOnClickListener(view -> startActivity(new Intent(this, EditorActivity.class)));
        search.addTextChangedListener(
                new TextWatcher() {
                    @Override
                    public void beforeTextChanged(CharSequence s, int a, int b, int c) {}

                    @Override
                    public void onTextChanged(CharSequence s, int a, int b, int c) {}

                    @Override
                    public void afterTextChanged(Editable text) {
                        filter();
                    }
                });
    }

    @Override
    protected void onResume() {
        super.onResume();
        reload();
    }

    private void reload() {
        notes = NoteStore.of(this).all();
        int mode = Prefs.of(this).getInt("sort", BY_NEWEST);
        if (mode == BY_TITLE) {
            Collections.sort(notes, NotesActivity::compareTitles);
        }
        sort.setText(SORT_LABELS[mode]);
        filter();
    }

    private void filter() {
        String wanted = search.getText().toString();
        shown = new ArrayList<>();
        for (Note note : notes) {
            if (note.matches(wanted)) {
                shown.add(note);
            }
        }
        rows.notifyDataSetChanged();
    }

    /** Newest, by tags (until the list is read again), by title, and round again. */
    private void sortNext() {
        int mode = (Prefs.of(this).getInt("sort", BY_NEWEST) + 1) % SORT_LABELS.length;
        Prefs.of(this).edit().putInt("sort", mode).commit();
        reload();
        if (mode == BY_TAGS) {
            Collections.sort(notes, NotesActivity::compareTags);
            filter();
        }
    }

    private static int compareTitles(Note a, Note b) {
        return a.title.compareToIgnoreCase(b.title);
    }

    /** Planted sort-untagged: a note that was never tagged has no tags to compare. */
    private static int compareTags(Note a, Note b) {
        return a.tags.compareToIgnoreCase(b.tags);
    }

    @Override
    public void onBackPressed() {
        if (search.getText().length() > 0) {
            leaveSearch();
        } else {
            super.onBackPressed();
        }
    }

    /** Planted search-back: goes to the first hit, also where there is none. */
    private void leaveSearch() {
        Note first = shown.get(0);
        search.setText("");
        list.setSelection(shown.indexOf(first));
    }

    @Override
    public boolean onCreateOptionsMenu(Menu menu) {
        getMenuInflater().inflate(R.menu.notes, menu);
        return true;
    }

    @Override
    public boolean onOptionsItemSelected(MenuItem item) {
        int id = item.getItemId();
        if (id == R.id.menu_boards) {
            startActivity(new Intent(this, BoardsActivity.class));
        } else if (id == R.id.menu_template) {
            startActivity(new Intent(this, WizardActivity.class));
        } else if (id == R.id.menu_settings) {
            startActivity(new Intent(this, SettingsActivity.class));
        } else if (id == R.id.menu_about) {
            startActivity(new Intent(this, AboutActivity.class));
        } else if (id == R.id.menu_sign_out) {
            Prefs.of(this).edit().remove("signed_in").remove("name").apply();
            startActivity(new Intent(this, SignInActivity.class));
            finish();
        } else {
            return super.onOptionsItemSelected(item);
        }
        return true;
    }

    @Override
    public void onCreateContextMenu(ContextMenu menu, View view, ContextMenu.ContextMenuInfo info) {
        getMenuInflater().inflate(R.menu.row, menu);
    }

    @Override
    public boolean onContextItemSelected(MenuItem item) {
        AdapterContextMenuInfo info = (AdapterContextMenuInfo) item.getMenuInfo();
        return info != null && act(item.getItemId(), info.id);
    }

    private void offer(View anchor, long id) {
        PopupMenu popup = new PopupMenu(this, anchor);
        popup.inflate(R.menu.row);
        popup.setOnMenuItemClickListener(item -> act(item.getItemId(), id));
        popup.show();
    }

    private boolean act(int action, long id) {
        if (action == R.id.menu_open) {
            open(id);
        } else if (action == R.id.menu_edit) {
            startActivity(new Intent(this, EditorActivity.class).putExtra("note", id));
        } else {
            return false;
        }
        return true;
    }

    private void open(long id) {
        startActivityForResult(
                new Intent(this, DetailActivity.class).putExtra("note", id), DETAIL);
    }

    @Override
    protected void onActivityResult(int request, int result, Intent data) {
        if (request == DETAIL && result == DetailActivity.DELETED) {
            Toast.makeText(this, R.string.deleted, Toast.LENGTH_SHORT).show();
        }
    }

    private final class Rows extends BaseAdapter {
        @Override
        public int getCount() {
            return shown.size();
        }

        @Override
        public Note getItem(int position) {
            return shown.get(position);
        }

        @Override
        public long getItemId(int position) {
            return shown.get(position).id;
        }

        @Override
        public boolean hasStableIds() {
            return true;
        }

        @Override
        public View getView(int position, View old, ViewGroup parent) {
            View row = old != null ? old : getLayoutInflater().inflate(R.layout.row, parent, false);
            Note note = getItem(position);
            String title = note.title.isEmpty() ? getString(R.string.untitled) : note.title;
            ((TextView) row.findViewById(R.id.row_title)).setText(title);
            TextView tags = row.findViewById(R.id.row_tags);
            boolean visible = Prefs.isOn(NotesActivity.this, "show_tags") && note.tags != null;
            tags.setText(visible ? note.tags : "");
            tags.setVisibility(visible ? View.VISIBLE : View.GONE);
            row.findViewById(R.id.more).setOnClickListener(view -> offer(view, note.id));
            return row;
        }
    }
}
