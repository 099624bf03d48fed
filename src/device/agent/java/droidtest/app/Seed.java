package droidtest.app;

import android.content.ContentValues;
import android.database.Cursor;
import android.database.sqlite.SQLiteDatabase;
import droidtest.host.Host;
import droidtest.host.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/**
 * What the suite puts on the device for the app to find: rows of the system's content providers, in a database of the
 * device's folder, and files of the shared storage. Both come back when data are cleared, and stay over a relaunch.
 */
final class Seed {
  private static final String FILE = "providers.db";

  private final SQLiteDatabase database;
  /** By table: its columns as they were made, by their names in lower case. */
  private final Map<String, Map<String, String>> columns = new LinkedHashMap<>();

  private Seed(SQLiteDatabase database) {
    this.database = database;
  }

  /** The suite's rows, or null if it has none. */
  static Seed open() {
    Path data = Host.options().data();
    if (data == null) {
      return null;
    }
    Path file = Host.options().device().resolve(FILE);
    boolean fresh = !Files.exists(file);
    Seed seed = new Seed(SQLiteDatabase.openOrCreateDatabase(file.toFile(), null));
    try {
      Map<?, ?> tables = (Map<?, ?>) Json.parse(Files.readString(data.resolve("tables.json")));
      for (Map.Entry<?, ?> table : tables.entrySet()) {
        seed.table((String) table.getKey(), (List<?>) table.getValue(), fresh);
      }
    } catch (IOException e) {
      throw new IllegalStateException("the device's data cannot be read", e);
    }
    return seed;
  }

  /** Copies the suite's files into the shared storage; existing ones stay unchanged. */
  static void files(Path sdcard) throws IOException {
    Path data = Host.options().data();
    Path from = data == null ? null : data.resolve("sdcard");
    if (from == null || !Files.exists(from)) {
      return;
    }
    try (Stream<Path> all = Files.walk(from)) {
      for (Path file : (Iterable<Path>) all::iterator) {
        Path to = sdcard.resolve(from.relativize(file).toString());
        if (Files.isDirectory(file)) {
          Files.createDirectories(to);
        } else if (!Files.exists(to)) {
          Files.copy(file, to);
        }
      }
    }
  }

  SQLiteDatabase database() {
    return database;
  }

  /** The columns of a table, or null if the suite put nothing into it. */
  Map<String, String> columns(String table) {
    return columns.get(table);
  }

  private void table(String name, List<?> rows, boolean fresh) {
    Map<String, String> all = new LinkedHashMap<>();
    for (Object row : rows) {
      for (Object column : ((Map<?, ?>) row).keySet()) {
        all.putIfAbsent(((String) column).toLowerCase(Locale.ROOT), (String) column);
      }
    }
    for (String column : Columns.of(name.substring(0, name.indexOf('/')))) {
      all.putIfAbsent(column.toLowerCase(Locale.ROOT), column);
    }
    columns.put(name, all);
    if (!fresh) {
      return;
    }
    StringBuilder create = new StringBuilder("CREATE TABLE " + quoted(name) + " (");
    String separator = "";
    for (String column : all.values()) {
      create.append(separator).append(quoted(column)).append(' ').append(type(column, rows));
      separator = ", ";
    }
    database.execSQL(create.append(')').toString());
    for (Object row : rows) {
      database.insertOrThrow(quoted(name), null, values((Map<?, ?>) row));
    }
  }

  /** What the column compares as: apps give numbers as texts, and telephone numbers are no numbers. */
  private static String type(String column, List<?> rows) {
    if (column.equals("_id")) {
      return "INTEGER PRIMARY KEY";
    }
    String type = "";
    for (Object row : rows) {
      Object value = ((Map<?, ?>) row).get(column);
      if (value instanceof String) {
        return "TEXT";
      }
      type = value == null ? type : "INTEGER";
    }
    return type;
  }

  private static ContentValues values(Map<?, ?> row) {
    ContentValues values = new ContentValues();
    for (Map.Entry<?, ?> entry : row.entrySet()) {
      String column = quoted((String) entry.getKey());
      if (entry.getValue() instanceof Long) {
        values.put(column, (Long) entry.getValue());
      } else {
        String text = (String) entry.getValue();
        values.put(column, text.startsWith("sdcard:") ? AppProcess.sdcard() + text.substring("sdcard:".length()) : text);
      }
    }
    return values;
  }

  static String quoted(String name) {
    return '"' + name.replace("\"", "\"\"") + '"';
  }

  /** The single text of a query of one row and column, or null. */
  static String only(Cursor cursor) {
    try (cursor) {
      return cursor.moveToFirst() ? cursor.getString(0) : null;
    }
  }
}
