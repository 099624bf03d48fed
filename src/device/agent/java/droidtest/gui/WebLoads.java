package droidtest.gui;

import android.os.Handler;
import android.os.Looper;
import android.webkit.WebChromeClient;
import android.webkit.WebResourceResponse;
import android.webkit.WebView;
import android.webkit.WebViewClient;
import droidtest.host.Host;
import droidtest.host.box.Clock;
import droidtest.host.net.Replay;
import droidtest.host.web.Engine;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The loads of one web view, and their callbacks: later, on the main looper, as on Android. */
final class WebLoads {
  private static final int FETCH_MS = 50;
  private static final int DONE = 100;

  private final WebView view;
  private final Web web;
  /** The pages that the app itself wrote, by their address. */
  private final Map<String, Engine.Answer> written = new HashMap<>();
  private int last;
  private int progress = DONE;
  private String title;
  private String shown;
  private WebFrame frame;
  private boolean framed;
  /** The addresses that the page that is there has had. */
  private final Set<String> places = new HashSet<>();

  WebLoads(WebView view, Web web) {
    this.view = view;
    this.web = web;
  }

  /** The engine behind the view; null before its first page, or where the device has none. */
  WebFrame frame() {
    return frame;
  }

  int progress() {
    return progress;
  }

  /** The title of the current page, null if there is none. */
  String title() {
    return title;
  }

  /** Maps this address to content of the app, or, with null, removes the mapping. */
  void write(String url, Engine.Answer page) {
    written.put(url, page);
  }

  /** @param entry whether the page is a new one in the list of those that were shown */
  void start(String url, boolean entry) {
    start(url, entry, "GET");
  }

  /** @param method how the page is requested */
  void start(String url, boolean entry, String method) {
    if (web.wasDestroyCalled()) {
      return;
    }
    int load = ++last;
    progress = 0;
    title = null;
    later(
        load,
        0,
        () -> {
          // An address that is shown already is only loaded again.
          if (entry && (written.get(url) != null || !url.equals(shown))) {
            web.pushEntryToHistory(url);
          }
          shown = url;
          places.clear();
          WebViewClient client = web.getWebViewClient();
          client.onPageStarted(view, url, null);
          unlessDestroyed(() -> progress(10));
          fetch(load, url, method, client);
        });
  }

  /** What is not there yet does not come. */
  void stop(String url) {
    if (progress < DONE) {
      progress = DONE;
      later(++last, 0, () -> web.getWebViewClient().onPageFinished(view, url));
    }
  }

  /** Runs something unless the web view is destroyed by then. */
  void post(long ms, Runnable task) {
    new Handler(Looper.getMainLooper()).postDelayed(() -> unlessDestroyed(task), ms);
  }

  private void unlessDestroyed(Runnable task) {
    if (!web.wasDestroyCalled()) {
      task.run();
    }
  }

  /** Of two loads only the later one continues. */
  private void later(int load, long ms, Runnable task) {
    post(
        ms,
        () -> {
          if (load == last) {
            task.run();
          }
        });
  }

  private void fetch(int load, String url, String method, WebViewClient client) {
    Engine.Answer own = written.get(url);
    if (own != null || !WebPage.remote(url)) {
      WebPage page = own != null ? WebPage.of(url, own) : WebPage.at(view.getContext(), url);
      later(load, FETCH_MS, () -> end(load, url, page));
      return;
    }
    // The app may have the page itself; Android asks on a separate thread.
    Runnable ask =
        () -> {
          String[] at = {url};
          WebPage page = answer(client.shouldInterceptRequest(view, new WebRequest(url)), url, method, at);
          later(
              load,
              FETCH_MS,
              () -> {
                shown = at[0];
                end(load, at[0], page);
              });
        };
    new Thread(ask, "ThreadPoolForeg").start();
  }

  /** @param at becomes the address that the page comes from at last */
  private WebPage answer(WebResourceResponse response, String url, String method, String[] at) {
    if (response != null && response.getData() != null) {
      try {
        return WebPage.of(url, WebContent.of(response, url));
      } catch (IOException e) {
        // What cannot be read is looked for where it would be without the app.
      }
    }
    return Replay.on() ? replayed(url, method, at) : WebPage.at(view.getContext(), url);
  }

  /** What the archive has, when it is due. */
  private static WebPage replayed(String url, String method, String[] at) {
    try {
      Replay.Fetched found = Replay.fetch(url, method);
      Clock.sleep(found.delay());
      if (!url.replaceFirst("#.*", "").equals(found.url())) {
        at[0] = found.url();
      }
      return WebPage.of(at[0], found.content());
    } catch (IOException e) {
      return WebPage.failed(e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return WebPage.failed("net::ERR_ABORTED");
    }
  }

  private void end(int load, String url, WebPage page) {
    if (!framed) {
      framed = true;
      frame = WebFrame.open(web);
    }
    if (frame == null) {
      title = page.title();
      finish(url, page);
      return;
    }
    boolean open = page.error() != 0 && WebPage.remote(url) && Host.options().networkOpen();
    tell(50);
    frame.load(
        url,
        open ? null : page.shown(url),
        web.setting(),
        () -> {
          // Its scripts may have stood still for a dialog, and the app may have gone elsewhere meanwhile.
          if (load == last) {
            String named = frame.title();
            title = named.isEmpty() ? page.title() : named;
            unlessDestroyed(() -> finish(url, open ? WebPage.of(url, WebContent.html("")) : page));
          }
        });
  }

  private void finish(String url, WebPage page) {
    WebViewClient client = web.getWebViewClient();
    // The last before the app hears of it: it may request another page while it does.
    progress = DONE;
    List<Runnable> news =
        List.of(
            () -> tell(80),
            () -> fail(client, url, page),
            () -> client.onPageCommitVisible(view, url),
            () -> name(title),
            () -> tell(DONE),
            () -> client.onPageFinished(view, url));
    news.forEach(this::unlessDestroyed);
  }

  /**
   * A script has changed the address or the title of the page that is there.
   *
   * @param replaced whether that is no new place in the history
   * @param any whether a page can have any address: its scripts may change more than the place within it
   */
  void moved(String url, String named, boolean replaced, boolean any) {
    if (progress < DONE || web.wasDestroyCalled()) {
      return;
    }
    if (!named.isEmpty() && !named.equals(title)) {
      title = named;
      name(named);
    }
    if (!url.equals(shown) && !url.isEmpty() && (any || WebPage.beside(url, shown))) {
      places.add(shown);
      places.add(url);
      shown = url;
      if (!replaced) {
        web.pushEntryToHistory(url);
      }
      web.getWebViewClient().doUpdateVisitedHistory(view, url, false);
    }
  }

  /** Goes to another place of the current page, if it is one; else false. */
  boolean within(String url) {
    if (frame == null || !frame.ready() || !(WebPage.beside(url, shown) || places.contains(url))) {
      return false;
    }
    shown = url;
    frame.place(url);
    return true;
  }

  private void fail(WebViewClient client, String url, WebPage page) {
    if (page.error() != 0) {
      client.onReceivedError(view, new WebRequest(url), new WebRequest.Failure(page));
    }
  }

  private void name(String title) {
    WebChromeClient chrome = web.getWebChromeClient();
    if (chrome != null) {
      chrome.onReceivedTitle(view, title);
    }
  }

  private void progress(int percent) {
    progress = percent;
    tell(percent);
  }

  private void tell(int percent) {
    WebChromeClient chrome = web.getWebChromeClient();
    if (chrome != null) {
      chrome.onProgressChanged(view, percent);
    }
  }
}
