package droidtest.host.chromium;

import droidtest.host.web.Engine;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** One page of Chromium with its clock: how it is set up, loaded, and given time. */
final class Page {
  /** Instead of a value: the script has not ended. */
  static final Object LATE = new Object();
  private static final long SET_UP_MS = 15_000;
  private static final long FRAME_MS = 1500;
  private static final long PICTURE_MS = 3000;
  /** After so many missing frames a page is no longer asked for one. */
  private static final int UNPAINTED_MOST = 2;

  private final Tab tab;
  private final Heard heard;
  private final Engine.Host host;
  private String prelude;
  private String script;
  private String shown = "";
  /** The page's clock, as the device's: milliseconds since 1970. */
  private long now;
  /** How far the page's clock is behind that for good. */
  private long skipped;
  private int width;
  private int height;
  private int unpainted;

  Page(Pipe pipe, String context, Engine.Host host, long now) throws IOException {
    this.host = host;
    this.now = now;
    heard = new Heard(host);
    tab = new Tab(pipe, context, heard::event);
    heard.on(tab);
    tab.post("Page.enable", Map.of());
    tab.post("Runtime.enable", Map.of());
    tab.post("Fetch.enable", Map.of());
    tab.post("Page.setInterceptFileChooserDialog", Map.of("enabled", true));
    tab.post("Emulation.setTouchEmulationEnabled", Map.of("enabled", true, "maxTouchPoints", 5));
    tab.post("Emulation.setFocusEmulationEnabled", Map.of("enabled", true));
    tab.call(
        "Emulation.setVirtualTimePolicy", Map.of("policy", "pause", "initialVirtualTime", now / 1000.0), SET_UP_MS);
  }

  Tab tab() {
    return tab;
  }

  /** Addresses that no request is made for: their content is written into an empty page. */
  static boolean inline(String url) {
    String scheme = scheme(url);
    return !scheme.equals("http") && !scheme.equals("https") && !scheme.equals("file");
  }

  private static String scheme(String url) {
    int colon = url.indexOf(':');
    return colon < 0 ? "" : url.substring(0, colon).toLowerCase(Locale.ROOT);
  }

  private static String site(String url) {
    String rest = url.substring(url.indexOf(':') + 1);
    int host = rest.startsWith("//") ? 2 : 0;
    int end = rest.indexOf('/', host);
    return scheme(url) + ":" + (end < 0 ? rest : rest.substring(0, end));
  }

  static String bare(String url) {
    int fragment = url.indexOf('#');
    return fragment < 0 ? url : url.substring(0, fragment);
  }

  /** Whether this page can become that one in the same process, and will request it. */
  boolean leadsTo(String url) {
    return !shown.isEmpty() && !inline(shown) && site(shown).equals(site(url)) && !bare(shown).equals(bare(url));
  }

  /** The next document's objects, size and name of its browser. */
  void prepare(Engine.Setting setting, int seed) throws IOException {
    String agent = setting.agent() == null || setting.agent().isBlank() ? Engine.AGENT : setting.agent();
    tab.post("Emulation.setUserAgentOverride", Map.of("userAgent", agent, "platform", "Linux armv8l"));
    size(setting.width(), setting.height(), setting.density());
    if (script != null) {
      tab.post("Page.removeScriptToEvaluateOnNewDocument", Map.of("identifier", script));
    }
    prelude = Prelude.of(heard.secret(), seed, setting.objects());
    heard.setting(setting);
    Map<?, ?> added = tab.call("Page.addScriptToEvaluateOnNewDocument", Map.of("source", prelude), SET_UP_MS);
    script = Message.text(added, "identifier");
  }

  /** @param width of the view in pixels */
  void size(int theWidth, int theHeight, float density) {
    if (theWidth == width && theHeight == height) {
      return;
    }
    width = theWidth;
    height = theHeight;
    Map<String, Object> metrics = new HashMap<>();
    metrics.put("width", Math.max(1, Math.round(width / density)));
    metrics.put("height", Math.max(1, Math.round(height / density)));
    metrics.put("deviceScaleFactor", density);
    metrics.put("mobile", false);
    tab.post("Emulation.setDeviceMetricsOverride", metrics);
  }

