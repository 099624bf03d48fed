package droidtest.app;

import android.database.Cursor;
import android.database.MatrixCursor;
import android.net.Uri;
import android.os.Bundle;
import android.os.ParcelFileDescriptor;
import android.provider.DocumentsContract;
import android.provider.DocumentsContract.Document;
import android.provider.DocumentsContract.Root;
import android.webkit.MimeTypeMap;
import java.io.File;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The documents of the shared storage, as Android's provider names them: {@code primary:Documents/notes.txt}. */
final class Documents extends Providers.Empty {
  static final String AUTHORITY = "com.android.externalstorage.documents";
  private static final String VOLUME = "primary:";
  private static final int DEEPEST = 4;
  private static final String[] COLUMNS = {
    Document.COLUMN_DOCUMENT_ID, Document.COLUMN_MIME_TYPE, Document.COLUMN_DISPLAY_NAME, Document.COLUMN_LAST_MODIFIED,
    Document.COLUMN_FLAGS, Document.COLUMN_SIZE
  };
  private static final String[] ROOT = {
    Root.COLUMN_ROOT_ID, Root.COLUMN_TITLE, Root.COLUMN_DOCUMENT_ID, Root.COLUMN_FLAGS, Root.COLUMN_MIME_TYPES
  };

  /** The documents of one of these types, in the order of their names. */
  static List<String> files(String[] types, int most) {
    Path storage = AppProcess.sdcard();
    // The storage may be a link, which a walk from its name does not follow.
    try (Stream<Path> all = Files.walk(storage.resolve("."), DEEPEST)) {
      return all.filter(Files::isRegularFile)
          .map(path -> VOLUME + storage.relativize(path.normalize()))
          .filter(id -> !id.contains("/."))
          .filter(id -> Arrays.stream(types).anyMatch(wanted -> fits(wanted, type(id))))
          .sorted()
          .limit(most)
          .collect(Collectors.toList());
    } catch (IOException e) {
      return List.of();
    }
  }

  private static boolean fits(String wanted, String type) {
    return wanted.equals("*/*") || wanted.equals(type)
        || wanted.endsWith("/*") && type.startsWith(wanted.substring(0, wanted.length() - 1));
  }

  /** Makes an empty file or a folder, under a name that is free. */
  static String create(String parent, String type, String name) throws IOException {
    String clean = name.replaceAll("[/\\x00-\\x1f]", "_");
    boolean folder = type.equals(Document.MIME_TYPE_DIR);
    String ending = folder ? null : MimeTypeMap.getSingleton().getExtensionFromMimeType(type);
    if (ending != null && !clean.contains(".")) {
      clean += "." + ending;
    }
    String id = parent + (parent.endsWith(":") ? "" : "/") + clean;
    int dot = clean.lastIndexOf('.') <= 0 ? id.length() : id.lastIndexOf('.');
    String free = id;
    for (int number = 1; file(free).exists(); number++) {
      free = id.substring(0, dot) + " (" + number + ")" + id.substring(dot);
    }
    if (folder) {
      Files.createDirectory(file(free).toPath());
    } else {
      Files.createFile(file(free).toPath());
    }
    return free;
  }

  private static File file(String id) throws FileNotFoundException {
    Path storage = AppProcess.sdcard().normalize();
    Path path = storage.resolve(id.substring(id.indexOf(':') + 1)).normalize();
    if (!id.startsWith(VOLUME) || !path.startsWith(storage)) {
      throw new FileNotFoundException("No document " + id);
    }
    return path.toFile();
  }

  private static String type(String id) {
    try {
      if (file(id).isDirectory()) {
        return Document.MIME_TYPE_DIR;
      }
    } catch (FileNotFoundException e) {
      return "application/octet-stream";
    }
    String ending = id.substring(id.lastIndexOf('.') + 1).toLowerCase(java.util.Locale.ROOT);
    String known = MimeTypeMap.getSingleton().getMimeTypeFromExtension(ending);
    return known != null ? known : "application/octet-stream";
  }

  private static String id(Uri uri) {
    List<String> path = uri.getPathSegments();
    return path.contains("document") ? DocumentsContract.getDocumentId(uri) : DocumentsContract.getTreeDocumentId(uri);
  }

