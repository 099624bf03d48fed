package droidtest.app;

import android.app.ContentProviderHolder;
import android.content.ContentValues;
import android.content.IContentProvider;
import android.content.SearchRecentSuggestionsProvider;
import android.content.pm.ProviderInfo;
import android.database.Cursor;
import android.database.MatrixCursor;
import android.net.Uri;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.robolectric.util.ReflectionHelpers;

/** Content providers of other apps that every Android device has: they answer, and hold what the suite put there. */
final class Providers {
  private static final Set<String> WELL_KNOWN =
      Set.of(
          "com.android.contacts", "contacts", "call_log", "com.android.calendar", "calendar", "media", "sms", "mms",
          "mms-sms", "telephony", "settings", "user_dictionary", "downloads", "browser", "com.android.browser",
          "com.android.voicemail", "com.android.externalstorage.documents", "com.android.providers.downloads.documents",
          "com.android.providers.media.documents", "icc", "com.android.blockednumber");

  /** What reading and writing them takes; either opens the provider. */
  private static final Map<String, String> GUARDED =
      Map.ofEntries(
          Map.entry("com.android.contacts", "CONTACTS"), Map.entry("contacts", "CONTACTS"),
          Map.entry("com.android.calendar", "CALENDAR"), Map.entry("calendar", "CALENDAR"),
          Map.entry("call_log", "CALL_LOG"), Map.entry("sms", "SMS"), Map.entry("mms", "SMS"), Map.entry("mms-sms", "SMS"));

  private final Map<String, ContentProviderHolder> known = new HashMap<>();
  private Seed seed;

  /** The holder for an authority that the app does not have itself; null where Android would know of none either. */
  synchronized ContentProviderHolder get(String authority) {
    if (!WELL_KNOWN.contains(authority)) {
      return null;
    }
    String guarded = GUARDED.get(authority);
    if (guarded != null && !holds("READ_" + guarded) && !holds("WRITE_" + guarded)) {
      throw new SecurityException(
          "Permission Denial: opening provider " + authority + " from " + AppProcess.packageName()
              + " requires android.permission.READ_" + guarded + " or android.permission.WRITE_" + guarded);
    }
    return known.computeIfAbsent(authority, this::create);
  }

  private static boolean holds(String permission) {
    return AppProcess.permissions().granted("android.permission." + permission);
  }

  private ContentProviderHolder create(String authority) {
    ProviderInfo info = new ProviderInfo();
    info.authority = authority;
    info.packageName = "com.android.providers";
    info.name = Empty.class.getName();
    info.exported = true;
    info.applicationInfo = new android.content.pm.ApplicationInfo();
    info.applicationInfo.packageName = info.packageName;
    info.applicationInfo.uid = android.os.Process.myUid();
    if (seed == null) {
      seed = Seed.open();
    }
    Empty provider = seed == null ? new Empty() : new SeededProvider(seed);
    provider.attachInfo(AppProcess.application(), info);
    ContentProviderHolder holder = new ContentProviderHolder(info);
    holder.provider = ReflectionHelpers.<IContentProvider>callInstanceMethod(provider, "getIContentProvider");
    holder.noReleaseNeeded = true;
    return holder;
  }

  /**
   * Answers each query with the columns that were asked for and no row. Its parent is only there because it is not
   * abstract: the compiler takes the framework's instrumented abstract classes for unfinished.
   */
  static class Empty extends SearchRecentSuggestionsProvider {
    private long rows;

    @Override
    public boolean onCreate() {
      return true;
    }

    @Override
    public Cursor query(Uri uri, String[] columns, String where, String[] args, String order) {
      boolean all = columns == null || columns.length == 0 || Arrays.asList(columns).contains("*");
      return new MatrixCursor(all ? Columns.of(uri.getAuthority()) : columns);
    }

    @Override
    public String getType(Uri uri) {
      return null;
    }

    @Override
    public Uri insert(Uri uri, ContentValues values) {
      return uri.buildUpon().appendPath(Long.toString(++rows)).build();
    }

    @Override
    public int delete(Uri uri, String where, String[] args) {
      return 0;
    }

    @Override
    public int update(Uri uri, ContentValues values, String where, String[] args) {
      return 0;
    }
  }
}
