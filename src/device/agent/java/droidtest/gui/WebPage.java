package droidtest.gui;

import android.content.Context;
import android.net.Uri;
import android.webkit.WebViewClient;
import droidtest.host.box.Paths;
import droidtest.host.web.Engine;
import java.io.File;
import java.io.FileInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.Charset;
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
 * @param content what is there; null where only a network knows
 */
record WebPage(String title, int error, String said, Engine.Answer content) {
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

  /** Whether two addresses are of one page, and of different places in it. */
  static boolean beside(String one, String other) {
    return one != null && other != null && !one.equals(other)
        && one.replaceFirst("#.*", "").equals(other.replaceFirst("#.*", ""));
  }

  static boolean remote(String url) {
    return url.matches("(?is)https?:.*");
  }

  /** A page of this content. */
  static WebPage of(String url, Engine.Answer content) {
    byte[] body = content.body();
    Charset charset = charset(content.charset());
    String html = new String(body, 0, Math.min(HEAD, body.length), charset);
    Matcher title = TITLE.matcher(html);
    boolean named = title.find() && !title.group(1).isBlank();
    String name = named ? title.group(1).strip().replaceAll("\\s+", " ") : url;
    return new WebPage(name, 0, null, content);
  }

  private static Charset charset(String name) {
    try {
      return name == null || name.isBlank() ? StandardCharsets.UTF_8 : Charset.forName(name.trim());
    } catch (IllegalArgumentException e) {
      return StandardCharsets.UTF_8;
    }
  }

  /** What is at an address that nobody but the device answers. */
  static WebPage at(Context context, String url) {
    String scheme = String.valueOf(Uri.parse(url).getScheme()).toLowerCase(Locale.ROOT);
    switch (scheme) {
      case "http", "https":
        return failed(WebViewClient.ERROR_HOST_LOOKUP, "net::ERR_INTERNET_DISCONNECTED");
      case "about", "blob":
        return of(url, WebContent.html(""));
      case "data":
        return of(url, WebContent.data(url));
      case "file", "content":
        try {
          Engine.Answer content = WebContent.at(context, url);
          return content == null ? failed(WebViewClient.ERROR_FILE_NOT_FOUND, "net::ERR_FILE_NOT_FOUND") : of(url, content);
        } catch (IOException | SecurityException e) {
          // Android's web view does not tell the app more either.
          return failed(WebViewClient.ERROR_FILE_NOT_FOUND, "net::ERR_FILE_NOT_FOUND");
        }
      default:
        return failed(WebViewClient.ERROR_UNSUPPORTED_SCHEME, "net::ERR_UNKNOWN_URL_SCHEME");
    }
  }

  /** A page that could not be loaded from the network. @param said why, by Chromium's name */
  static WebPage failed(String said) {
    int error =
        switch (String.valueOf(said)) {
          case "net::ERR_NAME_NOT_RESOLVED", "net::ERR_INTERNET_DISCONNECTED" -> WebViewClient.ERROR_HOST_LOOKUP;
          case "net::ERR_CONNECTION_REFUSED", "net::ERR_CONNECTION_RESET" -> WebViewClient.ERROR_CONNECT;
          case "net::ERR_TIMED_OUT" -> WebViewClient.ERROR_TIMEOUT;
          case "net::ERR_TOO_MANY_REDIRECTS" -> WebViewClient.ERROR_REDIRECT_LOOP;
          default -> WebViewClient.ERROR_UNKNOWN;
        };
    return failed(error, said);
  }

  private static WebPage failed(int error, String said) {
    return new WebPage("Webpage not available", error, said, null);
  }

  static InputStream open(Context context, Uri uri) throws IOException {
    String path = String.valueOf(uri.getPath());
    if ("content".equalsIgnoreCase(uri.getScheme())) {
      InputStream in = context.getContentResolver().openInputStream(uri);
      return in == null ? InputStream.nullInputStream() : in;
    }
    if (path.startsWith(ASSETS)) {
      return context.getAssets().open(path.substring(ASSETS.length()));
    }
    return path.startsWith(RESOURCES) ? resource(context, path) : new FileInputStream(Paths.use(new File(path)));
  }

  /** {@code /android_res/raw/page.html} is the app's resource {@code R.raw.page}. */
  private static InputStream resource(Context context, String path) throws IOException {
    String[] parts = path.substring(RESOURCES.length()).split("/");
    String name = parts.length < 2 ? "" : parts[1].replaceFirst("\\..*", "");
    int id = context.getResources().getIdentifier(name, parts[0], context.getPackageName());
    if (id == 0) {
      throw new FileNotFoundException(path);
    }
    return context.getResources().openRawResource(id);
  }

  /** What Chromium shows instead of a page that did not come. */
  Engine.Answer shown(String url) {
    if (content != null) {
      return content;
    }
    String text = android.text.TextUtils.htmlEncode(url);
    return WebContent.html(
        "<title>Webpage not available</title><h2>Webpage not available</h2><p>The webpage at <b>" + text
            + "</b> could not be loaded because:</p><p>" + said + "</p>");
  }
}
