package droidtest.host.net;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Base64;
import java.util.Deque;
import java.util.List;

/** The server's end of a web socket (RFC 6455): the messages of an archive, each when the app has sent those before it. */
final class WebSocket {
  private static final String MAGIC = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
  /** More than this is not a frame of an app. */
  private static final long LARGEST = 64 << 20;
  private static final int TEXT = 1;
  private static final int BYTES = 2;
  private static final int CLOSE = 8;
  private static final int PING = 9;
  private static final int PONG = 10;
  private static final int FINAL = 0x80;

  /** Takes what the server sends: after a time, some bytes; null is the end. */
  interface Out {
    void add(long ms, byte[] bytes);
  }

  private final Deque<Archive.Message> left;
  private final Out out;
  private byte[] held = new byte[0];
  private int sent;
  private boolean over;

  WebSocket(List<Archive.Message> messages, Out out) {
    left = new ArrayDeque<>(messages);
    this.out = out;
    answer();
  }

  /** What a server says to the key of the app's request. */
  static String accept(String key) {
    try {
      byte[] text = (key + MAGIC).getBytes(StandardCharsets.ISO_8859_1);
      return Base64.getEncoder().encodeToString(MessageDigest.getInstance("SHA-1").digest(text));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private void answer() {
    while (!left.isEmpty() && left.peek().after() <= sent) {
      Archive.Message message = left.remove();
      out.add(message.delay(), frame(message.isText() ? TEXT : BYTES, message.data()));
    }
  }

  private static byte[] frame(int kind, byte[] data) {
    ByteArrayOutputStream frame = new ByteArrayOutputStream(data.length + 10);
    frame.write(FINAL | kind);
    if (data.length < 126) {
      frame.write(data.length);
    } else if (data.length < 1 << 16) {
      frame.write(126);
      frame.write(data.length >> 8);
      frame.write(data.length);
    } else {
      frame.write(127);
      for (int shift = 56; shift >= 0; shift -= 8) {
        frame.write((int) ((long) data.length >> shift));
      }
    }
    frame.writeBytes(data);
    return frame.toByteArray();
  }

  /** What the app has sent, in whatever pieces. */
  void take(byte[] bytes, int offset, int length) {
    int before = held.length;
    held = Arrays.copyOf(held, before + length);
    System.arraycopy(bytes, offset, held, before, length);
    int at = 0;
    while (!over) {
      int next = frame(at);
      if (next < 0) {
        break;
      }
      at = next;
    }
    held = over ? new byte[0] : Arrays.copyOfRange(held, at, held.length);
  }

  /** Reads a frame; where the next one starts, or -1 where this one is not whole. */
  private int frame(int from) {
    int at = from + 2;
    if (held.length < at) {
      return -1;
    }
    int head = held[from] & 0xff;
    long size = held[from + 1] & 0x7f;
    int more = size == 126 ? 2 : size == 127 ? 8 : 0;
    boolean masked = held[from + 1] < 0;
    if (held.length < at + more + (masked ? 4 : 0)) {
      return -1;
    }
    if (more > 0) {
      size = 0;
      for (int i = 0; i < more; i++) {
        size = size << 8 | held[at++] & 0xff;
      }
    }
    if (size < 0 || size > LARGEST || !masked) {
      end();
      return -1;
    }
    byte[] mask = Arrays.copyOfRange(held, at, at + 4);
    at += 4;
    if (held.length - at < size) {
      return -1;
    }
    byte[] data = Arrays.copyOfRange(held, at, at + (int) size);
    for (int i = 0; i < data.length; i++) {
      data[i] ^= mask[i % 4];
    }
    hear(head & 15, (head & FINAL) != 0, data);
    return at + (int) size;
  }

  private void hear(int kind, boolean whole, byte[] data) {
    if (kind == CLOSE) {
      out.add(0, frame(CLOSE, data));
      end();
    } else if (kind == PING) {
      out.add(0, frame(PONG, data));
    } else if (kind <= BYTES && whole) {
      // The last part of a message, or all of it.
      sent++;
      answer();
    }
  }

  private void end() {
    over = true;
    out.add(0, null);
  }
}
