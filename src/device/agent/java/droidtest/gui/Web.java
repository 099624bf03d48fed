package droidtest.gui;

import android.os.Bundle;
import android.util.Base64;
import android.webkit.ValueCallback;
import android.webkit.WebBackForwardList;
import android.webkit.WebView;
import android.webkit.WebViewClient;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.annotation.RealObject;
import org.robolectric.shadows.ShadowWebView;

/**
 * A web view that loads, later, what there is to load without a network, and tells the app so; Robolectric's loads
 * nothing unless a test says that it went well. Nothing is drawn, and no script runs.
 */
@Implements(WebView.class)
public class Web extends ShadowWebView {
  @RealObject private WebView view;
  private WebLoads loads;

  /** What is shadowed is not there yet when its shadow is made. */
  private WebLoads loads() {
    if (loads == null) {
      loads = new WebLoads(view, this);
    }
    return loads;
  }

  @Override
  @Implementation
  protected void loadUrl(String url, Map<String, String> headers) {
    // A script is no page: the one that is shown stays.
    if (url != null && !url.regionMatches(true, 0, "javascript:", 0, "javascript:".length())) {
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
    write("data:" + (type == null ? "text/html" : type) + "," + text, "base64".equals(encoding) ? decoded(text) : text);
  }

  @Override
  @Implementation
  protected void loadDataWithBaseURL(String base, String data, String type, String encoding, String history) {
    super.loadDataWithBaseURL(base, data, type, encoding, history);
    write(base == null || base.isEmpty() ? "about:blank" : base, data == null ? "" : data);
  }

  private static String decoded(String data) {
    try {
      return new String(Base64.decode(data, Base64.DEFAULT), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      // A page of nothing, as in Chromium.
      return "";
    }
  }

  private void write(String url, String html) {
    loads().write(url, html);
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
    if (at() != from) {
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

  /** Never null: Android's own stands in for the app's. */
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
    if (callback != null) {
      loads().post(0, () -> callback.onReceiveValue("null"));
    }
  }

  @Implementation
  protected void postVisualStateCallback(long id, WebView.VisualStateCallback callback) {
    loads().post(0, () -> callback.onComplete(id));
  }
}
