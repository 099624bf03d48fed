package droidtest.host.net;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** Reads HTTP/1.1 requests from the bytes of a connection, in whatever pieces they come. Bodies are read and left. */
final class Requests {
  /** More than this is not a head of a request. */
  private static final int HEAD = 256 << 10;

  /** Hears what has come. */
  interface Server {
    /** A head that asks whether its body is wanted. */
    void expected();

    /** A request with all of its body. */
    void request(String method, String target, Map<String, String> headers, boolean last);

    /** No HTTP. */
    void garbage();
  }

  private enum State {
    HEAD,
    BODY,
    SIZE,
    CHUNK,
    TRAILER,
    OVER
  }

  private final Server server;
  private final ByteArrayOutputStream line = new ByteArrayOutputStream();
  private State state = State.HEAD;
  private long left;
  private int size;
  private String method;
  private String target;
  private boolean last;
  private Map<String, String> headers = new HashMap<>();

  Requests(Server server) {
    this.server = server;
  }

  void take(byte[] bytes, int offset, int length) {
    int at = offset;
    int end = offset + length;
    while (at < end && state != State.OVER) {
      if (state == State.BODY || state == State.CHUNK) {
        int part = (int) Math.min(left, end - at);
        at += part;
        left -= part;
        if (left == 0) {
          bodied();
        }
      } else if (bytes[at] == '\n') {
        at++;
        String text = line.toString(StandardCharsets.ISO_8859_1);
        line.reset();
        line(text.endsWith("\r") ? text.substring(0, text.length() - 1) : text);
      } else {
        line.write(bytes[at++]);
        if (++size > HEAD) {
          refuse();
        }
      }
    }
  }

  private void refuse() {
    state = State.OVER;
    server.garbage();
  }

  private void bodied() {
    if (state == State.BODY) {
      done();
    } else {
      // The end of the line behind a chunk, which comes as an empty size.
      state = State.SIZE;
    }
  }

  private void line(String text) {
    switch (state) {
      case HEAD -> head(text);
      case SIZE -> size(text);
      case TRAILER -> {
        if (text.isEmpty()) {
          done();
        }
      }
      default -> refuse();
    }
  }

  private void head(String text) {
    if (method == null) {
      if (!text.isEmpty()) {
        first(text);
      }
    } else if (!text.isEmpty()) {
      int colon = text.indexOf(':');
      if (colon <= 0) {
        refuse();
        return;
      }
      headers.put(text.substring(0, colon).toLowerCase(Locale.ROOT), text.substring(colon + 1).trim());
    } else {
      body();
    }
  }

  private void first(String text) {
    String[] parts = text.split(" ");
    if (parts.length != 3 || !parts[2].startsWith("HTTP/1.")) {
      refuse();
      return;
    }
    method = parts[0];
    target = parts[1];
    last = parts[2].equals("HTTP/1.0");
  }

  private void body() {
    String connection = headers.getOrDefault("connection", "").toLowerCase(Locale.ROOT);
    last = connection.contains("close") || last && !connection.contains("keep-alive");
    boolean chunked = headers.getOrDefault("transfer-encoding", "").toLowerCase(Locale.ROOT).contains("chunked");
    try {
      left = chunked ? 0 : Long.parseLong(headers.getOrDefault("content-length", "0"));
    } catch (NumberFormatException e) {
      left = -1;
    }
    if (left < 0) {
      refuse();
      return;
    }
    if ((chunked || left > 0) && headers.getOrDefault("expect", "").equalsIgnoreCase("100-continue")) {
      server.expected();
    }
    size = 0;
    if (chunked) {
      state = State.SIZE;
    } else if (left > 0) {
      state = State.BODY;
    } else {
      done();
    }
  }

  private void size(String text) {
    size = 0;
    String number = text.replaceFirst(";.*", "").trim();
    if (number.isEmpty()) {
      return;
    }
    try {
      left = Long.parseLong(number, 16);
    } catch (NumberFormatException e) {
      left = -1;
    }
    if (left < 0) {
      refuse();
    } else {
      state = left == 0 ? State.TRAILER : State.CHUNK;
    }
  }

  private void done() {
    String asked = method;
    Map<String, String> all = headers;
    state = last ? State.OVER : State.HEAD;
    method = null;
    headers = new HashMap<>();
    size = 0;
    server.request(asked, target, all, last);
  }
}
