package droidtest.app;

import android.content.ContentUris;
import android.content.ContentValues;
import android.database.Cursor;
import android.net.Uri;
import android.os.ParcelFileDescriptor;
import java.io.File;
import java.io.FileNotFoundException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A provider of the system with the suite's rows; what the suite put nothing into is empty. */
final class SeededProvider extends Providers.Empty {
  private final Seed seed;
  private final Guard guard;
  private final Filing filing;

  SeededProvider(Seed seed, Guard guard) {
    this.seed = seed;
    this.guard = guard;
    filing = new Filing(seed);
  }

  @Override
  public Cursor query(Uri uri, String[] wanted, String where, String[] args, String order) {
    guard.read(uri);
    return look(uri, wanted, where, args, order);
  }

  private Cursor look(Uri uri, String[] wanted, String where, String[] args, String order) {
    Shelf shelf = seen(uri);
    Map<String, String> columns = shelf == null ? null : seed.columns(shelf.table);
    if (columns == null) {
      return super.query(uri, wanted, where, args, order);
    }
    String limit = uri.getQueryParameter("limit");
    return seed.database()
        .query(
            Seed.quoted(shelf.table),
            projection(wanted, columns),
            both(shelf, where),
            arguments(shelf, args),
            null,
            null,
            collated(order),
            limit != null && limit.matches("\\d+") ? limit : null);
  }

  @Override
  public Uri insert(Uri uri, ContentValues values) {
    guard.write(uri);
    Shelf shelf = Shelf.of(uri);
    Map<String, String> columns = shelf == null ? null : seed.columns(shelf.table);
    if (columns == null) {
      return super.insert(uri, values);
    }
    ContentValues known = known(values, columns);
    if (shelf.where.startsWith("type = ")) {
      known.put("type", shelf.where.substring("type = ".length()));
    }
    filing.complete(shelf.table, known);
    long row = seed.database().insertOrThrow(Seed.quoted(shelf.table), "_id", known);
    filing.written(shelf.table, row, known);
    return ContentUris.withAppendedId(uri, row);
  }

  @Override
  public int update(Uri uri, ContentValues values, String where, String[] args) {
    guard.write(uri);
    Shelf shelf = seen(uri);
    Map<String, String> columns = shelf == null ? null : seed.columns(shelf.table);
    ContentValues known = columns == null ? null : known(values, columns);
    if (known == null || known.size() == 0) {
      return 0;
    }
    // The new values are numbered before the arguments; only the rows' numbers say the same on either side.
    List<String> rows = rows(shelf, where, args);
    return rows.isEmpty()
        ? 0
        : seed.database().update(Seed.quoted(shelf.table), known, "_id IN (" + String.join(",", rows) + ")", null);
  }

  @Override
  public int delete(Uri uri, String where, String[] args) {
    guard.write(uri);
    Shelf shelf = seen(uri);
    if (shelf == null || seed.columns(shelf.table) == null) {
      return 0;
    }
    filing.deleted(shelf.table, rows(shelf, where, args));
    return seed.database().delete(Seed.quoted(shelf.table), both(shelf, where), arguments(shelf, args));
  }

  @Override
  public String getType(Uri uri) {
    Shelf shelf = Shelf.of(uri);
    Map<String, String> columns = shelf == null ? null : seed.columns(shelf.table);
    if (columns == null || !columns.containsKey("mime_type") || !shelf.where.startsWith("_id")) {
      return null;
    }
    return Seed.only(look(uri, new String[] {"mime_type"}, null, null, null));
  }

  @Override
  public ParcelFileDescriptor openFile(Uri uri, String mode) throws FileNotFoundException {
    Shelf shelf = Shelf.of(uri);
    Map<String, String> columns = shelf == null ? null : seed.columns(shelf.table);
    String path =
        columns == null || !columns.containsKey("_data")
            ? null
            : Seed.only(look(uri, new String[] {"_data"}, null, null, null));
    if (path == null) {
      throw new FileNotFoundException("no file for " + uri);
    }
    File file = new File(path);
    if (mode.contains("w") && file.getParentFile() != null) {
      file.getParentFile().mkdirs();
    }
    return ParcelFileDescriptor.open(file, ParcelFileDescriptor.parseMode(mode));
  }

  /** The rows of a URI, as far as the app may see them. */
  private Shelf seen(Uri uri) {
    Shelf shelf = Shelf.of(uri);
    String only = shelf == null ? null : guard.seen(uri, shelf.table);
    return only == null ? shelf : shelf.and(only);
  }

  private List<String> rows(Shelf shelf, String where, String[] args) {
    List<String> rows = new ArrayList<>();
    String[] id = {"_id"};
    try (Cursor cursor =
        seed.database()
            .query(Seed.quoted(shelf.table), id, both(shelf, where), arguments(shelf, args), null, null, null)) {
      while (cursor.moveToNext()) {
        rows.add(Long.toString(cursor.getLong(0)));
      }
    }
    return rows;
  }

  /** A column that this version of Android has and the table has not is there, and empty. */
  private static String[] projection(String[] wanted, Map<String, String> columns) {
    if (wanted == null || wanted.length == 0) {
      wanted = columns.values().toArray(new String[0]);
    }
    String[] projection = new String[wanted.length];
    for (int i = 0; i < wanted.length; i++) {
      String name = wanted[i];
      String known = columns.get(name.toLowerCase(Locale.ROOT));
      if (known != null) {
        projection[i] = Seed.quoted(known) + " AS " + Seed.quoted(name);
      } else {
        projection[i] = name.matches("[A-Za-z_][A-Za-z0-9_]*") ? "NULL AS " + Seed.quoted(name) : name;
      }
    }
    return projection;
  }

  private static ContentValues known(ContentValues values, Map<String, String> columns) {
    ContentValues known = new ContentValues();
    if (values != null) {
      for (String name : values.keySet()) {
        String column = columns.get(name.toLowerCase(Locale.ROOT));
        if (column != null && values.getAsString(name) != null) {
          known.put(Seed.quoted(column), values.getAsString(name));
        }
      }
    }
    return known;
  }

  /** The shelf's rows come first, so that its arguments have the numbers they were written with. */
  private static String both(Shelf shelf, String where) {
    return where == null || where.isBlank() ? shelf.where : "(" + shelf.where + ") AND (" + collated(where) + ")";
  }

  private static String[] arguments(Shelf shelf, String[] args) {
    List<String> all = new ArrayList<>(List.of(shelf.arguments));
    if (args != null) {
      all.addAll(List.of(args));
    }
    return all.toArray(new String[0]);
  }

  /** Not every SQLite knows Android's orders of letters. */
  private static String collated(String text) {
    return text == null ? null : text.replaceAll("(?i)COLLATE\\s+(LOCALIZED|UNICODE)", "COLLATE NOCASE");
  }
}