  void navigate(String url, Engine.Answer content) {
    shown = url;
    heard.expect(url, content);
    tab.post("Page.navigate", Map.of("url", url));
  }

  /** Writes a page into the empty one that is there. */
  void write(String url, Engine.Answer content) throws IOException {
    shown = url;
    heard.written();
    String html = html(content);
    StringBuilder source = new StringBuilder(prelude);
    source.append("document.open();document.write(").append(Message.quoted(html)).append(");document.close()");
    tab.post("Runtime.evaluate", Map.of("expression", source.toString()));
  }

  private static String html(Engine.Answer content) {
    if (content == null) {
      return "";
    }
    if (content.type().startsWith("image/")) {
      return "<img src=\"data:" + content.type() + ";base64," + Base64.getEncoder().encodeToString(content.body()) + "\">";
    }
    String text = new String(content.body(), charset(content.charset()));
    if (content.type().contains("html") || content.type().contains("svg")) {
      return text;
    }
    return "<pre>" + text.replace("&", "&amp;").replace("<", "&lt;") + "</pre>";
  }

  private static Charset charset(String name) {
    try {
      return name == null || name.isBlank() ? StandardCharsets.UTF_8 : Charset.forName(name.trim());
    } catch (IllegalArgumentException e) {
      return StandardCharsets.UTF_8;
    }
  }

  /** The address as the app knows it. */
  String address(String url) {
    if (inline(shown) && url.startsWith("about:blank")) {
      return bare(shown) + url.substring("about:blank".length());
    }
    return url;
  }

  /** The address as Chromium knows it. */
  String ownAddress(String url) {
    return inline(shown) ? "about:blank" + url.substring(Math.min(url.length(), bare(shown).length())) : url;
  }

  boolean loaded() {
    return heard.loaded();
  }

  /** The page's clock, in milliseconds since 1970. */
  long now() {
    return now;
  }

  /** A time of the page's clock on the device's. */
  long deviceTime(long pageTime) {
    return pageTime + skipped;
  }

  /** Time that passes without the page. */
  void skip(long ms) {
    now += ms;
    skipped += ms;
  }

  /** Lets time pass: false when scripts have not ended after so long in real time. */
  boolean grant(long ms, long limit) throws IOException {
    Map<String, Object> policy = new HashMap<>();
    policy.put("policy", "pauseIfNetworkFetchesPending");
    policy.put("budget", ms);
    policy.put("maxVirtualTimeTaskStarvationCount", 10_000);
    int expired = heard.expired();
    tab.post("Emulation.setVirtualTimePolicy", policy);
    now += ms;
    return tab.await(() -> heard.expired() > expired, limit);
  }

  /** Has frames made: by them observers hear of changes, and transitions end. */
  void frame() throws IOException {
    if (unpainted >= UNPAINTED_MOST) {
      return;
    }
    String ask = "window." + Prelude.HOLDER + "?" + Prelude.HOLDER + ".frame():0";
    try {
      tab.call("Runtime.evaluate", Map.of("expression", ask, "awaitPromise", true), FRAME_MS);
      unpainted = 0;
    } catch (Tab.Late | Tab.Refused e) {
      unpainted++;
    }
  }

  /** A PNG of what is to be seen; null if none is made in time. */
  byte[] picture() throws IOException {
    try {
      Map<?, ?> made = tab.call("Page.captureScreenshot", Map.of("format", "png"), PICTURE_MS);
      return Base64.getDecoder().decode(Message.text(made, "data"));
    } catch (Tab.Late | Tab.Refused e) {
      return null;
    }
  }

  /** An expression's value; {@link #LATE} where its script has not ended. What it throws is an uncaught error. */
  Object eval(String expression, long limit) throws IOException {
    Map<?, ?> answer;
    try {
      answer =
          tab.call(
              "Runtime.evaluate", Map.of("expression", expression, "returnByValue", true, "userGesture", true), limit);
    } catch (Tab.Late e) {
      return LATE;
    }
    if (answer.get("exceptionDetails") != null) {
      heard.thrown(Message.map(answer, "exceptionDetails"));
      return null;
    }
    return Message.map(answer, "result").get("value");
  }
}
