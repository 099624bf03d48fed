package droidtest.gui;

import android.content.Context;
import android.net.Uri;
import android.webkit.WebViewClient;
import droidtest.host.box.Paths;
import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a web view finds at an address, on a device without a network.
 *
 * @param title what the page calls itself
 * @param error what went wrong, 0 for nothing
 * @param said the same in Chromium's words
 */
record WebPage(String title, int error, String said) {
  /** Where Chromium stops to look for a title, too, more or less. */
  private static final int HEAD = 1 << 16;
  private static final Pattern TITLE = Pattern.compile("(?is)<title[^>]*>(.*?)</title>");
  private static final Pattern BARE = Pattern.compile("(?i)^(https?://[^/?#]+)(?=$|[?#])");
  private static final String ASSETS = "/android_asset/";
  private static final String RESOURCES = "/android_res/";

  /** The address as Chromium writes it: with a scheme and a path. */
  static String address(String url) {
    String address = url.trim();
    if (!address.isEmpty() && Uri.parse(address).getScheme() == null) {
      address = "http://" + address;
    }
    return BARE.matcher(address).replaceFirst("$1/");
  }

  static boolean remote(String url) {
    return url.matches("(?is)https?:.*");
  }

  /** A page of this text. */
  static WebPage of(String url, String html) {
    Matcher title = TITLE.matcher(html);
    boolean named = title.find() && !title.group(1).isBlank();
    return new WebPage(named ? title.group(1).strip().replaceAll("\\s+", " ") : url, 0, null);
  }

  /** A page that is read from here; it is closed. */
  static WebPage of(String url, InputStream in) throws IOException {
    try (in) {
      return of(url, new String(in.readNBytes(HEAD), StandardCharsets.UTF_8));
    }
  }

  /** What is at an address that nobody but the device answers. */
  static WebPage at(Context context, String url) {
    String scheme = String.valueOf(Uri.parse(url).getScheme()).toLowerCase(Locale.ROOT);
    switch (scheme) {
      case "http", "https":
        return failed(WebViewClient.ERROR_HOST_LOOKUP, "net::ERR_INTERNET_DISCONNECTED");
      case "about", "blob":
        return of(url, "");
      case "data":
        return of(url, url);
      case "file", "content":
        try {
          return of(url, open(context, Uri.parse(url)));
        } catch (IOException | SecurityException e) {
          // Android's web view tells the app no more than this either.
          return failed(WebViewClient.ERROR_FILE_NOT_FOUND, "net::ERR_FILE_NOT_FOUND");
        }
      default:
        return failed(WebViewClient.ERROR_UNSUPPORTED_SCHEME, "net::ERR_UNKNOWN_URL_SCHEME");
    }
  }

  private static WebPage failed(int error, String said) {
    return new WebPage("Webpage not available", error, said);
  }

  private static InputStream open(Context context, Uri uri) throws IOException {
    String path = String.valueOf(uri.getPath());
    if ("content".equalsIgnoreCase(uri.getScheme())) {
      InputStream in = context.getContentResolver().openInputStream(uri);
      return in == null ? InputStream.nullInputStream() : in;
    }
    if (path.startsWith(ASSETS)) {
      return context.getAssets().open(path.substring(ASSETS.length()));
    }
    return path.startsWith(RESOURCES) ? InputStream.nullInputStream() : new FileInputStream(Paths.use(new File(path)));
  }
}
