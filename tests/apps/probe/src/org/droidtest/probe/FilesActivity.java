package org.droidtest.probe;

import android.system.ErrnoException;
import android.system.Os;
import android.system.OsConstants;
import java.io.File;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;

/** Works on files by system calls, as apps do that save pictures. */
public final class FilesActivity extends Screen {
    private interface Attempt {
        void run() throws ErrnoException, IOException;
    }

    @Override
    void fill() {
        button(R.id.system_calls, () -> result(calls()));
        button(R.id.system_errors, () -> result(errors()));
        button(R.id.system_folders, () -> result(folders()));
    }

    private String calls() {
        File file = new File(getFilesDir(), "calls");
        File other = new File(getFilesDir(), "renamed");
        try {
            int flags = OsConstants.O_RDWR | OsConstants.O_CREAT | OsConstants.O_TRUNC;
            FileDescriptor opened = Os.open(file.getPath(), flags, 0600);
            ByteBuffer direct = ByteBuffer.allocateDirect(70_000);
            int written = 0;
            while (direct.hasRemaining()) {
                written += Os.write(opened, direct);
            }
            written += Os.write(opened, ByteBuffer.wrap("abcdef".getBytes(), 1, 3));
            written += Os.write(opened, "uvwxyz".getBytes(), 2, 2);
            Os.pwrite(opened, new byte[] {'!'}, 0, 1, 70_000);
            long at = Os.lseek(opened, -5, OsConstants.SEEK_END);
            byte[] bytes = new byte[8];
            int read = Os.read(opened, bytes, 0, 8);
            int none = Os.read(opened, ByteBuffer.allocate(8));
            String text = new String(bytes, 0, read);
            Os.pread(opened, bytes, 0, 2, 70_001);
            Os.ftruncate(opened, 7);
            long less = Os.fstat(opened).st_size;
            Os.ftruncate(opened, 9);
            Os.fsync(opened);
            Os.close(opened);
            Os.rename(file.getPath(), other.getPath());
            String shown = written + " " + at + " " + text + " " + none + " " + (char) bytes[0] + " " + less + " "
                    + other.length() + " " + file.exists() + " " + Os.access(other.getPath(), OsConstants.R_OK)
                    + " " + opened.valid();
            Os.remove(other.getPath());
            return shown + " " + other.exists() + " " + (Os.getpid() == android.os.Process.myPid());
        } catch (ErrnoException | IOException e) {
            return e.toString();
        }
    }

    private String errors() {
        File folder = new File(getFilesDir(), "folder");
        File inside = new File(folder, "inside");
        folder.mkdirs();
        return error(() -> Os.open(new File(folder, "none").getPath(), OsConstants.O_RDONLY, 0))
                + ", " + error(() -> new FileOutputStream(inside).close())
                + ", " + error(() -> Os.open(inside.getPath(), OsConstants.O_CREAT | OsConstants.O_EXCL, 0))
                + ", " + error(() -> Os.write(Os.open(inside.getPath(), OsConstants.O_RDONLY, 0), new byte[1], 0, 1))
                + ", " + error(() -> Os.read(new FileDescriptor(), new byte[1], 0, 1))
                + ", " + error(() -> Os.remove(folder.getPath()))
                + ", " + error(() -> Os.access("/sdcard/no such file", OsConstants.R_OK))
                + ", " + error(() -> Os.open("/etc/passwd", OsConstants.O_RDONLY, 0))
                + ", " + error(() -> Os.pread(Os.open(inside.getPath(), OsConstants.O_RDONLY, 0), new byte[1], 0, 1, -1))
                + ", " + error(() -> appended(new File(folder, "appended")))
                + ", " + error(() -> Os.rename(inside.getPath(), new File(folder, "a/b").getPath()));
    }

    /** Opens for writing only, opens folders as libraries do that write safely, and removes a link to a folder. */
    private String folders() {
        File folder = new File(getFilesDir(), "opened");
        File file = new File(folder, "written");
        File link = new File(getFilesDir(), "link");
        folder.mkdirs();
        link.delete();
        return error(() -> {
                    FileDescriptor written = Os.open(file.getPath(), OsConstants.O_WRONLY | OsConstants.O_CREAT, 0600);
                    Os.write(written, new byte[] {1}, 0, 1);
                    Os.read(written, new byte[1], 0, 1);
                })
                + ", " + error(() -> {
                    FileDescriptor opened = Os.open(folder.getPath(), OsConstants.O_RDONLY, 0);
                    Os.fsync(opened);
                    if (!OsConstants.S_ISDIR(Os.fstat(opened).st_mode)) {
                        throw new IOException("no folder");
                    }
                    try {
                        Os.read(opened, new byte[1], 0, 1);
                    } finally {
                        Os.close(opened);
                    }
                })
                + ", " + error(() -> Os.open(folder.getPath(), OsConstants.O_RDWR, 0))
                + ", " + error(() -> Files.createSymbolicLink(link.toPath(), folder.toPath()))
                + ", " + error(() -> Os.open(link.getPath(), OsConstants.O_RDONLY | OsConstants.O_NOFOLLOW, 0))
                + ", " + error(() -> Os.unlink(link.getPath()))
                + ", " + error(() -> Os.unlink(folder.getPath()))
                + ", " + file.exists();
    }

    /** By a thread that is interrupted, which may use files. */
    private static void appended(File file) throws ErrnoException, IOException {
        FileDescriptor opened =
                Os.open(file.getPath(), OsConstants.O_RDWR | OsConstants.O_CREAT | OsConstants.O_APPEND, 0600);
        Thread.currentThread().interrupt();
        for (String part : new String[] {"ab", "cd"}) {
            Os.lseek(opened, 0, OsConstants.SEEK_SET);
            Os.write(opened, part.getBytes(), 0, 2);
        }
        boolean interrupted = Thread.interrupted();
        byte[] read = new byte[5];
        int length = Os.pread(opened, read, 0, 5, 0);
        throw new IOException(new String(read, 0, length) + " " + interrupted);
    }

    private static String error(Attempt attempt) {
        try {
            attempt.run();
            return "done";
        } catch (ErrnoException | IOException e) {
            return String.valueOf(e.getMessage()).replaceFirst(" \\(.*", "");
        }
    }
}
