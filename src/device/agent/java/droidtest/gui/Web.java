package droidtest.gui;

import android.content.pm.PackageInfo;
import android.graphics.Canvas;
import android.graphics.Rect;
import android.net.Uri;
import android.os.Bundle;
import android.view.KeyEvent;
import android.view.MotionEvent;
import android.view.View;
import android.view.ViewGroup;
import android.webkit.ValueCallback;
import android.webkit.WebBackForwardList;
import android.webkit.WebSettings;
import android.webkit.WebView;
import android.webkit.WebViewClient;
import android.webkit.WebViewFactoryProvider;
import droidtest.host.web.Engine;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.annotation.RealObject;
import org.robolectric.shadow.api.Shadow;
import org.robolectric.shadows.ShadowWebView;
import org.robolectric.util.ReflectionHelpers.ClassParameter;

/**
 * A web view that loads, later, what there is to load without a network, and tells the app so; Robolectric's loads
 * nothing unless a test says that it went well. Its pages run in an engine ({@link WebFrame}) where the device has one;
 * nothing is drawn.
 */
@Implements(WebView.class)
public class Web extends ShadowWebView {
  private static final String SCRIPT = "javascript:";

  @RealObject private WebView view;
  private WebLoads loads;
  private WebTouch touch;
  private boolean named;
  private final Map<String, Object> objects = new LinkedHashMap<>();

  /** The shadow of a web view. */
  static Web of(View view) {
    return Shadow.extract(view);
  }

  /** The shadowed object does not exist yet when its shadow is made. */
  WebLoads loads() {
    if (loads == null) {
      loads = new WebLoads(view, this);
    }
    return loads;
  }

  @Override
  @Implementation
  protected void loadUrl(String url, Map<String, String> headers) {
    if (url == null) {
      return;
    }
    if (url.regionMatches(true, 0, SCRIPT, 0, SCRIPT.length())) {
      // A script is not a page: the one that is shown stays.
      String source = Uri.decode(url.substring(SCRIPT.length()));
      loads().post(0, () -> script(source, result -> {}));
    } else {
      String address = WebPage.address(url);
      super.loadUrl(address, headers);
      loads().write(address, null);
      loads().start(address, true);
    }
  }

  @Implementation
  protected void postUrl(String url, byte[] data) {
    loadUrl(url, null);
  }

  @Override
  @Implementation
  protected void loadData(String data, String type, String encoding) {
    super.loadData(data, type, encoding);
    String text = data == null ? "" : data;
    write("data:" + (type == null ? "text/html" : type) + "," + text, WebContent.written(text, type, encoding));
  }

  @Override
  @Implementation
  protected void loadDataWithBaseURL(String base, String data, String type, String encoding, String history) {
    super.loadDataWithBaseURL(base, data, type, encoding, history);
    byte[] body = (data == null ? "" : data).getBytes(StandardCharsets.UTF_8);
    String kind = type == null || type.isEmpty() ? "text/html" : type.replaceFirst(";.*", "").trim();
    write(base == null || base.isEmpty() ? "about:blank" : base, WebContent.answer(kind, "UTF-8", body));
  }

  private void write(String url, Engine.Answer page) {
    loads().write(url, page);
    loads().start(url, true);
  }

  @Override
  @Implementation
  protected void reload() {
    super.reload();
    if (getUrl() != null) {
      loads().start(getUrl(), false);
    }
  }

  @Override
  @Implementation
  protected void goBack() {
    int from = at();
    super.goBack();
    moved(from);
  }

  @Override
  @Implementation
  protected void goForward() {
    int from = at();
    super.goForward();
    moved(from);
  }

  @Override
  @Implementation
  protected WebBackForwardList restoreState(Bundle state) {
    WebBackForwardList list = super.restoreState(state);
    moved(-1);
    return list;
  }

  @Implementation
  protected boolean canGoBackOrForward(int steps) {
    int to = at() + steps;
    return to >= 0 && to < copyBackForwardList().getSize();
  }

  private int at() {
    return copyBackForwardList().getCurrentIndex();
  }

  private void moved(int from) {
    if (at() != from && (from < 0 || !loads().within(getUrl()))) {
      loads().start(getUrl(), false);
    }
  }

  /** The page that is shown stays in the list. */
  @Override
  @Implementation
  protected void clearHistory() {
    boolean any = at() >= 0;
    super.clearHistory();
    if (any) {
      pushEntryToHistory(getUrl());
    }
  }

  @Implementation
  protected void stopLoading() {
    loads().stop(getUrl());
  }

  @Implementation
  protected int getProgress() {
    return loads().progress();
  }

  @Override
  @Implementation
  protected String getTitle() {
    return loads().title() == null ? getUrl() : loads().title();
  }

  /** Never null: Android's replaces the app's. */
  @Override
  @Implementation(minSdk = 26)
  public WebViewClient getWebViewClient() {
    WebViewClient client = super.getWebViewClient();
    return client == null ? new WebViewClient() : client;
  }

