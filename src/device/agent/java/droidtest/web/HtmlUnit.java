package droidtest.web;

import droidtest.host.web.Engine;
import java.io.IOException;
import java.net.URL;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.commons.logging.LogFactory;
import org.htmlunit.Page;
import org.htmlunit.ScriptResult;
import org.htmlunit.WebRequest;
import org.htmlunit.WebResponse;
import org.htmlunit.WebResponseData;
import org.htmlunit.html.HtmlPage;
import org.htmlunit.util.NameValuePair;
import org.htmlunit.util.UrlUtils;

/** HtmlUnit as the engine behind a web view: documents, style sheets as far as they hide, and scripts; no layout. */
public final class HtmlUnit implements Engine {
  static {
    // Its chatter about pages would go to the process's output; what matters comes as messages of the console.
    LogFactory.getFactory().setAttribute(
        "org.apache.commons.logging.Log", "org.apache.commons.logging.impl.NoOpLog");
    Timers.install();
  }

  private final Client client;
  private final Elements elements = new Elements();

  public HtmlUnit(Engine.Host host) {
    client = new Client(host);
  }

  @Override
  public void load(String url, Answer page, Setting setting) throws IOException {
    client.prepare(setting);
    elements.clear();
    URL address = UrlUtils.toUrlUnsafe(url.isEmpty() ? "about:blank" : url);
    WebRequest request = new WebRequest(address);
    client.loading(true);
    try {
      if (page == null) {
        client.getPage(client.getCurrentWindow().getTopWindow(), request);
      } else {
        request.setCharset(charset(page.charset()));
        client.loadWebResponseInto(response(page, request), client.getCurrentWindow().getTopWindow());
        client.start();
      }
    } finally {
      client.loading(false);
    }
  }

  static Charset charset(String name) {
    try {
      return name == null || name.isBlank() ? StandardCharsets.UTF_8 : Charset.forName(name.trim());
    } catch (IllegalArgumentException e) {
      return StandardCharsets.UTF_8;
    }
  }

  static WebResponse response(Answer answer, WebRequest request) {
    List<NameValuePair> headers = new ArrayList<>();
    answer.headers().forEach((name, value) -> {
      if (!name.equalsIgnoreCase("content-type")) {
        headers.add(new NameValuePair(name, value));
      }
    });
    String charset = answer.charset() == null || answer.charset().isBlank() ? "" : ";charset=" + answer.charset();
    headers.add(new NameValuePair("Content-Type", answer.type() + charset));
    return new WebResponse(
        new WebResponseData(answer.body(), answer.status(), answer.reason(), headers), request, 0);
  }

  private HtmlPage page() {
    Page page = client.getCurrentWindow().getTopWindow().getEnclosedPage();
    return page instanceof HtmlPage ? (HtmlPage) page : null;
  }

  @Override
  public String script(String source) {
    HtmlPage page = page();
    if (page == null || !client.isJavaScriptEnabled()) {
      return "null";
    }
    StringBuilder text = new StringBuilder("JSON.stringify((0,eval)(");
    Scripts.quote(text, source);
    ScriptResult result = page.executeJavaScript(text.append("))").toString(), "", 1);
    return result.getJavaScriptResult() instanceof CharSequence json ? json.toString() : "null";
  }

  @Override
  public void place(String url) {
    HtmlPage page = page();
    int at = url.indexOf('#');
    String fragment = at < 0 ? "" : url.substring(at);
    if (page != null) {
      StringBuilder text = new StringBuilder("location.hash=");
      Scripts.quote(text, fragment);
      page.executeJavaScript(text.toString(), "", 1);
    }
  }

  @Override
  public void act(int element, String kind, String text) throws IOException {
    elements.act(element, kind, text, client.host());
  }

  @Override
  public long due() {
    return client.timers() == null ? -1 : client.timers().due();
  }

  @Override
  public void timers() {
    if (client.timers() != null) {
      client.timers().runDue();
    }
  }

  @Override
  public List<Element> elements() {
    return elements.of(client.getCurrentWindow().getTopWindow().getEnclosedPage());
  }

  @Override
  public String url() {
    Page page = client.getCurrentWindow().getTopWindow().getEnclosedPage();
    return page == null || page.getUrl() == null ? "" : Client.address(page.getUrl());
  }

  @Override
  public String title() {
    HtmlPage page = page();
    return page == null ? "" : page.getTitleText();
  }

  @Override
  public void close() {
    client.close();
  }
}
