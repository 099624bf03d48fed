package droidtest.host.net;

import droidtest.host.Json;
import droidtest.host.box.Process;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The answers that the tool has read from the suite's archive, and how often each was given in this process life. Rules
 * are in order: the first one that fits and is not used up gives the answer.
 */
final class Archive {
  private static final String FILE = "replay.json";
  /** Requests without an answer that one process life names; a page that counts in its address must not fill a journal. */
  private static final int NAMED = 100;
  private static final int LONGEST = 300;
  /** The method of rules for web sockets. */
  static final String SOCKET = "WEBSOCKET";

  /** Why a request has no response. */
  enum Failure {
    REFUSED,
    RESET,
    TIMEOUT
  }

  /** What a server sends by a web socket, after so many messages of the app and so much time. */
  record Message(int after, long delay, boolean isText, byte[] data) {}

  /** One response. */
  record Answer(
      int status, String reason, List<List<String>> headers, Path body, byte[] text, long delay, Failure failure, List<Message> messages) {
    byte[] bytes() throws IOException {
      return body == null ? text : Files.readAllBytes(body);
    }

    /** The first value of a header, or null. */
    String header(String name) {
      for (List<String> header : headers) {
        if (header.get(0).equalsIgnoreCase(name)) {
          return header.get(1);
        }
      }
      return null;
    }
  }

  /** @param loose whether the query does not count @param times how often it holds, -1 forever */
  private record Rule(String method, String url, boolean wild, boolean loose, int times, Answer answer) {
    boolean fits(String asked, String address) {
      if (method != null && !method.equals(asked)) {
        return false;
      }
      String whole = loose ? path(address) : address;
      return wild ? matches(url, whole) : url.equals(whole);
    }
  }

  private final Map<String, String> addresses = new HashMap<>();
  private final Map<String, String> names = new HashMap<>();
  private final Set<String> unknown = new HashSet<>();
  private final List<Rule> rules = new ArrayList<>();
  private final Set<String> named = new HashSet<>();
  private int[] given;

  private Archive() {}

  static Archive read(Path folder) throws IOException {
    Map<?, ?> whole = (Map<?, ?>) Json.parse(Files.readString(folder.resolve(FILE)));
    Archive archive = new Archive();
    ((Map<?, ?>) whole.get("hosts"))
        .forEach(
            (host, address) -> {
              archive.addresses.put((String) host, (String) address);
              archive.names.putIfAbsent((String) address, (String) host);
            });
    for (Object host : (List<?>) whole.get("unknown")) {
      archive.unknown.add((String) host);
    }
    List<Answer> answers = new ArrayList<>();
    for (Object one : (List<?>) whole.get("answers")) {
      answers.add(answer((Map<?, ?>) one, folder));
    }
    for (Object one : (List<?>) whole.get("rules")) {
      Map<?, ?> rule = (Map<?, ?>) one;
      archive.rules.add(
          new Rule(
              (String) rule.get("method"),
              (String) rule.get("url"),
              Boolean.TRUE.equals(rule.get("wild")),
              Boolean.TRUE.equals(rule.get("loose")),
              rule.get("times") == null ? -1 : number(rule.get("times")),
              answers.get(number(rule.get("answer")))));
    }
    archive.begin();
    return archive;
  }

  private static int number(Object value) {
    return ((Long) value).intValue();
  }

  private static Answer answer(Map<?, ?> from, Path folder) {
    List<List<String>> headers = new ArrayList<>();
    for (Object one : (List<?>) from.get("headers")) {
      List<?> header = (List<?>) one;
      headers.add(List.of((String) header.get(0), (String) header.get(1)));
    }
    String body = (String) from.get("body");
    String failure = (String) from.get("fail");
    return new Answer(
        number(from.get("status")),
        (String) from.get("reason"),
        headers,
        body == null ? null : folder.resolve(body),
        new byte[0],
        (Long) from.get("delay_ms"),
        failure == null ? null : Failure.valueOf(failure.toUpperCase(java.util.Locale.ROOT)),
        messages((List<?>) from.get("messages")));
  }

