package droidtest.gui;

import android.webkit.JavascriptInterface;
import android.webkit.WebResourceRequest;
import android.webkit.WebResourceResponse;
import android.webkit.WebView;
import android.webkit.WebViewClient;
import droidtest.host.Host;
import droidtest.host.net.Replay;
import droidtest.host.web.Engine;
import droidtest.host.web.Turns;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** What an engine requests, on its own thread: what concerns the app's main thread is passed on to it. */
final class WebHost implements Engine.Host {
  /** How long the app may take for one resource, in real time. */
  private static final long ASK_MS = 10_000;

  private final Web web;
  private final WebFrame frame;
  private final Turns turns;

  WebHost(Web web, WebFrame frame, Turns turns) {
    this.web = web;
    this.frame = frame;
    this.turns = turns;
  }

  /** Runs the app's code with its class loader, as its threads have it. */
  private interface Body<T> {
    T run() throws Exception;
  }

  private <T> T asApp(Body<T> body) throws Exception {
    Thread thread = Thread.currentThread();
    ClassLoader engine = thread.getContextClassLoader();
    thread.setContextClassLoader(web.view().getContext().getClassLoader());
    try {
      return body.run();
    } finally {
      thread.setContextClassLoader(engine);
    }
  }

  @Override
  public Engine.Answer fetch(String url, String method, Map<String, String> headers) throws IOException {
    WebResourceResponse given = intercepted(web.getWebViewClient(), web.view(), new WebRequest(url));
    if (given != null) {
      return WebContent.of(given, url);
    }
    if (WebPage.remote(url)) {
      if (Replay.on()) {
        // The engine's thread takes no turns with the app's, and so cannot wait in their time.
        return Replay.fetch(url, method).content();
      }
      if (Host.options().networkOpen()) {
        return null;
      }
      throw new FileNotFoundException("net::ERR_INTERNET_DISCONNECTED");
    }
    Engine.Answer found = WebContent.at(web.view().getContext(), url);
    if (found == null) {
      throw new FileNotFoundException("net::ERR_FILE_NOT_FOUND");
    }
    return found;
  }

  /** Asks the app on a separate thread, as Android does: what it throws there is its crash. */
  private static WebResourceResponse intercepted(WebViewClient client, WebView view, WebRequest request) {
    if (!asks(client)) {
      return null;
    }
    WebResourceResponse[] answer = {null};
    Thread thread =
        new Thread(() -> answer[0] = client.shouldInterceptRequest(view, request), "ThreadPoolForeg");
    thread.setContextClassLoader(view.getContext().getClassLoader());
    thread.start();
    try {
      thread.join(ASK_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return answer[0];
  }

  private static boolean asks(WebViewClient client) {
    try {
      Class<?> type = client.getClass();
      return declares(type.getMethod("shouldInterceptRequest", WebView.class, WebResourceRequest.class))
          || declares(type.getMethod("shouldInterceptRequest", WebView.class, String.class));
    } catch (NoSuchMethodException | LinkageError e) {
      return true;
    }
  }

  private static boolean declares(Method method) {
    return method.getDeclaringClass() != WebViewClient.class;
  }

  @Override
  public void navigate(String url, String method) {
    web.loads().post(0, () -> web.follow(url, method));
  }

  @Override
  public String dialog(String kind, String url, String message, String initial) {
    Turns.Reply reply = turns.new Reply();
    turns.main(
        () -> {
          new WebDialogs(web, reply).show(kind, url, message, initial);
          return true;
        });
    return turns.await(reply);
  }

  @Override
  public int choose(List<String> options, int chosen) {
    Turns.Reply reply = turns.new Reply();
    turns.main(
        () -> {
          new WebDialogs(web, reply).choose(options, chosen);
          return true;
        });
    String index = turns.await(reply);
    return index == null ? -1 : Integer.parseInt(index);
  }

  @Override
  public void console(String level, String message, String source, int line) {
    turns.main(
        () -> {
          frame.heard(level, message, source.isEmpty() ? String.valueOf(web.view().getUrl()) : source, line);
          return true;
        });
  }

  /** The names of an object's methods that scripts may call. */
  static Set<String> methods(Object object) {
    Set<String> names = new TreeSet<>();
    for (Method method : object.getClass().getMethods()) {
      if (method.isAnnotationPresent(JavascriptInterface.class)) {
        names.add(method.getName());
      }
    }
    return names;
  }

  /** On this thread and not the main one, as on Android; what the app throws becomes the script's error. */
  @Override
  public Object call(String name, String method, Object[] arguments) {
    Object object = web.objects().get(name);
    if (object == null) {
      return null;
    }
    for (Method one : object.getClass().getMethods()) {
      if (one.getName().equals(method) && one.getParameterCount() == arguments.length
          && one.isAnnotationPresent(JavascriptInterface.class)) {
        try {
          one.setAccessible(true);
          Object result = asApp(() -> one.invoke(object, WebValues.fit(arguments, one.getParameterTypes())));
          return WebValues.plain(result);
        } catch (InvocationTargetException e) {
          android.util.Log.w("chromium", "Java exception in " + name + "." + method, e.getCause());
          throw new IllegalStateException("Java exception was raised during method invocation");
        } catch (Exception e) {
          throw new IllegalStateException("Error: " + e);
        }
      }
    }
    throw new IllegalStateException("Method not found");
  }
}
