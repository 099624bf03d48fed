package droidtest.host.chromium;

import droidtest.host.Json;
import droidtest.host.web.Engine;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What happens on a page while someone waits for it: requests, dialogs, messages, wishes to go elsewhere. */
final class Heard {
  private static final List<String> OWN = List.of("javascript", "about", "data", "blob");

  private final Engine.Host host;
  private final String secret = "droidtest:" + Long.toHexString(new SecureRandom().nextLong()) + ":";
  private Tab tab;
  private String expected;
  private Engine.Answer content;
  private Engine.Setting setting;
  private boolean loaded;
  private boolean committed;
  private int expired;
  private String wanted = "";
  private String url = "";

  Heard(Engine.Host host) {
    this.host = host;
  }

  void on(Tab theTab) {
    tab = theTab;
  }

  /** Starts the prompts that are calls of the prelude's. */
  String secret() {
    return secret;
  }

  void setting(Engine.Setting theSetting) {
    setting = theSetting;
  }

  /** The next document is this one; null if the network has it. */
  void expect(String address, Engine.Answer answer) {
    expected = Page.bare(address);
    content = answer;
    committed = false;
    loaded = false;
    url = address;
  }

  /** A page is written into the one that is there. */
  void written() {
    expected = null;
    committed = true;
    loaded = false;
  }

  boolean loaded() {
    return loaded;
  }

  /** How many times granted time was used up. */
  int expired() {
    return expired;
  }

  void event(Map<String, Object> message) {
    Map<?, ?> params = Message.map(message, "params");
    switch (Message.text(message, "method")) {
      case "Emulation.virtualTimeBudgetExpired" -> expired++;
      case "Page.loadEventFired" -> loaded = loaded || committed;
      case "Page.frameNavigated" -> navigated(Message.map(params, "frame"));
      case "Page.frameRequestedNavigation" -> wish(params);
      case "Page.windowOpen" -> elsewhere(Message.text(params, "url"), "GET");
      case "Page.javascriptDialogOpening" -> dialog(params);
      case "Fetch.requestPaused" -> request(params);
      case "Runtime.consoleAPICalled" -> console(params);
      case "Runtime.exceptionThrown" -> thrown(Message.map(params, "exceptionDetails"));
      default -> {}
    }
  }

  private void navigated(Map<?, ?> frame) {
    if (Message.text(frame, "parentId").isEmpty()) {
      committed = true;
    }
  }

  private boolean top(Map<?, ?> params) {
    return Message.text(params, "frameId").equals(tab.target);
  }

  private void wish(Map<?, ?> params) {
    if (!top(params)) {
      return;
    }
    String to = Message.text(params, "url");
    String reason = Message.text(params, "reason");
    if (!Message.text(params, "disposition").equals("currentTab") && !reason.startsWith("form")) {
      return;
    }
    wanted = to;
    elsewhere(to, reason.equals("formSubmissionPost") ? "POST" : "GET");
  }

  private void elsewhere(String to, String method) {
    int colon = to.indexOf(':');
    if (colon > 0 && !OWN.contains(to.substring(0, colon).toLowerCase(Locale.ROOT))) {
      host.navigate(to, method);
    }
  }

  private void dialog(Map<?, ?> params) {
    String kind = Message.text(params, "type");
    String text = Message.text(params, "message");
    Map<String, Object> answer = new HashMap<>();
    answer.put("accept", true);
    if (kind.equals("prompt") && text.startsWith(secret)) {
      answer.put("promptText", called(text.substring(secret.length())));
    } else if (!kind.equals("beforeunload")) {
      String reply = host.dialog(kind, url, text, Message.text(params, "defaultPrompt"));
      answer.put("accept", reply != null);
      answer.put("promptText", reply == null ? "" : reply);
    }
    tab.post("Page.handleJavaScriptDialog", answer);
  }

  /** A call of the prelude's: a method of the app's, or a place to go to. */
  private String called(String json) {
    Map<String, Object> answer = new HashMap<>();
    Map<?, ?> call = Json.parse(json) instanceof Map<?, ?> map ? map : Map.of();
    if (call.get("go") instanceof Number steps) {
      host.navigate("history:" + steps.longValue(), "GET");
    } else if (call.get("open") instanceof String to) {
      elsewhere(to, "GET");
    } else {
      try {
        Object[] all = ((List<?>) plain(Message.list(call, "all"))).toArray();
        for (int i = 0; i < all.length; i++) {
          all[i] = arrays(all[i]);
        }
        answer.put("value", host.call(Message.text(call, "object"), Message.text(call, "method"), all));
      } catch (IllegalStateException e) {
        answer.put("error", String.valueOf(e.getMessage()));
      }
    }
    answer.putIfAbsent("value", null);
    if (answer.containsKey("error")) {
      answer.remove("value");
    }
    return Message.write(answer);
  }

  /** Scripts know one kind of number. */
  private static Object plain(Object value) {
    if (value instanceof List<?> list) {
      List<Object> all = new ArrayList<>();
      list.forEach(one -> all.add(plain(one)));
      return all;
    }
    return value instanceof Number number ? (Object) number.doubleValue() : value;
  }

  private static Object arrays(Object value) {
    return value instanceof List<?> list ? list.stream().map(Heard::arrays).toArray() : value;
  }