  private static List<Message> messages(List<?> from) {
    List<Message> messages = new ArrayList<>();
    for (Object one : from == null ? List.of() : from) {
      Map<?, ?> message = (Map<?, ?>) one;
      byte[] data = Base64.getDecoder().decode((String) message.get("data"));
      messages.add(new Message(number(message.get("after")), (Long) message.get("delay_ms"), Boolean.TRUE.equals(message.get("text")), data));
    }
    return messages;
  }

  /** A process life sees all answers again. */
  synchronized void begin() {
    given = new int[rules.size()];
    named.clear();
  }

  /** The address of a host that the archive knows, or null. */
  String address(String host) {
    return addresses.get(host.toLowerCase(java.util.Locale.ROOT));
  }

  /** The host at an address, or null. */
  String name(String address) {
    return names.get(address);
  }

  /** Notes a name that nobody knows, unless the archive wants it so. */
  void unknown(String host) {
    if (!unknown.contains(host.toLowerCase(java.util.Locale.ROOT))) {
      note("the archive has no host " + host);
    }
  }

  /** The failure that stands first for connections to this host, or null when they succeed. */
  synchronized Answer connection(String host, int port) {
    for (int i = 0; i < rules.size(); i++) {
      Rule rule = rules.get(i);
      if (usedUp(i) || !origin(rule.url()).equals(host + ":" + port)) {
        continue;
      }
      if (rule.answer().failure() != Failure.REFUSED) {
        return null;
      }
      given[i]++;
      return rule.answer();
    }
    return null;
  }

  private boolean usedUp(int rule) {
    int times = rules.get(rule).times();
    return times >= 0 && given[rule] >= times;
  }

  /** What a request gets. */
  synchronized Answer take(String method, String url) {
    for (int i = 0; i < rules.size(); i++) {
      Rule rule = rules.get(i);
      if (!usedUp(i) && rule.answer().failure() != Failure.REFUSED && rule.fits(method, url)) {
        given[i]++;
        return rule.answer();
      }
    }
    String text = "the archive has no answer for " + method + " " + url;
    note(text);
    byte[] body = (text + "\n").getBytes(StandardCharsets.UTF_8);
    List<List<String>> headers = List.of(List.of("Content-Type", "text/plain; charset=utf-8"));
    return new Answer(404, "Not Found", headers, null, body, 0, null, List.of());
  }

  private synchronized void note(String text) {
    String detail = text.length() > LONGEST ? text.substring(0, LONGEST) + ".." : text;
    if (named.size() < NAMED && named.add(detail)) {
      Process.limit("network-replay", detail);
    }
  }

  /** {@code https://host/a?b} is {@code host:443}. */
  private static String origin(String url) {
    int host = url.indexOf("://") + 3;
    int end = url.indexOf('/', host);
    String authority = url.substring(host, end < 0 ? url.length() : end);
    if (authority.lastIndexOf(':') > authority.lastIndexOf(']')) {
      return authority;
    }
    return authority + (url.startsWith("https:") ? ":443" : ":80");
  }

  private static String path(String url) {
    int query = url.indexOf('?');
    return query < 0 ? url : url.substring(0, query);
  }

  /** A star stands for any number of characters. */
  static boolean matches(String pattern, String text) {
    int p = 0;
    int t = 0;
    int star = -1;
    int from = 0;
    while (t < text.length()) {
      if (p < pattern.length() && pattern.charAt(p) == '*') {
        star = p++;
        from = t;
      } else if (p < pattern.length() && pattern.charAt(p) == text.charAt(t)) {
        p++;
        t++;
      } else if (star >= 0) {
        p = star + 1;
        t = ++from;
      } else {
        return false;
      }
    }
    while (p < pattern.length() && pattern.charAt(p) == '*') {
      p++;
    }
    return p == pattern.length();
  }
}
