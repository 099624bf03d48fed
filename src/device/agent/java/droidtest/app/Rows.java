package droidtest.app;

import android.database.Cursor;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Rows of the device's providers as other apps see them: these hold all permissions. */
final class Rows {
  private Rows() {}

  /** The first rows by their numbers; none where nothing was put into the table. */
  static List<Map<String, String>> first(String table, String where, int most) {
    List<Map<String, String>> rows = new ArrayList<>();
    Seed seed = SystemServer.current().providers.seed();
    if (seed == null || seed.columns(table) == null) {
      return rows;
    }
    String limit = Integer.toString(most);
    try (Cursor cursor = seed.database().query(Seed.quoted(table), null, where, null, null, null, "_id", limit)) {
      while (cursor.moveToNext()) {
        Map<String, String> row = new LinkedHashMap<>();
        for (int i = 0; i < cursor.getColumnCount(); i++) {
          row.put(cursor.getColumnName(i), cursor.getString(i));
        }
        rows.add(row);
      }
    }
    return rows;
  }
}
