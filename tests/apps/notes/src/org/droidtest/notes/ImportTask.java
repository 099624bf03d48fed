package org.droidtest.notes;

import android.os.AsyncTask;
import java.lang.ref.WeakReference;

/** Reads one note a line, off the main thread. */
@SuppressWarnings("deprecation")
final class ImportTask extends AsyncTask<String, Void, Integer> {
    private final WeakReference<BoardsActivity> screen;
    private final NoteStore store;

    ImportTask(BoardsActivity screen) {
        this.screen = new WeakReference<>(screen);
        this.store = NoteStore.of(screen);
    }

    @Override
    protected Integer doInBackground(String... texts) {
        int count = 0;
        for (String line : texts[0].split("\n")) {
            if (!line.trim().isEmpty()) {
                store.save(parse(line));
                count++;
            }
        }
        return count;
    }

    /** Planted import-line: a line without a comma has no second part. */
    private static Note parse(String line) {
        String[] parts = line.split(",");
        Note note = new Note();
        note.title = parts[0].trim();
        note.body = parts[1].trim();
        return note;
    }

    @Override
    protected void onPostExecute(Integer count) {
        BoardsActivity shown = screen.get();
        if (shown != null && !shown.isDestroyed()) {
            shown.imported(count);
        }
    }
}