  private void request(Map<?, ?> params) {
    String id = Message.text(params, "requestId");
    Map<?, ?> request = Message.map(params, "request");
    String address = Message.text(request, "url");
    String method = Message.text(request, "method");
    boolean document = Message.text(params, "resourceType").equals("Document") && top(params);
    boolean redirected = !Message.text(params, "redirectedRequestId").isEmpty();
    if (document && !redirected) {
      if (expected == null || !expected.equals(Page.bare(address))) {
        // The app is asked first, and loads it as any other page.
        fail(id, "Aborted");
        if (!Page.bare(wanted).equals(Page.bare(address))) {
          elsewhere(address, method);
        }
        wanted = "";
        return;
      }
      expected = null;
      if (content != null) {
        fulfil(id, content, true);
        content = null;
        return;
      }
    }
    if (address.startsWith("data:") || address.startsWith("blob:") || redirected) {
      tab.post("Fetch.continueRequest", Map.of("requestId", id));
      return;
    }
    Map<String, String> headers = new HashMap<>();
    Message.map(request, "headers").forEach((name, value) -> headers.put(String.valueOf(name), String.valueOf(value)));
    if (universal() && method.equals("OPTIONS") && headers.containsKey("Access-Control-Request-Method")) {
      fulfil(id, new Engine.Answer(204, "No Content", "text/plain", null, new byte[0], Map.of()), false);
      return;
    }
    try {
      Engine.Answer answer = host.fetch(address, method, headers);
      if (answer != null) {
        fulfil(id, answer, document);
      } else {
        tab.post("Fetch.continueRequest", Map.of("requestId", id));
      }
    } catch (IOException | RuntimeException e) {
      boolean remote = address.startsWith("http");
      fail(id, remote ? "InternetDisconnected" : "Failed");
      if (!document && !address.endsWith("/favicon.ico")) {
        host.console("error", "Failed to load resource: " + address, url, 0);
      }
    }
  }

  /** Whether the app lets a page of its files read what other sites have. */
  private boolean universal() {
    return setting.universal() && url.startsWith("file:");
  }

  private void fail(String id, String why) {
    tab.post("Fetch.failRequest", Map.of("requestId", id, "errorReason", why));
  }

  private void fulfil(String id, Engine.Answer answer, boolean document) {
    List<Map<String, String>> headers = new ArrayList<>();
    answer.headers().forEach((name, value) -> {
      if (!List.of("content-type", "content-length", "content-encoding", "transfer-encoding").contains(name.toLowerCase(Locale.ROOT))) {
        header(headers, name, value);
      }
    });
    String charset = answer.charset() == null || answer.charset().isBlank() ? "" : ";charset=" + answer.charset();
    header(headers, "Content-Type", answer.type() + charset);
    if (document && !setting.scripts()) {
      header(headers, "Content-Security-Policy", "script-src 'none'");
    }
    if (universal()) {
      headers.removeIf(one -> one.get("name").toLowerCase(Locale.ROOT).startsWith("access-control-allow-"));
      header(headers, "Access-Control-Allow-Origin", "*");
      header(headers, "Access-Control-Allow-Headers", "*");
      header(headers, "Access-Control-Allow-Methods", "*");
    }
    Map<String, Object> all = new HashMap<>();
    all.put("requestId", id);
    all.put("responseCode", answer.status() < 200 || answer.status() > 599 ? 200 : answer.status());
    all.put("responseHeaders", headers);
    all.put("body", Base64.getEncoder().encodeToString(answer.body()));
    tab.post("Fetch.fulfillRequest", all);
  }

  private static void header(List<Map<String, String>> to, String name, String value) {
    // One that breaks the line would be refused, and the answer with it.
    to.add(Map.of("name", name.replaceAll("[\\r\\n\\s:]", ""), "value", String.valueOf(value).replaceAll("[\\r\\n]", " ")));
  }

  private void console(Map<?, ?> params) {
    StringBuilder text = new StringBuilder();
    for (Object argument : Message.list(params, "args")) {
      Object value = argument instanceof Map<?, ?> map ? map.get("value") : null;
      String described = Message.text(argument, "description");
      text.append(text.length() == 0 ? "" : " ");
      text.append(value != null ? value : described.isEmpty() ? Message.text(argument, "type") : described);
    }
    String level =
        switch (Message.text(params, "type")) {
          case "error", "assert" -> "error";
          case "warning" -> "warn";
          case "debug", "trace" -> "debug";
          default -> "log";
        };
    Object first = Message.list(Message.map(params, "stackTrace"), "callFrames").stream().findFirst().orElse(null);
    host.console(level, text.toString(), Message.text(first, "url"), (int) Message.number(first, "lineNumber", -1) + 1);
  }

  /** An error that nobody has caught. */
  void thrown(Map<?, ?> details) {
    Map<?, ?> exception = Message.map(details, "exception");
    String text = Message.text(exception, "description").split("\n", 2)[0];
    if (text.isEmpty()) {
      Object value = exception.get("value");
      text = value == null ? Message.text(details, "text") : String.valueOf(value);
    }
    String promise = Message.text(details, "text").contains("in promise") ? "(in promise) " : "";
    String source = Message.text(details, "url");
    host.console("uncaught", promise + text.replaceFirst("^Uncaught ", ""), source, (int) Message.number(details, "lineNumber", -1) + 1);
  }
}
