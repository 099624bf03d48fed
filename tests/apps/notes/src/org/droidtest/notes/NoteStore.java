package org.droidtest.notes;

import android.content.ContentValues;
import android.content.Context;
import android.database.Cursor;
import android.database.sqlite.SQLiteDatabase;
import android.database.sqlite.SQLiteOpenHelper;
import java.util.ArrayList;
import java.util.List;

/** The notes, in an SQLite database. */
final class NoteStore extends SQLiteOpenHelper {
    private static NoteStore instance;

    static synchronized NoteStore of(Context context) {
        if (instance == null) {
            instance = new NoteStore(context.getApplicationContext());
        }
        return instance;
    }

    private NoteStore(Context context) {
        super(context, "notes.db", null, 1);
    }

    @Override
    public void onCreate(SQLiteDatabase db) {
        db.execSQL(
                "CREATE TABLE notes (id INTEGER PRIMARY KEY AUTOINCREMENT, title TEXT NOT NULL,"
                        + " body TEXT NOT NULL, tags TEXT, copy_of INTEGER NOT NULL DEFAULT 0)");
        seed(db, "Shopping", "Bread\nApples\nLamp oil", "home");
        seed(db, "Welcome", "Touch a note to read it.\nHold it for more.", null);
    }

    private static void seed(SQLiteDatabase db, String title, String body, String tags) {
        db.insertOrThrow("notes", null, values(title, body, tags));
    }

    private static ContentValues values(String title, String body, String tags) {
        ContentValues values = new ContentValues();
        values.put("title", title);
        values.put("body", body);
        values.put("tags", tags);
        return values;
    }

    @Override
    public void onUpgrade(SQLiteDatabase db, int from, int to) {}

    /** All notes, the newest first. */
    List<Note> all() {
        return read("1", null);
    }

    /** One note, or null. */
    Note find(long id) {
        List<Note> found = read("id = ?", new String[] {Long.toString(id)});
        return found.isEmpty() ? null : found.get(0);
    }

    private List<Note> read(String where, String[] arguments) {
        List<Note> notes = new ArrayList<>();
        String[] columns = {"id", "title", "body", "tags", "copy_of"};
        try (Cursor rows =
                getReadableDatabase()
                        .query("notes", columns, where, arguments, null, null, "id DESC")) {
            while (rows.moveToNext()) {
                Note note = new Note();
                note.id = rows.getLong(0);
                note.title = rows.getString(1);
                note.body = rows.getString(2);
                note.tags = rows.getString(3);
                note.copyOf = rows.getLong(4);
                notes.add(note);
            }
        }
        return notes;
    }

    /** Stores a note, without its tags, and gives it an id if it is new. */
    void save(Note note) {
        ContentValues values = values(note.title, note.body, note.tags);
        values.remove("tags");
        values.put("copy_of", note.copyOf);
        if (note.id < 0) {
            note.id = getWritableDatabase().insertOrThrow("notes", null, values);
        } else {
            String[] id = {Long.toString(note.id)};
            getWritableDatabase().update("notes", values, "id = ?", id);
        }
    }

    /** Planted tag-quote: the tags go into the statement as they are. */
    void setTags(long id, String tags) {
        getWritableDatabase()
                .execSQL("UPDATE notes SET tags = '" + tags + "' WHERE id = " + id);
    }

    void duplicate(Note note) {
        ContentValues values = values(note.title, note.body, note.tags);
        values.put("copy_of", note.id);
        getWritableDatabase().insertOrThrow("notes", null, values);
    }

    void delete(long id) {
        getWritableDatabase().delete("notes", "id = ?", new String[] {Long.toString(id)});
    }

    /** Planted orphan-copy: nobody asks whether the first of three notes is still there. */
    String titleOf(long id) {
        String[] argument = {Long.toString(id)};
        try (Cursor row =
                getReadableDatabase()
                        .rawQuery("SELECT title FROM notes WHERE id = ?", argument)) {
            row.moveToFirst();
            return row.getString(0);
        }
    }
}
