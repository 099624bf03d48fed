package droidtest.app;

import android.app.ContentProviderHolder;
import android.content.ContentValues;
import android.content.IContentProvider;
import android.content.SearchRecentSuggestionsProvider;
import android.content.pm.ProviderInfo;
import android.database.Cursor;
import android.database.MatrixCursor;
import android.net.Uri;
import droidtest.host.Host;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.robolectric.util.ReflectionHelpers;

/** Content providers of other apps that every Android device has, with the suite's data. */
final class Providers {
  private static final Set<String> WELL_KNOWN =
      Set.of(
          "com.android.contacts", "contacts", "call_log", "com.android.calendar", "calendar", "media", "sms", "mms",
          "mms-sms", "telephony", "settings", "user_dictionary", "downloads", "browser", "com.android.browser",
          "com.android.voicemail", "com.android.externalstorage.documents", "com.android.providers.downloads.documents",
          "com.android.providers.media.documents", "icc", "com.android.blockednumber");

  final Guard guard = new Guard();
  private final Map<String, ContentProviderHolder> known = new HashMap<>();
  private Seed seed;

  /** The holder for an authority that the app does not have itself; null if Android would not know one either. */
  synchronized ContentProviderHolder get(String authority) {
    if (!WELL_KNOWN.contains(authority)) {
      return null;
    }
    guard.open(authority);
    return known.computeIfAbsent(authority, this::create);
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
    Empty provider = provider(authority);
    provider.attachInfo(AppProcess.application(), info);
    ContentProviderHolder holder = new ContentProviderHolder(info);
    holder.provider = ReflectionHelpers.<IContentProvider>callInstanceMethod(provider, "getIContentProvider");
    holder.noReleaseNeeded = true;
    return holder;
  }

  private Empty provider(String authority) {
    if (Host.options().outside() && authority.equals(Documents.AUTHORITY)) {
      return new Documents();
    }
    return seed() == null ? new Empty() : new SeededProvider(seed(), guard);
  }

  /** What the device holds, or null. */
  synchronized Seed seed() {
    if (seed == null) {
      seed = Seed.open();
    }
    return seed;
  }

  /**
   * Answers each query with the columns that were requested and no row. Its parent is only there because it is not
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
