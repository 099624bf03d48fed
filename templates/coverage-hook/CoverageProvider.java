package org.droidtest.hook;

import android.content.ContentProvider;
import android.content.ContentValues;
import android.database.Cursor;
import android.net.Uri;
import android.os.ParcelFileDescriptor;
import java.io.File;
import java.io.FileNotFoundException;
import java.io.FileOutputStream;
import java.io.IOException;

/**
 * Provides JaCoCo's execution data of this process to `cargo droidtest`, which reads it with
 * `adb shell content read`. For debug builds only: put it into src/debug with the provider of
 * AndroidManifest.xml next to it. The app needs no permission.
 */
public final class CoverageProvider extends ContentProvider {
    @Override
    public boolean onCreate() {
        return true;
    }

    @Override
    public ParcelFileDescriptor openFile(Uri uri, String mode) throws FileNotFoundException {
        File file = new File(getContext().getCacheDir(), "droidtest-coverage.exec");
        try (FileOutputStream out = new FileOutputStream(file)) {
            // By name: the runtime exists only in builds with coverage.
            Object agent = Class.forName("org.jacoco.agent.rt.RT").getMethod("getAgent").invoke(null);
            Class<?> type = Class.forName("org.jacoco.agent.rt.IAgent");
            out.write((byte[]) type.getMethod("getExecutionData", boolean.class).invoke(agent, false));
        } catch (ReflectiveOperationException | IOException e) {
            throw new FileNotFoundException("no coverage in this build: " + e);
        }
        return ParcelFileDescriptor.open(file, ParcelFileDescriptor.MODE_READ_ONLY);
    }

    @Override
    public String getType(Uri uri) {
        return "application/octet-stream";
    }

    @Override
    public Cursor query(Uri uri, String[] columns, String where, String[] args, String order) {
        return null;
    }

    @Override
    public Uri insert(Uri uri, ContentValues values) {
        return null;
    }

    @Override
    public int update(Uri uri, ContentValues values, String where, String[] args) {
        return 0;
    }

    @Override
    public int delete(Uri uri, String where, String[] args) {
        return 0;
    }
}
