package droidtest.app;

import android.content.ContentResolver;
import android.content.ContentUris;
import android.content.ContentValues;
import android.content.Context;
import android.database.Cursor;
import android.media.MediaScannerConnection;
import android.net.Uri;
import android.os.Handler;
import android.os.Looper;
import android.provider.MediaStore;
import droidtest.host.box.Paths;
import java.io.File;
import java.util.Locale;
import java.util.Map;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.annotation.RealObject;
import org.robolectric.shadows.ShadowMediaScannerConnection;
import org.robolectric.util.ReflectionHelpers;

/** The media scanner: adds a requested file to the media store soon after, and notifies the caller. */
@Implements(MediaScannerConnection.class)
public class Scans extends ShadowMediaScannerConnection {
  private static final int SCAN_MS = 50;
  /** By the file extension; without one, the type given by the app. */
  private static final Map<String, String> TYPES =
      Map.ofEntries(
          Map.entry("jpg", "image/jpeg"), Map.entry("jpeg", "image/jpeg"), Map.entry("png", "image/png"),
          Map.entry("gif", "image/gif"), Map.entry("webp", "image/webp"), Map.entry("bmp", "image/bmp"),
          Map.entry("mp4", "video/mp4"), Map.entry("3gp", "video/3gpp"), Map.entry("webm", "video/webm"),
          Map.entry("mp3", "audio/mpeg"), Map.entry("m4a", "audio/mp4"), Map.entry("ogg", "audio/ogg"),
          Map.entry("wav", "audio/x-wav"), Map.entry("flac", "audio/flac"), Map.entry("amr", "audio/amr"));

  @RealObject private MediaScannerConnection connection;
  private boolean connected;

  @Implementation
  protected static void scanFile(
      Context context, String[] paths, String[] types, MediaScannerConnection.OnScanCompletedListener listener) {
    ShadowMediaScannerConnection.scanFile(context, paths, types, listener);
    for (int i = 0; i < paths.length; i++) {
      scan(paths[i], types != null && i < types.length ? types[i] : null, listener);
    }
  }

  @Implementation
  protected void connect() {
    connected = true;
    later(
        () -> {
          MediaScannerConnection.MediaScannerConnectionClient client = client();
          if (client != null && connected) {
            client.onMediaScannerConnected();
          }
        });
  }

  @Implementation
  protected void disconnect() {
    connected = false;
  }

  @Implementation
  protected boolean isConnected() {
    return connected;
  }

  @Implementation
  protected void scanFile(String path, String type) {
    if (!connected) {
      throw new IllegalStateException("not connected to MediaScannerService");
    }
    scan(path, type, client());
  }

  private MediaScannerConnection.MediaScannerConnectionClient client() {
    return ReflectionHelpers.getField(connection, "mClient");
  }

  private static void later(Runnable task) {
    new Handler(Looper.getMainLooper()).postDelayed(task, SCAN_MS);
  }

  private static void scan(String path, String type, MediaScannerConnection.OnScanCompletedListener listener) {
    later(
        () -> {
          Uri uri = path == null ? null : stored(path, type);
          if (listener != null) {
            listener.onScanCompleted(path, uri);
          }
        });
  }

  /** The file's row in the media store, null if there is no such file or it is not for that. */
  private static Uri stored(String path, String type) {
    File file = Paths.use(new File(path));
    Uri shelf = shelf(type(path, type));
    if (shelf == null || !file.isFile()) {
      return null;
    }
    ContentResolver resolver = AppProcess.application().getContentResolver();
    String[] column = {MediaStore.MediaColumns._ID};
    String where = MediaStore.MediaColumns.DATA + " = ?";
    try (Cursor rows = resolver.query(shelf, column, where, new String[] {path}, null)) {
      if (rows != null && rows.moveToFirst()) {
        return ContentUris.withAppendedId(shelf, rows.getLong(0));
      }
    }
    ContentValues row = new ContentValues();
    row.put(MediaStore.MediaColumns.DATA, path);
    row.put(MediaStore.MediaColumns.DISPLAY_NAME, file.getName());
    row.put(MediaStore.MediaColumns.TITLE, file.getName().replaceFirst("\\.[^.]*$", ""));
    row.put(MediaStore.MediaColumns.SIZE, file.length());
    row.put(MediaStore.MediaColumns.MIME_TYPE, type(path, type));
    return resolver.insert(shelf, row);
  }

  private static String type(String path, String given) {
    String known = TYPES.get(path.substring(path.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT));
    return known != null ? known : String.valueOf(given);
  }

  private static Uri shelf(String type) {
    switch (type.substring(0, Math.max(0, type.indexOf('/')))) {
      case "image":
        return MediaStore.Images.Media.EXTERNAL_CONTENT_URI;
      case "video":
        return MediaStore.Video.Media.EXTERNAL_CONTENT_URI;
      case "audio":
        return MediaStore.Audio.Media.EXTERNAL_CONTENT_URI;
      default:
        return null;
    }
  }
}