  @Override
  @Implementation
  protected void evaluateJavascript(String script, ValueCallback<String> callback) {
    super.evaluateJavascript(script, callback);
    String source = script == null ? "" : script;
    loads().post(
        0,
        () ->
            script(
                source,
                result -> {
                  if (callback != null) {
                    loads().post(0, () -> callback.onReceiveValue(result == null ? "null" : result));
                  }
                }));
  }

  private void script(String source, Consumer<String> then) {
    if (frame() == null) {
      then.accept(null);
    } else {
      frame().script(source, then);
    }
  }

  /** The engine with a page; null if there is none. */
  WebFrame frame() {
    return loads().frame();
  }

  WebView view() {
    return view;
  }

  /** The app's objects for scripts, by name. */
  Map<String, Object> objects() {
    return objects;
  }

  @Override
  @Implementation
  protected void addJavascriptInterface(Object object, String name) {
    super.addJavascriptInterface(object, name);
    if (object != null && name != null) {
      objects.put(name, object);
    }
  }

  @Override
  @Implementation
  protected void removeJavascriptInterface(String name) {
    super.removeJavascriptInterface(name);
    objects.remove(name);
  }

  /** With the name of a browser of today; Robolectric's is of Android 4. */
  @Override
  @Implementation
  protected WebSettings getSettings() {
    WebSettings settings = super.getSettings();
    if (!named) {
      settings.setUserAgentString(Engine.AGENT);
      named = true;
    }
    return settings;
  }

  @Implementation
  protected static WebViewFactoryProvider getFactory() {
    return WebProvider.OfFactory.getProvider();
  }

  @Implementation
  protected static PackageInfo getCurrentWebViewPackage() {
    return WebProvider.packageInfo();
  }

  @Override
  @Implementation
  protected void destroy() {
    super.destroy();
    if (frame() != null) {
      frame().close();
    }
  }

  /** How the next page is loaded. */
  Engine.Setting setting() {
    Map<String, Set<String>> names = new LinkedHashMap<>();
    objects.forEach((name, object) -> names.put(name, WebHost.methods(object)));
    return new Engine.Setting(
        getSettings().getJavaScriptEnabled(), getSettings().getAllowUniversalAccessFromFileURLs(),
        getSettings().getUserAgentString(), view.getWidth(), view.getHeight(),
        view.getResources().getDisplayMetrics().density, names);
  }

  /** The page's address and title after its scripts have run. */
  void moved(String url, String title, boolean replaced, boolean modern) {
    loads().moved(url, title, replaced, modern);
  }

  /** A page wants to be left: the app may see to that itself. */
  void follow(String url, String method) {
    if (url.startsWith("history:")) {
      step(Integer.parseInt(url.substring("history:".length())));
      return;
    }
    boolean get = method.equals("GET");
    if (get && super.getWebViewClient() == null && WebTouch.leaves(view, url)) {
      return;
    }
    if (!get || !getWebViewClient().shouldOverrideUrlLoading(view, new WebRequest(url))) {
      loads().start(url, true, method);
    }
  }

  private void step(int steps) {
    if (steps == 0) {
      reload();
    } else if (canGoBackOrForward(steps)) {
      int from = at();
      super.goBackOrForward(steps);
      moved(from);
    }
  }

  @Override
  @Implementation
  protected void goBackOrForward(int steps) {
    if (steps != 0 && canGoBackOrForward(steps)) {
      step(steps);
    }
  }

  WebTouch touch() {
    if (touch == null) {
      touch = new WebTouch(view, this);
    }
    return touch;
  }

  /** As wide as may be, and as high as the page where the layout leaves that open. */
  @Implementation
  protected void onMeasure(int width, int height) {
    touch().measure(width, height);
  }

  /** What follows is what any view does; Robolectric's leaves it to an engine that it has not, and has no size. */
  @Implementation
  protected boolean setFrame(int left, int top, int right, int bottom) {
    boolean changed = view.new PrivateAccess().super_setFrame(left, top, right, bottom);
    if (changed && frame() != null) {
      loads().post(0, () -> frame().size(view.getWidth(), view.getHeight()));
    }
    return changed;
  }

  @Override
  @Implementation
  protected void setLayoutParams(ViewGroup.LayoutParams params) {
    view.new PrivateAccess().super_setLayoutParams(params);
  }

  @Implementation
  protected boolean dispatchKeyEvent(KeyEvent event) {
    return view.new PrivateAccess().super_dispatchKeyEvent(event);
  }

  @Implementation
  protected boolean requestFocus(int direction, Rect from) {
    return view.new PrivateAccess().super_requestFocus(direction, from);
  }

  /** For pictures of the screen; frames that only tell what is new have no use for it. */
  @Implementation
  protected void dispatchDraw(Canvas canvas) {
    if (!(canvas instanceof HashingCanvas) && frame() != null) {
      frame().paint(canvas, view.getWidth(), view.getHeight());
    }
    Shadow.directlyOn(view, WebView.class, "dispatchDraw", ClassParameter.from(Canvas.class, canvas));
  }

  @Implementation
  protected boolean onTouchEvent(MotionEvent event) {
    return touch().on(event);
  }

  @Implementation
  protected void postVisualStateCallback(long id, WebView.VisualStateCallback callback) {
    loads().post(0, () -> callback.onComplete(id));
  }
}
