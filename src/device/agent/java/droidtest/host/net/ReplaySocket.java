package droidtest.host.net;

import droidtest.host.box.Online;
import droidtest.host.box.Process;
import droidtest.host.box.SocketValues;
import droidtest.sched.Hooks;
import java.io.FileDescriptor;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketImpl;
import java.net.SocketOptions;
import java.net.SocketTimeoutException;

/** The app's end of a connection to the archive. */
public final class ReplaySocket extends SocketImpl {
  /** The address of an emulator's end. */
  private static final byte[] HERE = {10, 0, 2, 15};

  private final SocketValues values = new SocketValues();
  private volatile Line line;
  private volatile boolean finished;

  @Override
  protected void create(boolean stream) {}

  @Override
  protected void connect(String host, int port) throws IOException {
    connect(new InetSocketAddress(host, port), 0);
  }

  @Override
  protected void connect(InetAddress address, int port) throws IOException {
    connect(new InetSocketAddress(address, port), 0);
  }

  @Override
  protected void connect(SocketAddress endpoint, int timeout) throws IOException {
    Process.network();
    InetSocketAddress to = (InetSocketAddress) endpoint;
    Archive archive = Replay.archive();
    // What was resolved has its name with it; what is an address in digits has none.
    String named = to.getHostString();
    String host = to.isUnresolved() || archive.address(named) != null ? named : archive.name(named);
    boolean known = host != null && archive.address(host) != null;
    if (to.isUnresolved() || Online.lost() && known) {
      throw Replay.unknown(named);
    }
    if (to.getAddress().isLoopbackAddress() && !known) {
      throw new ConnectException("Connection refused");
    }
    if (!known || Online.lost()) {
      throw new ConnectException("Network is unreachable");
    }
    Archive.Answer failure = archive.connection(host.toLowerCase(java.util.Locale.ROOT), to.getPort());
    if (failure != null) {
      refuse(failure.delay(), timeout);
    }
    address = to.getAddress();
    port = to.getPort();
    line = new Line(archive, host, port);
    localport = Replay.open(line);
  }

  private static void refuse(long delay, int timeout) throws IOException {
    try {
      boolean late = timeout > 0 && delay > timeout;
      if (delay > 0) {
        Hooks.sleep(late ? timeout : delay);
      }
      if (late) {
        throw new SocketTimeoutException("connect timed out");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    throw new ConnectException("Connection refused");
  }

  @Override
  protected void bind(InetAddress host, int port) {
    localport = port;
  }

  @Override
  protected void listen(int backlog) {}

  @Override
  protected void accept(SocketImpl socket) throws IOException {
    throw new SocketException("Socket closed");
  }

  private Line open() throws IOException {
    Line now = line;
    if (now == null) {
      throw new SocketException("Socket is not connected");
    }
    return now;
  }

  @Override
  protected InputStream getInputStream() {
    return new In();
  }

  @Override
  protected OutputStream getOutputStream() {
    return new Out();
  }

  private final class In extends InputStream {
    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      java.util.Objects.checkFromIndexSize(offset, length, bytes.length);
      return finished ? -1 : open().read(bytes, offset, length, (Integer) getOption(SocketOptions.SO_TIMEOUT));
    }

    @Override
    public int available() throws IOException {
      return open().available();
    }

    @Override
    public void close() throws IOException {
      ReplaySocket.this.close();
    }
  }

  private final class Out extends OutputStream {
    @Override
    public void write(int one) throws IOException {
      write(new byte[] {(byte) one}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      java.util.Objects.checkFromIndexSize(offset, length, bytes.length);
      open().write(bytes, offset, length);
    }

    @Override
    public void close() throws IOException {
      ReplaySocket.this.close();
    }
  }

  @Override
  protected int available() throws IOException {
    return open().available();
  }

  @Override
  protected void close() {
    Line now = line;
    if (now != null) {
      now.close();
      Replay.closed(localport);
    }
  }

  @Override
  protected void shutdownInput() {
    finished = true;
  }

  @Override
  protected void shutdownOutput() {}

  @Override
  protected void sendUrgentData(int data) {}

  @Override
  public void setOption(int id, Object value) {
    values.set(id, value);
  }

  @Override
  public Object getOption(int id) {
    return id == SocketOptions.SO_BINDADDR ? here() : values.get(id);
  }

  private static InetAddress here() {
    try {
      return InetAddress.getByAddress(HERE);
    } catch (java.net.UnknownHostException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  protected FileDescriptor getFileDescriptor() {
    return null;
  }
}
