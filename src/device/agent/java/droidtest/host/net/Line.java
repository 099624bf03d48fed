package droidtest.host.net;

import droidtest.host.box.Clock;
import droidtest.sched.Hooks;
import java.io.IOException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * One connection of the app, with the server's end in it: who writes a request has it answered, who reads waits in virtual
 * time until the answer is due. No thread of the device takes part, so the app's threads alone give the order.
 */
final class Line {
  private static final byte[] CONTINUE = "HTTP/1.1 100 Continue\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1);

  /** Some bytes, a failure, or, with neither, the end. */
  private static final class Piece {
    private final long due;
    private final byte[] bytes;
    private final String failure;
    private int at;

    Piece(long due, byte[] bytes, String failure) {
      this.due = due;
      this.bytes = bytes;
      this.failure = failure;
    }
  }

  private final Archive archive;
  private final String host;
  private final int port;
  private final Requests requests = new Requests(new Responder());
  private final Deque<Piece> pieces = new ArrayDeque<>();
  /** What the connection became, where the app requested that. */
  private WebSocket socket;
  private boolean secure;
  private boolean closed;
  private String broken;
  private long latest;

  Line(Archive archive, String host, int port) {
    this.archive = archive;
    this.host = host;
    this.port = port;
  }

  /** From here on the bytes are those of a connection by TLS. */
  synchronized void secure() throws IOException {
    check();
    secure = true;
  }

  synchronized void write(byte[] bytes, int offset, int length) throws IOException {
    check();
    if (socket != null) {
      socket.take(bytes, offset, length);
    } else {
      requests.take(bytes, offset, length);
    }
  }

  private void check() throws IOException {
    if (closed) {
      throw new SocketException("Socket closed");
    }
    if (broken != null) {
      throw new SocketException(broken);
    }
  }

  /** @param ms how long the reader waits, 0 forever */
  synchronized int read(byte[] bytes, int offset, int length, int ms) throws IOException {
    long end = ms <= 0 ? Long.MAX_VALUE : Clock.nanoTime() + ms * 1_000_000L;
    while (true) {
      check();
      if (length == 0) {
        return 0;
      }
      long now = Clock.nanoTime();
      Piece next = pieces.peek();
      if (next != null && next.due <= now) {
        return part(next, bytes, offset, length);
      }
      if (now >= end) {
        throw new SocketTimeoutException("Read timed out");
      }
      await(Math.min(end, next == null ? Long.MAX_VALUE : next.due), now);
    }
  }

  private int part(Piece next, byte[] bytes, int offset, int length) throws IOException {
    if (next.failure != null) {
      broken = next.failure;
      throw new SocketException(broken);
    }
    if (next.bytes == null) {
      return -1;
    }
    int count = Math.min(length, next.bytes.length - next.at);
    System.arraycopy(next.bytes, next.at, bytes, offset, count);
    next.at += count;
    if (next.at == next.bytes.length) {
      pieces.remove();
    }
    return count;
  }

  private void await(long until, long now) throws IOException {
    // A millisecond more than not at all: a wait of none is one without an end.
    long ms = until == Long.MAX_VALUE ? 0 : Math.max(1, (until - now + 999_999) / 1_000_000);
    try {
      Hooks.wait(this, ms);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new java.io.InterruptedIOException("interrupted");
    }
  }

  synchronized int available() {
    Piece next = pieces.peek();
    return next == null || next.bytes == null || next.due > Clock.nanoTime() ? 0 : next.bytes.length - next.at;
  }

  synchronized void close() {
    closed = true;
    Hooks.notifyAll(this);
  }

  /** The network is lost. */
  synchronized void cut() {
    if (broken == null) {
      broken = "Software caused connection abort";
    }
    Hooks.notifyAll(this);
  }

  private void add(long ms, byte[] bytes, String failure) {
    // Answers come in the order of the requests.
    latest = Math.max(latest, Clock.nanoTime() + ms * 1_000_000L);
    pieces.add(new Piece(latest, bytes, failure));
    Hooks.notifyAll(this);
  }

  /** The server's side; called by whoever writes, who holds the lock. */
  private final class Responder implements Requests.Server {
    @Override
    public void expected() {
      add(0, CONTINUE, null);
    }

    @Override
    public void garbage() {
      add(0, null, null);
    }

    @Override
    public void request(String method, String target, Map<String, String> headers, boolean last) {
      boolean switches = "websocket".equalsIgnoreCase(headers.get("upgrade"));
      Archive.Answer answer = archive.take(switches ? Archive.SOCKET : method, url(target, headers.get("host")));
      if (answer.failure() == Archive.Failure.TIMEOUT) {
        return;
      }
      if (answer.failure() != null) {
        add(answer.delay(), null, "Connection reset");
        return;
      }
      if (answer.status() == 101) {
        add(answer.delay(), switching(answer, headers.getOrDefault("sec-websocket-key", "")), null);
        socket = new WebSocket(answer.messages(), (ms, bytes) -> add(ms, bytes, null));
        return;
      }
      try {
        byte[] body = bodiless(answer.status()) ? new byte[0] : answer.bytes();
        add(answer.delay(), head(answer, body.length, last), null);
        if (body.length > 0 && !method.equals("HEAD")) {
          add(0, body, null);
        }
      } catch (IOException e) {
        add(0, null, "Connection reset");
        return;
      }
      if (last) {
        add(0, null, null);
      }
    }

    private String url(String target, String named) {
      if (!target.startsWith("/")) {
        return target;
      }
      String authority = named == null || named.isEmpty() ? host + ":" + port : named.toLowerCase(Locale.ROOT);
      String usual = secure ? ":443" : ":80";
      if (authority.endsWith(usual)) {
        authority = authority.substring(0, authority.length() - usual.length());
      }
      return (secure ? "https://" : "http://") + authority + target;
    }
  }

  private static byte[] switching(Archive.Answer answer, String key) {
    StringBuilder head = new StringBuilder("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade");
    head.append("\r\nSec-WebSocket-Accept: ").append(WebSocket.accept(key));
    for (List<String> header : answer.headers()) {
      head.append("\r\n").append(header.get(0)).append(": ").append(header.get(1));
    }
    return head.append("\r\n\r\n").toString().getBytes(StandardCharsets.UTF_8);
  }

  private static boolean bodiless(int status) {
    return status < 200 || status == 204 || status == 304;
  }

  private static byte[] head(Archive.Answer answer, int length, boolean last) {
    StringBuilder head = new StringBuilder("HTTP/1.1 ").append(answer.status()).append(' ').append(answer.reason());
    for (List<String> header : answer.headers()) {
      head.append("\r\n").append(header.get(0)).append(": ").append(header.get(1));
    }
    if (!bodiless(answer.status())) {
      head.append("\r\nContent-Length: ").append(length);
    }
    head.append(last ? "\r\nConnection: close\r\n\r\n" : "\r\n\r\n");
    return head.toString().getBytes(StandardCharsets.UTF_8);
  }
}
