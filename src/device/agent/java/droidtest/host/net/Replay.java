package droidtest.host.net;

import droidtest.host.box.Online;
import droidtest.host.web.Engine;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.security.Security;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A network that has what an archive has: names, connections, TLS without secrets, and answers. */
public final class Replay {
  /** The first port of the app's ends of connections. */
  private static final int PORTS = 40_000;
  private static final int LAST_PORT = 65_000;
  private static final int REDIRECTS = 20;

  private static volatile Archive archive;
  /** Open connections by the app's port, in the order in which they were opened. */
  private static final Map<Integer, Line> LINES = new LinkedHashMap<>();
  private static int port = PORTS;

  private Replay() {}

  /** @param folder what the tool wrote */
  public static void install(Path folder) throws IOException {
    archive = Archive.read(folder);
    Online.connect(Replay::cut);
  }

  /** Whether the device has an archive. */
  public static boolean on() {
    return archive != null;
  }

  /** A process life starts: the server is new, and no connection is left. */
  public static void begin() {
    if (!on()) {
      return;
    }
    cut();
    archive.begin();
    synchronized (LINES) {
      port = PORTS;
    }
    Security.removeProvider(TlsProvider.NAME);
    Security.insertProviderAt(new TlsProvider(), 1);
  }

  private static void cut() {
    List<Line> open;
    synchronized (LINES) {
      open = new ArrayList<>(LINES.values());
      LINES.clear();
    }
    open.forEach(Line::cut);
  }

  /** A new connection, and the app's port of it. */
  static int open(Line line) {
    synchronized (LINES) {
      do {
        port = port == LAST_PORT ? PORTS : port + 1;
      } while (LINES.containsKey(port));
      LINES.put(port, line);
      return port;
    }
  }

  static void closed(int of) {
    synchronized (LINES) {
      LINES.remove(of);
    }
  }

  /** The open connection with this port on the app's side, or null. */
  static Line at(int of) {
    synchronized (LINES) {
      return LINES.get(of);
    }
  }

  static Archive archive() {
    return archive;
  }

  /** Whether the archive has answers of this host. */
  public static boolean knows(String host) {
    return host != null && archive.address(host) != null;
  }

  /** The address of a name. */
  public static InetAddress[] resolve(String host) throws UnknownHostException {
    String address = Online.lost() ? null : archive.address(host);
    if (address == null) {
      throw unknown(host);
    }
    byte[] bytes = InetAddress.getByName(address).getAddress();
    return new InetAddress[] {InetAddress.getByAddress(host, bytes)};
  }

  static UnknownHostException unknown(String host) {
    if (!Online.lost()) {
      archive.unknown(host);
    }
    return new UnknownHostException("Unable to resolve host \"" + host + "\": No address associated with hostname");
  }

  /** What a web view's request got: the address after all redirects, the content, and how long that took. */
  public record Fetched(String url, Engine.Answer content, long delay) {}

  /** What an address holds for a web view. Throws with Chromium's name of the error. */
  public static Fetched fetch(String url, String method) throws IOException {
    String address = url.replaceFirst("#.*", "");
    String asked = method;
    long delay = 0;
    for (int i = 0; i < REDIRECTS; i++) {
      Archive.Answer answer = answer(asked, address);
      delay += answer.delay();
      String next = answer.status() / 100 == 3 ? answer.header("Location") : null;
      if (next == null) {
        return new Fetched(address, content(answer, address), delay);
      }
      try {
        address = normal(URI.create(address).resolve(next.trim()));
      } catch (IllegalArgumentException e) {
        throw new FileNotFoundException("net::ERR_INVALID_REDIRECT");
      }
      asked = answer.status() == 307 || answer.status() == 308 ? asked : "GET";
    }
    throw new FileNotFoundException("net::ERR_TOO_MANY_REDIRECTS");
  }

  private static String normal(URI uri) {
    String text = uri.toString().replaceFirst("#.*", "");
    return uri.getRawPath() == null || uri.getRawPath().isEmpty() ? text.replaceFirst("^([^?]*)", "$1/") : text;
  }

  private static Archive.Answer answer(String method, String url) throws IOException {
    URI uri;
    try {
      uri = URI.create(url);
    } catch (IllegalArgumentException e) {
      uri = URI.create(url.replaceFirst("[?].*", "").replaceAll("[^\\x21-\\x7e]", "-"));
    }
    String host = uri.getHost();
    if (Online.lost()) {
      throw new FileNotFoundException("net::ERR_INTERNET_DISCONNECTED");
    }
    if (host == null || archive.address(host) == null) {
      throw new FileNotFoundException(host == null ? "net::ERR_INVALID_URL" : named(host));
    }
    int at = uri.getPort() >= 0 ? uri.getPort() : uri.getScheme().equalsIgnoreCase("https") ? 443 : 80;
    if (archive.connection(host.toLowerCase(Locale.ROOT), at) != null) {
      throw new FileNotFoundException("net::ERR_CONNECTION_REFUSED");
    }
    Archive.Answer answer = archive.take(method, url);
    if (answer.failure() != null) {
      boolean late = answer.failure() == Archive.Failure.TIMEOUT;
      throw new FileNotFoundException(late ? "net::ERR_TIMED_OUT" : "net::ERR_CONNECTION_RESET");
    }
    return answer;
  }

  private static String named(String host) {
    archive.unknown(host);
    return "net::ERR_NAME_NOT_RESOLVED";
  }

  private static Engine.Answer content(Archive.Answer answer, String url) throws IOException {
    String type = answer.header("Content-Type");
    String charset = null;
    if (type != null) {
      for (String part : type.split(";")) {
        if (part.trim().toLowerCase(Locale.ROOT).startsWith("charset=")) {
          charset = part.trim().substring("charset=".length()).replace("\"", "");
        }
      }
      type = type.replaceFirst(";.*", "").trim();
    }
    Map<String, String> headers = new HashMap<>();
    answer.headers().forEach(header -> headers.put(header.get(0), header.get(1)));
    String kind = type == null || type.isEmpty() ? "text/html" : type;
    return new Engine.Answer(answer.status(), answer.reason(), kind, charset, answer.bytes(), headers);
  }
}
