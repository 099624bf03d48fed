package droidtest.app;

import android.net.Uri;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Where a content URI leads: a table of {@link Seed}, and which of its rows. */
final class Shelf {
  private static final String CONTACTS = "com.android.contacts";
  private static final String CALENDAR = "com.android.calendar";
  private static final String PHONE = "mimetype = 'vnd.android.cursor.item/phone_v2'";
  private static final String EMAIL = "mimetype = 'vnd.android.cursor.item/email_v2'";
  private static final String LIKE = "(display_name LIKE '%' || ?1 || '%' OR data1 LIKE '%' || ?1 || '%')";

  /** Authority, path, table, rows; what the path's groups match are the arguments. */
  private static final String[][] RULES = {
    {CONTACTS, "contacts", "contacts", "1"},
    {CONTACTS, "contacts/(\\d+)", "contacts", "_id = ?1"},
    {CONTACTS, "contacts/(\\d+)/(?:data|entities)", "data", "contact_id = ?1"},
    {CONTACTS, "contacts/lookup/([^/]+)", "contacts", "lookup = ?1"},
    {CONTACTS, "contacts/lookup/([^/]+)/(\\d+)", "contacts", "lookup = ?1 AND _id = ?2"},
    {CONTACTS, "contacts/lookup/([^/]+)(?:/\\d+)?/(?:data|entities)", "data", "lookup = ?1"},
    {CONTACTS, "contacts/filter/(.*)", "contacts", "display_name LIKE '%' || ?1 || '%'"},
    {CONTACTS, "raw_contacts", "raw_contacts", "1"},
    {CONTACTS, "raw_contacts/(\\d+)", "raw_contacts", "_id = ?1"},
    {CONTACTS, "raw_contacts/(\\d+)/(?:data|entity)", "data", "raw_contact_id = ?1"},
    {CONTACTS, "data", "data", "1"},
    {CONTACTS, "data/(\\d+)", "data", "_id = ?1"},
    {CONTACTS, "data/phones", "data", PHONE},
    {CONTACTS, "data/phones/(\\d+)", "data", "_id = ?1 AND " + PHONE},
    {CONTACTS, "data/phones/filter/(.*)", "data", LIKE + " AND " + PHONE},
    {CONTACTS, "data/emails", "data", EMAIL},
    {CONTACTS, "data/emails/(\\d+)", "data", "_id = ?1 AND " + EMAIL},
    {CONTACTS, "data/emails/filter/(.*)", "data", LIKE + " AND " + EMAIL},
    {CONTACTS, "phone_lookup/(.*)", "phone_lookup", "digits = ?1"},
    {"user_dictionary", "words", "words", "1"},
    {"user_dictionary", "words/(\\d+)", "words", "_id = ?1"},
    {"sms", "", "sms", "1"},
    {"sms", "inbox", "sms", "type = 1"},
    {"sms", "sent", "sms", "type = 2"},
    {"sms", "(?:inbox/|sent/)?(\\d+)", "sms", "_id = ?1"},
    {"call_log", "calls", "calls", "1"},
    {"call_log", "calls/(\\d+)", "calls", "_id = ?1"},
    {CALENDAR, "calendars", "calendars", "1"},
    {CALENDAR, "calendars/(\\d+)", "calendars", "_id = ?1"},
    {CALENDAR, "events", "events", "1"},
    {CALENDAR, "events/(\\d+)", "events", "_id = ?1"},
    {CALENDAR, "instances/when/(-?\\d+)/(-?\\d+)", "instances", "\"begin\" <= ?2 AND \"end\" >= ?1"},
    {"media", "external(?:_primary)?/images/media", "images", "1"},
    {"media", "external(?:_primary)?/images/media/(\\d+)", "images", "_id = ?1"},
    {"media", "external(?:_primary)?/audio/media", "audio", "1"},
    {"media", "external(?:_primary)?/audio/media/(\\d+)", "audio", "_id = ?1"},
    {"media", "external(?:_primary)?/video/media", "video", "1"},
    {"media", "external(?:_primary)?/video/media/(\\d+)", "video", "_id = ?1"},
    {"media", "external(?:_primary)?/downloads", "downloads", "1"},
    {"media", "external(?:_primary)?/downloads/(\\d+)", "downloads", "_id = ?1"},
    {"media", "picker/\\d+/[^/]+/images/(\\d+)", "images", "_id = ?1"},
    {"media", "picker/\\d+/[^/]+/video/(\\d+)", "video", "_id = ?1"},
    {"media", "external(?:_primary)?/file", "file", "1"},
    {"media", "external(?:_primary)?/file/(\\d+)", "file", "_id = ?1"},
  };

  /** What Android compares of two numbers, at the least: their last digits. */
  private static final int DIGITS = 7;

  final String table;
  final String where;
  final String[] arguments;

  private Shelf(String table, String where, String[] arguments) {
    this.table = table;
    this.where = where;
    this.arguments = arguments;
  }

  /** Fewer of its rows. */
  Shelf and(String more) {
    return new Shelf(table, "(" + where + ") AND " + more, arguments);
  }

  /** Null if no such table is known. */
  static Shelf of(Uri uri) {
    String path = String.join("/", uri.getPathSegments());
    for (String[] rule : RULES) {
      if (!rule[0].equals(uri.getAuthority())) {
        continue;
      }
      Matcher matcher = Pattern.compile(rule[1]).matcher(path);
      if (matcher.matches()) {
        String[] arguments = new String[matcher.groupCount()];
        for (int i = 0; i < arguments.length; i++) {
          arguments[i] = matcher.group(i + 1);
        }
        if (rule[2].equals("phone_lookup")) {
          String digits = arguments[0].replaceAll("\\D", "");
          arguments[0] = digits.substring(Math.max(0, digits.length() - DIGITS));
        }
        return new Shelf(rule[0] + "/" + rule[2], rule[3], arguments);
      }
    }
    return null;
  }
}
