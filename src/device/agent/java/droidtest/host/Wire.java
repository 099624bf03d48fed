package droidtest.host;

import java.io.EOFException;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Map;

/**
 * The framed JSON connection to the tool. It uses a channel, not a {@link java.net.Socket}: the sockets of this JVM are
 * cut off from the network ({@link NoNetwork}), and the wire must not be.
 */
public final class Wire {
  private static final int FRAME_LIMIT = 64 << 20;
  /** Length of the seal, in bytes. */
  private static final int SEAL = 16;

  private final ReadableByteChannel in;
  private final WritableByteChannel out;
  private final ByteBuffer header = ByteBuffer.allocate(4);

  /** What each frame to the tool starts with; no other code in this process has read it. */
  private byte[] seal = {};

  private Wire(ReadableByteChannel in, WritableByteChannel out) {
    this.in = in;
    this.out = out;
  }

  /**
   * The standard input is one end of a pair of sockets, to read and to write. An app can write to it as well; the tool knows
   * our frames by the seal that it sends first.
   */
  static Wire inherited() throws IOException {
    System.setIn(InputStream.nullInputStream());
    Wire wire = new Wire(new FileInputStream(FileDescriptor.in).getChannel(), new FileOutputStream(FileDescriptor.in).getChannel());
    ByteBuffer seal = ByteBuffer.allocate(SEAL);
    wire.fill(seal);
    wire.seal = seal.array();
    return wire;
  }

  static Wire connect(int port) throws IOException {
    SocketChannel channel = SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    channel.setOption(java.net.StandardSocketOptions.TCP_NODELAY, true);
    return new Wire(channel, channel);
  }

  /** What only the two ends of the wire know, as text: the names of the pipes to Chromium start with it. */
  public String key() {
    try {
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(seal);
      StringBuilder out = new StringBuilder();
      for (byte each : hash) {
        out.append(Character.forDigit(each >> 4 & 15, 16)).append(Character.forDigit(each & 15, 16));
      }
      return out.toString();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The next request; throws EOFException when the tool has disconnected. */
  @SuppressWarnings("unchecked")
  public Map<String, Object> receive() throws IOException {
    header.clear();
    fill(header);
    int length = header.getInt(0);
    if (length < 0 || length > FRAME_LIMIT) {
      throw new IOException("frame of " + length + " bytes");
    }
    ByteBuffer body = ByteBuffer.allocate(length);
    fill(body);
    return (Map<String, Object>) Json.parse(new String(body.array(), StandardCharsets.UTF_8));
  }

  private void fill(ByteBuffer buffer) throws IOException {
    while (buffer.hasRemaining()) {
      if (in.read(buffer) < 0) {
        throw new EOFException("the tool closed the connection");
      }
    }
  }

  /** Sends nothing: initializes Java's per-thread state for sending. */
  void warm() throws IOException {
    out.write(ByteBuffer.allocate(0));
  }

  /** Sends one frame; notices come from the watchdog's thread too. */
  public synchronized void send(CharSequence json) throws IOException {
    byte[] body = json.toString().getBytes(StandardCharsets.UTF_8);
    ByteBuffer frame = ByteBuffer.allocate(seal.length + 4 + body.length);
    frame.put(seal).putInt(body.length).put(body).flip();
    while (frame.hasRemaining()) {
      out.write(frame);
    }
  }
}
