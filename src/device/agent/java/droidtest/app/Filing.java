package droidtest.app;

import android.content.ContentValues;
import android.database.sqlite.SQLiteDatabase;
import droidtest.host.box.Clock;
import java.util.Locale;
import java.util.Map;

/** What the system's providers do next to writing the row: contacts are joined, media get their place. */
final class Filing {
  private static final String CONTACTS = "com.android.contacts/contacts";
  private static final String RAW = "com.android.contacts/raw_contacts";
  private static final String DATA = "com.android.contacts/data";
  private static final String LOOKUP = "com.android.contacts/phone_lookup";
  private static final String ITEM = "vnd.android.cursor.item/";
  private static final int DIGITS = 7;
  /** Where the media store puts what names no folder. */
  private static final Map<String, String> FOLDERS =
      Map.of("media/images", "Pictures", "media/video", "Movies", "media/audio", "Music", "media/downloads", "Download", "media/file", "Documents");

  private final Seed seed;

  Filing(Seed seed) {
    this.seed = seed;
  }

  private SQLiteDatabase database() {
    return seed.database();
  }

  /** The values that the provider fills in before a row is written. */
  void complete(String table, ContentValues values) {
    if (FOLDERS.containsKey(table)) {
      medium(table, values);
    } else if (table.equals(DATA) && seed.columns(RAW) != null) {
      String raw = text(values, "raw_contact_id");
      String contact = raw == null ? null : one(RAW, "contact_id", "_id = ?", raw);
      if (contact != null) {
        put(values, "contact_id", contact);
        put(values, "lookup", one(CONTACTS, "lookup", "_id = ?", contact));
        put(values, "display_name", one(CONTACTS, "display_name", "_id = ?", contact));
      }
    }
  }

  /** After a row was written: what depends on it. */
  void written(String table, long row, ContentValues values) {
    if (table.equals(RAW) && seed.columns(CONTACTS) != null) {
      ContentValues contact = new ContentValues();
      put(contact, "name_raw_contact_id", Long.toString(row));
      put(contact, "has_phone_number", "0");
      put(contact, "in_visible_group", "1");
      put(contact, "starred", "0");
      long id = database().insertOrThrow(Seed.quoted(CONTACTS), "_id", contact);
      ContentValues lookup = new ContentValues();
      put(lookup, "lookup", "0r" + id);
      change(CONTACTS, lookup, "_id = ?", Long.toString(id));
      put(lookup, "contact_id", Long.toString(id));
      put(lookup, "deleted", "0");
      change(RAW, lookup, "_id = ?", Long.toString(row));
    } else if (table.equals(DATA)) {
      entry(values);
    }
  }

  private void entry(ContentValues values) {
    String contact = text(values, "contact_id");
    String kind = text(values, "mimetype");
    if (contact == null || kind == null) {
      return;
    }
    ContentValues change = new ContentValues();
    if (kind.equals(ITEM + "name")) {
      String name = name(values);
      put(change, "display_name", name);
      put(change, "display_name_alt", name);
      put(change, "sort_key", name);
      change(RAW, change, "contact_id = ?", contact);
    } else if (kind.equals(ITEM + "phone_v2")) {
      put(change, "has_phone_number", "1");
      number(contact, text(values, "data1"));
    } else {
      return;
    }
    change(CONTACTS, change, "_id = ?", contact);
    change(DATA, change, "contact_id = ?", contact);
  }

  /** Whole, or made of given and family name. */
  private static String name(ContentValues values) {
    String whole = text(values, "data1");
    if (whole != null) {
      return whole;
    }
    String given = text(values, "data2");
    String family = text(values, "data3");
    return ((given == null ? "" : given) + " " + (family == null ? "" : family)).trim();
  }

  private void number(String contact, String number) {
    if (number == null || seed.columns(LOOKUP) == null) {
      return;
    }
    String digits = number.replaceAll("\\D", "");
    ContentValues row = new ContentValues();
    put(row, "contact_id", contact);
    put(row, "number", number);
    put(row, "digits", digits.substring(Math.max(0, digits.length() - DIGITS)));
    put(row, "display_name", one(CONTACTS, "display_name", "_id = ?", contact));
    database().insert(Seed.quoted(LOOKUP), "_id", row);
  }

  /** What goes with rows that are about to be deleted. */
  void deleted(String table, Iterable<String> rows) {
    String column = table.equals(CONTACTS) ? "contact_id" : table.equals(RAW) ? "raw_contact_id" : null;
    for (String row : column == null ? java.util.List.<String>of() : rows) {
      String contact = table.equals(RAW) ? one(RAW, "contact_id", "_id = ?", row) : row;
      remove(DATA, column, row);
      remove(RAW, "contact_id", contact);
      remove(LOOKUP, "contact_id", contact);
      if (table.equals(RAW)) {
        remove(CONTACTS, "_id", contact);
      }
    }
  }

  private void remove(String table, String column, String value) {
    if (value != null && seed.columns(table) != null && seed.columns(table).containsKey(column)) {
      database().delete(Seed.quoted(table), Seed.quoted(column) + " = ?", new String[] {value});
    }
  }

  private static void medium(String table, ContentValues values) {
    put(values, "owner_package_name", AppProcess.packageName());
    String now = Long.toString(Clock.currentTimeMillis() / 1000);
    put(values, "date_added", now);
    if (text(values, "date_modified") == null) {
      put(values, "date_modified", now);
    }
    if (text(values, "_data") != null) {
      return;
    }
    String name = text(values, "_display_name");
    if (name == null) {
      name = text(values, "title") == null ? "unnamed" : text(values, "title");
      put(values, "_display_name", name);
    }
    String folder = text(values, "relative_path");
    folder = folder == null ? FOLDERS.get(table) : folder.replaceAll("^/+|/+$", "");
    if (folder.contains("..") || name.contains("/")) {
      throw new IllegalArgumentException("Primary directory (invalid) not allowed for " + folder + "/" + name);
    }
    put(values, "relative_path", folder + "/");
    put(values, "_data", AppProcess.sdcard().resolve(folder).resolve(name).toString());
    if (text(values, "mime_type") == null) {
      String ending = name.substring(name.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
      String known = android.webkit.MimeTypeMap.getSingleton().getMimeTypeFromExtension(ending);
      put(values, "mime_type", known == null ? "application/octet-stream" : known);
    }
  }

  private String one(String table, String column, String where, String argument) {
    if (seed.columns(table) == null || !seed.columns(table).containsKey(column)) {
      return null;
    }
    String[] columns = {Seed.quoted(column)};
    return Seed.only(database().query(Seed.quoted(table), columns, where, new String[] {argument}, null, null, null));
  }

  private void change(String table, ContentValues values, String where, String argument) {
    Map<String, String> columns = seed.columns(table);
    if (columns == null) {
      return;
    }
    ContentValues known = new ContentValues();
    for (String quoted : values.keySet()) {
      if (columns.containsKey(quoted.substring(1, quoted.length() - 1))) {
        known.put(quoted, values.getAsString(quoted));
      }
    }
    if (known.size() > 0) {
      database().update(Seed.quoted(table), known, where, new String[] {argument});
    }
  }

  private static String text(ContentValues values, String column) {
    return values.getAsString(Seed.quoted(column));
  }

  private static void put(ContentValues values, String column, String value) {
    if (value != null) {
      values.put(Seed.quoted(column), value);
    }
  }
}
