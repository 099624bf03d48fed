package droidtest.app;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * The columns of the system's providers, for queries that request all of them: an empty table has columns too, and
 * adapters look for theirs. They are what the contract classes of the framework name.
 */
final class Columns {
  private static final Map<String, String> CONTRACTS =
      Map.ofEntries(
          Map.entry("com.android.contacts", "ContactsContract"),
          Map.entry("contacts", "Contacts"),
          Map.entry("call_log", "CallLog"),
          Map.entry("com.android.calendar", "CalendarContract"),
          Map.entry("calendar", "CalendarContract"),
          Map.entry("media", "MediaStore"),
          Map.entry("sms", "Telephony"),
          Map.entry("mms", "Telephony"),
          Map.entry("mms-sms", "Telephony"),
          Map.entry("telephony", "Telephony"),
          Map.entry("settings", "Settings"),
          Map.entry("user_dictionary", "UserDictionary"),
          Map.entry("downloads", "Downloads"),
          Map.entry("com.android.voicemail", "VoicemailContract"),
          Map.entry("com.android.externalstorage.documents", "DocumentsContract"),
          Map.entry("com.android.blockednumber", "BlockedNumberContract"));

  private Columns() {}

  static String[] of(String authority) {
    Set<String> columns = new LinkedHashSet<>();
    columns.add("_id");
    columns.add("_count");
    String contract = CONTRACTS.get(authority);
    if (contract != null) {
      try {
        collect(Class.forName("android.provider." + contract), columns);
      } catch (ClassNotFoundException e) {
        // Not in this version of Android.
      }
    }
    return columns.toArray(new String[0]);
  }

  private static void collect(Class<?> contract, Set<String> to) {
    for (Class<?> inner : contract.getDeclaredClasses()) {
      collect(inner, to);
    }
    for (Field field : contract.getDeclaredFields()) {
      boolean constant = Modifier.isStatic(field.getModifiers()) && Modifier.isFinal(field.getModifiers());
      if (constant && field.getType() == String.class) {
        try {
          field.setAccessible(true);
          String value = (String) field.get(null);
          if (value != null && value.matches("[a-z_][a-z0-9_]*")) {
            to.add(value);
          }
        } catch (IllegalAccessException | LinkageError e) {
          // A constant that must be computed is not a column.
        }
      }
    }
  }
}
