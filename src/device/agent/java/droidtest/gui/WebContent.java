package droidtest.gui;

import android.content.Context;
import android.net.Uri;
import android.util.Base64;
import android.webkit.WebResourceResponse;
import droidtest.host.web.Engine;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** What the addresses of a page hold: the app's assets, resources, files and providers, and what it answers itself. */
final class WebContent {
  /** A larger file is cut: no page of an app is that large. */
  private static final int MOST = 16 << 20;
  private static final Map<String, String> TYPES = new HashMap<>();

  static {
    TYPES.put("html", "text/html");
    TYPES.put("htm", "text/html");
    TYPES.put("xhtml", "application/xhtml+xml");
    TYPES.put("js", "text/javascript");
    TYPES.put("mjs", "text/javascript");
    TYPES.put("css", "text/css");
    TYPES.put("xml", "text/xml");
    TYPES.put("svg", "image/svg+xml");
    TYPES.put("png", "image/png");
    TYPES.put("jpg", "image/jpeg");
    TYPES.put("jpeg", "image/jpeg");
    TYPES.put("gif", "image/gif");
    TYPES.put("webp", "image/webp");
    TYPES.put("ico", "image/x-icon");
    TYPES.put("mp3", "audio/mpeg");
    TYPES.put("mp4", "video/mp4");
    TYPES.put("woff", "font/woff");
    TYPES.put("ttf", "font/ttf");
  }

  private WebContent() {}

  static Engine.Answer html(String text) {
    return answer("text/html", "UTF-8", text.getBytes(StandardCharsets.UTF_8));
  }

  static Engine.Answer answer(String type, String charset, byte[] body) {
    return new Engine.Answer(200, "OK", type, charset, body, Map.of());
  }

  /** What a {@code data:} address says itself. */
  static Engine.Answer data(String url) {
    int comma = url.indexOf(',');
    String head = comma < 0 ? "" : url.substring("data:".length(), comma);
    return written(comma < 0 ? "" : url.substring(comma + 1), head, head.endsWith(";base64") ? "base64" : null);
  }

  /** What an app wrote itself, for {@code loadData}: in base64, or with percent signs as in an address. */
  static Engine.Answer written(String data, String type, String encoding) {
    String kind = type == null || type.isEmpty() ? "text/html" : type.replaceFirst(";.*", "").trim();
    byte[] body;
    if ("base64".equalsIgnoreCase(encoding)) {
      body = decoded(data);
    } else {
      body = percent(data);
    }
    return answer(kind.isEmpty() ? "text/plain" : kind, "UTF-8", body);
  }

  private static byte[] decoded(String data) {
    try {
      return Base64.decode(data, Base64.DEFAULT);
    } catch (IllegalArgumentException e) {
      // A page of nothing, as in Chromium.
      return new byte[0];
    }
  }

  /** A percent sign with no two digits behind it stands for itself. */
  private static byte[] percent(String data) {
    byte[] from = data.getBytes(StandardCharsets.UTF_8);
    ByteArrayOutputStream to = new ByteArrayOutputStream(from.length);
    for (int i = 0; i < from.length; i++) {
      int high = from[i] == '%' && i + 2 < from.length ? Character.digit(from[i + 1], 16) : -1;
      int low = high < 0 ? -1 : Character.digit(from[i + 2], 16);
      if (low >= 0) {
        to.write(high * 16 + low);
        i += 2;
      } else {
        to.write(from[i]);
      }
    }
    return to.toByteArray();
  }

  /** The app's answer; null if it has no data. */
  static Engine.Answer of(WebResourceResponse given, String url) throws IOException {
    byte[] body = new byte[0];
    if (given.getData() != null) {
      try (InputStream in = given.getData()) {
        body = in.readNBytes(MOST);
      }
    }
    int status = given.getStatusCode() == 0 ? 200 : given.getStatusCode();
    if (given.getData() == null) {
      status = 404;
    }
    String type = given.getMimeType() == null || given.getMimeType().isEmpty() ? type(url) : given.getMimeType();
    String reason = given.getReasonPhrase() == null ? "OK" : given.getReasonPhrase();
    Map<String, String> headers = given.getResponseHeaders() == null ? Map.of() : given.getResponseHeaders();
    return new Engine.Answer(status, reason, type, given.getEncoding(), body, headers);
  }

  /** What a file of the device holds; null if there is none. */
  static Engine.Answer at(Context context, String url) throws IOException {
    Uri uri = Uri.parse(url);
    String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
    if (!scheme.equals("file") && !scheme.equals("content")) {
      return null;
    }
    try (InputStream in = WebPage.open(context, uri)) {
      String type = scheme.equals("content") ? context.getContentResolver().getType(uri) : null;
      // Without a charset: the page's declaration counts.
      return answer(type == null ? type(url) : type, null, in.readNBytes(MOST));
    } catch (SecurityException e) {
      return null;
    }
  }

  /** JSON is a text to the engine, which would take it for a download otherwise. */
  static String type(String url) {
    String path = url.replaceFirst("[?#].*", "");
    String ending = path.substring(path.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
    String type = TYPES.get(ending);
    return type != null ? type : path.endsWith("/") ? "text/html" : "text/plain";
  }
}
