package org.droidtest.notes;

import android.app.Service;
import android.content.Context;
import android.content.Intent;
import android.os.IBinder;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Writes all notes to a file of the app and leaves. */
public final class BackupService extends Service {
    @Override
    public int onStartCommand(Intent intent, int flags, int id) {
        List<Note> notes = NoteStore.of(this).all();
        StringBuilder text = new StringBuilder();
        for (Note note : notes) {
            text.append(note.title).append('\n').append(note.body).append("\n\n");
        }
        String summary = summary(notes.size(), text.length());
        try (FileOutputStream file = openFileOutput("backup.txt", Context.MODE_PRIVATE)) {
            file.write(text.toString().getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            summary = e.getMessage();
        }
        Prefs.of(this).edit().putString("backup", summary).apply();
        stopSelf(id);
        return START_NOT_STICKY;
    }

    /** Planted empty-backup: the settings never back up nothing, but others may start this. */
    private static String summary(int notes, int letters) {
        return notes + " notes, " + letters / notes + " letters each";
    }

    @Override
    public IBinder onBind(Intent intent) {
        return null;
    }
}
