package droidtest.web;

import droidtest.host.web.Engine;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import org.htmlunit.BrowserVersion;
import org.htmlunit.HttpMethod;
import org.htmlunit.ScriptException;
import org.htmlunit.TopLevelWindow;
import org.htmlunit.WebClient;
import org.htmlunit.WebRequest;
import org.htmlunit.WebResponse;
import org.htmlunit.WebWindow;
import org.htmlunit.html.HtmlPage;
import org.htmlunit.javascript.JavaScriptErrorListener;
import org.htmlunit.util.UrlUtils;

/** HtmlUnit's browser: what it requests, where it goes and what it asks a person goes to the device. */
final class Client extends WebClient {
  private static final long serialVersionUID = 1;
  /** A script that runs for longer in real time is stopped. */
  private static final long SCRIPT_MS = 5000;

  private final transient Engine.Host host;
  private transient Engine.Setting setting;
  private transient boolean loading;
  private transient Scripts scripts;

  Client(Engine.Host host) {
    super(version());
    this.host = host;
    getOptions().setThrowExceptionOnScriptError(false);
    getOptions().setThrowExceptionOnFailingStatusCode(false);
    getOptions().setPrintContentOnFailingStatusCode(false);
    getOptions().setFetchPolyfillEnabled(true);
    getOptions().setDownloadImages(false);
    getOptions().setWebSocketEnabled(false);
    getOptions().setFileProtocolForXMLHttpRequestsAllowed(true);
    getOptions().setHistoryPageCacheLimit(0);
    setAlertHandler((page, text) -> host.dialog("alert", address(page.getUrl()), text, null));
    setConfirmHandler((page, text) -> host.dialog("confirm", address(page.getUrl()), text, null) != null);
    setPromptHandler((page, text, initial) -> host.dialog("prompt", address(page.getUrl()), text, initial));
    setRefreshHandler((page, url, seconds) -> host.navigate(address(url), "GET"));
    setJavaScriptErrorListener(new Errors());
    setIncorrectnessListener((message, origin) -> {});
    setCssErrorHandler(new org.htmlunit.SilentCssErrorHandler());
    getWebConsole().setLogger(new Console(host));
    scripts = new Scripts(this, host);
    setJavaScriptEngine(scripts);
    // The engine keeps it, so not before that is there.
    setJavaScriptTimeout(SCRIPT_MS);
  }

  private static BrowserVersion version() {
    BrowserVersion.BrowserVersionBuilder builder = new BrowserVersion.BrowserVersionBuilder(BrowserVersion.CHROME);
    return builder.setUserAgent(Engine.AGENT).setPlatform("Linux armv8l").setBrowserLanguage("en-US").build();
  }

  Engine.Host host() {
    return host;
  }

  Engine.Setting setting() {
    return setting;
  }

  void prepare(Engine.Setting theSetting) {
    setting = theSetting;
    getOptions().setJavaScriptEnabled(theSetting.scripts());
    getOptions().setScreenWidth(Math.max(1, theSetting.width()));
    getOptions().setScreenHeight(Math.max(1, theSetting.height()));
    if (getCurrentWindow().getTopWindow() instanceof TopLevelWindow top) {
      top.setInnerWidth(Math.max(1, theSetting.width()));
      top.setInnerHeight(Math.max(1, theSetting.height()));
    }
  }

  /** Whether a page of the app's choice is on its way, about which nobody is asked. */
  void loading(boolean does) {
    loading = does;
  }

  Timers timers() {
    return scripts.getJavaScriptExecutor() instanceof Timers timers ? timers : null;
  }

  void start() {
    scripts.registerWindowAndMaybeStartEventLoop(getCurrentWindow().getTopWindow());
  }

  /** Java writes {@code file:/x}, Android {@code file:///x}. */
  static String address(URL url) {
    String text = url.toExternalForm();
    return text.startsWith("file:/") && !text.startsWith("file://") ? "file://" + text.substring(5) : text;
  }

  @Override
  public WebResponse loadWebResponse(WebRequest request) throws IOException {
    URL url = request.getUrl();
    String scheme = url.getProtocol();
    if (scheme.equals("about") || scheme.equals("data") || scheme.equals("blob")) {
      return super.loadWebResponse(request);
    }
    Engine.Answer answer =
        host.fetch(address(url), request.getHttpMethod().name(), request.getAdditionalHeaders());
    if (answer != null) {
      return HtmlUnit.response(answer, request);
    }
    if (!scheme.startsWith("http")) {
      throw new FileNotFoundException(address(url));
    }
    return super.loadWebResponse(request);
  }

  /** A page that goes elsewhere: the app is asked first, and loads it as any other. Frames load by themselves. */
  @Override
  public void download(
      WebWindow from, String target, WebRequest request, boolean checkHash, String attachment, String why) {
    WebWindow top = from.getTopWindow();
    boolean frame =
        from != top && (target == null || target.isEmpty() || target.equals(TARGET_SELF))
            || target != null && !target.isEmpty() && !target.startsWith("_") && known(target);
    boolean here =
        checkHash && request.getHttpMethod() == HttpMethod.GET && request.getUrl().getRef() != null
            && top.getEnclosedPage() != null && UrlUtils.sameFile(request.getUrl(), top.getEnclosedPage().getUrl());
    if (frame || here) {
      super.download(from, target, request, checkHash, attachment, why);
    } else {
      host.navigate(address(request.getUrl()), request.getHttpMethod().name());
    }
  }

  private boolean known(String window) {
    return getWebWindows().stream().anyMatch(one -> window.equals(one.getName()));
  }

  /** A web view has one window. */
  @Override
  public WebWindow openWindow(URL url, String name, WebWindow opener) {
    if (url != null && !url.toExternalForm().isEmpty()) {
      host.navigate(address(url), "GET");
    }
    return opener.getTopWindow();
  }

  private final class Errors implements JavaScriptErrorListener {
    @Override
    public void scriptException(HtmlPage page, ScriptException error) {
      String text = error.getMessage() == null ? "Error" : error.getMessage();
      int place = text.indexOf(" (");
      String source = page == null ? "" : address(page.getUrl());
      host.console("uncaught", place > 0 ? text.substring(0, place) : text, source, Math.max(0, error.getFailingLineNumber()));
    }

    @Override
    public void timeoutError(HtmlPage page, long allowed, long took) {
      host.console("uncaught", "the script was stopped after " + allowed + " ms", address(page.getUrl()), 0);
    }

    @Override
    public void malformedScriptURL(HtmlPage page, String url, MalformedURLException error) {
      host.console("error", "Failed to load resource: " + url, address(page.getUrl()), 0);
    }

    @Override
    public void loadScriptError(HtmlPage page, URL url, Exception error) {
      host.console("error", "Failed to load resource: " + address(url), address(page.getUrl()), 0);
    }

    @Override
    public void warn(String message, String source, int line, String text, int offset) {}
  }
}
