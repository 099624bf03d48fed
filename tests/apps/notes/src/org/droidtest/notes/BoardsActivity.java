package org.droidtest.notes;

import android.app.Activity;
import android.os.Bundle;
import android.os.SystemClock;
import android.widget.ArrayAdapter;
import android.widget.EditText;
import android.widget.ListView;
import android.widget.TabHost;
import android.widget.TextView;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.StringTokenizer;
import java.util.TreeMap;

/** Three tabs: the tags, some figures, and the import. */
public final class BoardsActivity extends Activity {
    private EditText importText;
    private TextView importResult;

    @Override
    protected void onCreate(Bundle state) {
        super.onCreate(state);
        setContentView(R.layout.boards);
        importText = findViewById(R.id.import_text);
        importResult = findViewById(R.id.import_result);
        TabHost tabs = findViewById(android.R.id.tabhost);
        tabs.setup();
        add(tabs, "board", R.string.board, R.id.board);
        add(tabs, "statistics", R.string.statistics, R.id.statistics);
        add(tabs, "import", R.string.import_notes, R.id.importer);
        tabs.setOnTabChangedListener(tag -> refresh());
        if (state != null) {
            tabs.setCurrentTabByTag(state.getString("tab"));
        }
        findViewById(R.id.recalculate).setOnClickListener(view -> recalculate());
        findViewById(R.id.import_run).setOnClickListener(view -> importNotes());
        refresh();
    }

    private void add(TabHost tabs, String tag, int label, int content) {
        tabs.addTab(tabs.newTabSpec(tag).setIndicator(getString(label)).setContent(content));
    }

    @Override
    protected void onSaveInstanceState(Bundle state) {
        super.onSaveInstanceState(state);
        TabHost tabs = findViewById(android.R.id.tabhost);
        state.putString("tab", tabs.getCurrentTabTag());
    }

    private void refresh() {
        Map<String, Integer> counts = new TreeMap<>();
        int words = 0;
        List<Note> notes = NoteStore.of(this).all();
        for (Note note : notes) {
            words += new StringTokenizer(note.body).countTokens();
            String tags = note.tags == null ? getString(R.string.untagged) : note.tags;
            StringTokenizer each = new StringTokenizer(tags);
            while (each.hasMoreTokens()) {
                counts.merge(each.nextToken(), 1, Integer::sum);
            }
        }
        List<String> lines = new ArrayList<>();
        for (Map.Entry<String, Integer> tag : counts.entrySet()) {
            lines.add(tag.getKey() + "  " + tag.getValue());
        }
        ((ListView) findViewById(R.id.board))
                .setAdapter(new ArrayAdapter<>(this, R.layout.board_row, lines));
        ((TextView) findViewById(R.id.stats_notes))
                .setText(getString(R.string.app_name) + ": " + notes.size());
        ((TextView) findViewById(R.id.stats_words)).setText(getString(R.string.words, words));
    }

    /** Planted statistics-anr: the main thread waits for figures that take their time. */
    private void recalculate() {
        SystemClock.sleep(8000);
        refresh();
    }

    private void importNotes() {
        String text = importText.getText().toString();
        if (text.trim().isEmpty()) {
            importResult.setText(R.string.nothing_to_import);
        } else {
            new ImportTask(this).execute(text);
        }
    }

    void imported(int count) {
        importText.setText("");
        importResult.setText(getString(R.string.imported, count));
    }
}