  @Override
  public Cursor query(Uri uri, String[] columns, String where, String[] args, String order) {
    List<String> path = uri.getPathSegments();
    if (path.isEmpty() || path.get(0).equals("root")) {
      MatrixCursor roots = new MatrixCursor(columns == null ? ROOT : columns);
      MatrixCursor.RowBuilder row = roots.newRow();
      row.add(Root.COLUMN_ROOT_ID, "primary").add(Root.COLUMN_TITLE, "Phone").add(Root.COLUMN_DOCUMENT_ID, VOLUME);
      row.add(Root.COLUMN_FLAGS, Root.FLAG_SUPPORTS_CREATE | Root.FLAG_LOCAL_ONLY).add(Root.COLUMN_MIME_TYPES, "*/*");
      return roots;
    }
    MatrixCursor rows = new MatrixCursor(columns == null ? COLUMNS : columns);
    String id = id(uri);
    try {
      if (path.get(path.size() - 1).equals("children")) {
        String[] names = file(id).list();
        for (String name : names == null ? new String[0] : sorted(names)) {
          row(rows, id + (id.endsWith(":") ? "" : "/") + name);
        }
      } else {
        row(rows, id);
      }
    } catch (FileNotFoundException e) {
      // No such document: no row.
    }
    return rows;
  }

  private static String[] sorted(String[] names) {
    Arrays.sort(names);
    return names;
  }

  private static void row(MatrixCursor rows, String id) throws FileNotFoundException {
    File file = file(id);
    if (!file.exists()) {
      return;
    }
    String name = id.endsWith(":") ? "Phone" : file.getName();
    boolean folder = file.isDirectory();
    int flags = Document.FLAG_SUPPORTS_DELETE | Document.FLAG_SUPPORTS_RENAME
        | (folder ? Document.FLAG_DIR_SUPPORTS_CREATE : Document.FLAG_SUPPORTS_WRITE);
    rows.newRow()
        .add(Document.COLUMN_DOCUMENT_ID, id)
        .add(Document.COLUMN_MIME_TYPE, type(id))
        .add(Document.COLUMN_DISPLAY_NAME, name)
        .add(Document.COLUMN_LAST_MODIFIED, droidtest.host.box.Clock.EPOCH_MS)
        .add(Document.COLUMN_FLAGS, flags)
        .add(Document.COLUMN_SIZE, folder ? null : file.length());
  }

  @Override
  public String getType(Uri uri) {
    try {
      return file(id(uri)).exists() ? type(id(uri)) : null;
    } catch (FileNotFoundException e) {
      return null;
    }
  }

  @Override
  public ParcelFileDescriptor openFile(Uri uri, String mode) throws FileNotFoundException {
    return ParcelFileDescriptor.open(file(id(uri)), ParcelFileDescriptor.parseMode(mode));
  }

  @Override
  public Bundle call(String method, String arg, Bundle extras) {
    Uri uri = extras == null ? null : extras.getParcelable(DocumentsContract.EXTRA_URI);
    if (uri == null) {
      return super.call(method, arg, extras);
    }
    Bundle answer = new Bundle();
    try {
      String id = id(uri);
      String name = extras.getString(Document.COLUMN_DISPLAY_NAME, "document");
      switch (method) {
        case "android:createDocument":
          String type = extras.getString(Document.COLUMN_MIME_TYPE, "application/octet-stream");
          answer.putParcelable(DocumentsContract.EXTRA_URI, same(uri, create(id, type, name)));
          break;
        case "android:deleteDocument":
        case "android:removeDocument":
          delete(file(id));
          break;
        case "android:renameDocument":
          File to = new File(file(id).getParentFile(), name.replace('/', '_'));
          if (to.exists() || !file(id).renameTo(to)) {
            throw new FileNotFoundException("Failed to rename to " + to.getName());
          }
          String parent = id.substring(0, Math.max(id.lastIndexOf('/'), id.indexOf(':')) + 1);
          answer.putParcelable(DocumentsContract.EXTRA_URI, same(uri, parent + to.getName()));
          break;
        case "android:isChildDocument":
          Uri target = extras.getParcelable(DocumentsContract.EXTRA_TARGET_URI);
          boolean child = target != null && file(id(target)).toPath().startsWith(file(id).toPath());
          answer.putBoolean("result", child);
          break;
        default:
          throw new UnsupportedOperationException("Method not supported " + method);
      }
    } catch (IOException e) {
      throw new IllegalStateException(e.getMessage(), e);
    }
    return answer;
  }

  private static void delete(File file) {
    File[] inside = file.listFiles();
    for (File one : inside == null ? new File[0] : inside) {
      delete(one);
    }
    file.delete();
  }

  /** Another document, reached the same way. */
  private static Uri same(Uri uri, String id) {
    return uri.getPathSegments().get(0).equals("tree")
        ? DocumentsContract.buildDocumentUriUsingTree(uri, id)
        : DocumentsContract.buildDocumentUri(AUTHORITY, id);
  }
}
