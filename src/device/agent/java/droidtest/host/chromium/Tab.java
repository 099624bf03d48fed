package droidtest.host.chromium;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** One page of Chromium: commands to it, with deadlines in real time, and its events, heard while one waits. */
final class Tab {
  private static final long START_MS = 20_000;
  private static final long CALL_MS = 15_000;

  /** Chromium has not answered in time. */
  static final class Late extends IOException {
    private static final long serialVersionUID = 1;

    Late(String what) {
      super("Chromium does not answer: " + what);
    }
  }

  /** Chromium has answered with an error. */
  static final class Refused extends IOException {
    private static final long serialVersionUID = 1;

    Refused(String message) {
      super(message);
    }
  }

  private final Pipe pipe;
  private final Consumer<Map<String, Object>> events;
  private final BlockingQueue<Map<String, Object>> inbox = new LinkedBlockingQueue<>();
  private final String context;
  final String target;
  private String session;

  /**
   * Opens a page.
   *
   * @param context of which storage; null for a new one
   * @param events hears what happens on the page
   */
  Tab(Pipe pipe, String context, Consumer<Map<String, Object>> events) throws IOException {
    this.pipe = pipe;
    this.events = events;
    if (context == null) {
      post("Target.setDiscoverTargets", Map.of("discover", true));
      this.context = Message.text(call("Target.createBrowserContext", Map.of(), START_MS), "browserContextId");
      post("Browser.setDownloadBehavior", Map.of("behavior", "deny", "browserContextId", this.context));
    } else {
      this.context = context;
    }
    Map<String, Object> wanted = Map.of("url", "about:blank", "browserContextId", this.context);
    target = Message.text(call("Target.createTarget", wanted, START_MS), "targetId");
    Map<String, Object> how = Map.of("targetId", target, "flatten", true);
    String attached = Message.text(call("Target.attachToTarget", how, START_MS), "sessionId");
    pipe.attach(attached, inbox);
    session = attached;
  }

  String context() {
    return context;
  }

  boolean over() {
    return pipe.over();
  }

  /** A command whose answer is of no interest. */
  void post(String method, Map<String, ?> params) {
    pipe.send(session, method, params, null);
  }

  Map<?, ?> call(String method, Map<String, ?> params) throws IOException {
    return call(method, params, CALL_MS);
  }

  /** Sends a command and waits for its result; events are heard meanwhile, whose time does not count. */
  Map<?, ?> call(String method, Map<String, ?> params, long ms) throws IOException {
    int id = pipe.send(session, method, params, inbox);
    Map<?, ?>[] answer = {null};
    if (!await(() -> answer[0] != null, message -> answer[0] = id == Message.number(message, "id", -1) ? message : answer[0], ms)) {
      throw new Late(method);
    }
    String error = Message.text(answer[0].get("error"), "message");
    if (answer[0].get("error") != null) {
      throw new Refused(method + ": " + error);
    }
    return Message.map(answer[0], "result");
  }

  /** Reads events until a condition is true; false if it is not after a silence of this length. */
  boolean await(BooleanSupplier done, long ms) throws IOException {
    return await(done, message -> {}, ms);
  }

  private boolean await(BooleanSupplier done, Consumer<Map<String, Object>> answers, long ms) throws IOException {
    long end = System.nanoTime() + ms * 1_000_000;
    while (!done.getAsBoolean()) {
      Map<String, Object> message = next(end - System.nanoTime());
      if (message == null) {
        return false;
      }
      if (message.containsKey("method")) {
        long from = System.nanoTime();
        events.accept(message);
        end += System.nanoTime() - from;
      } else {
        answers.accept(message);
      }
    }
    return true;
  }

  private Map<String, Object> next(long nanos) throws IOException {
    Map<String, Object> message;
    try {
      message = inbox.poll(Math.max(0, nanos), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("the page is closed", e);
    }
    if (message == Pipe.END) {
      throw new IOException("Chromium has ended");
    }
    return message;
  }

  /** Closes the page, without waiting for it. */
  void close() {
    pipe.detach(session);
    pipe.send(null, "Target.closeTarget", Map.of("targetId", target), null);
  }

  /** Forgets what the pages of a web view have stored. */
  void forget() {
    pipe.send(null, "Target.disposeBrowserContext", Map.of("browserContextId", context), null);
  }
}
