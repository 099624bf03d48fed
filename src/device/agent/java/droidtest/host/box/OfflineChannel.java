package droidtest.host.box;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NotYetConnectedException;
import java.nio.channels.NoConnectionPendingException;
import java.nio.channels.SocketChannel;
import java.nio.channels.UnresolvedAddressException;
import java.nio.channels.UnsupportedAddressTypeException;
import java.nio.channels.spi.SelectorProvider;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * A channel of java.nio on a device without a network, as a phone without one has it (Ktor's CIO engine, Netty): it opens,
 * and each attempt to connect fails.
 */
public final class OfflineChannel extends SocketChannel {
  private static final Set<SocketOption<?>> OPTIONS =
      Set.of(
          StandardSocketOptions.SO_SNDBUF, StandardSocketOptions.SO_RCVBUF, StandardSocketOptions.SO_KEEPALIVE,
          StandardSocketOptions.SO_REUSEADDR, StandardSocketOptions.SO_LINGER, StandardSocketOptions.TCP_NODELAY,
          StandardSocketOptions.IP_TOS);

  private final Map<SocketOption<?>, Object> options = new HashMap<>();
  private final Socket socket = new Unconnected();
  private SocketAddress local;

  private OfflineChannel() {
    super(SelectorProvider.provider());
  }

  public static SocketChannel open() {
    return new OfflineChannel();
  }

  public static SocketChannel open(SocketAddress remote) throws IOException {
    SocketChannel channel = open();
    channel.connect(remote);
    return channel;
  }

  @Override
  public boolean connect(SocketAddress remote) throws IOException {
    opened();
    if (!(remote instanceof InetSocketAddress)) {
      throw new UnsupportedAddressTypeException();
    }
    InetSocketAddress to = (InetSocketAddress) remote;
    if (to.isUnresolved()) {
      throw new UnresolvedAddressException();
    }
    Process.network();
    Process.channel();
    close();
    throw new ConnectException(to.getAddress().isLoopbackAddress() ? "Connection refused" : "Network is unreachable");
  }

  @Override
  public boolean finishConnect() throws IOException {
    opened();
    throw new NoConnectionPendingException();
  }

  private void opened() throws ClosedChannelException {
    if (!isOpen()) {
      throw new ClosedChannelException();
    }
  }

  private void connected() throws ClosedChannelException {
    opened();
    throw new NotYetConnectedException();
  }

  @Override
  public SocketChannel bind(SocketAddress address) throws IOException {
    opened();
    local = address == null ? new InetSocketAddress(0) : address;
    return this;
  }

  @Override
  public SocketAddress getLocalAddress() throws IOException {
    opened();
    return local;
  }

  @Override
  public <T> SocketChannel setOption(SocketOption<T> name, T value) throws IOException {
    supported(name);
    options.put(name, value);
    return this;
  }

  @Override
  @SuppressWarnings("unchecked")
  public <T> T getOption(SocketOption<T> name) throws IOException {
    supported(name);
    Object unset = name.type() == Boolean.class ? (Object) false : (Object) 0;
    return (T) options.getOrDefault(name, unset);
  }

  private void supported(SocketOption<?> name) throws ClosedChannelException {
    opened();
    if (!OPTIONS.contains(name)) {
      throw new UnsupportedOperationException("'" + name + "' not supported");
    }
  }

  @Override
  public Set<SocketOption<?>> supportedOptions() {
    return OPTIONS;
  }

  @Override
  public SocketChannel shutdownInput() throws IOException {
    connected();
    return this;
  }

  @Override
  public SocketChannel shutdownOutput() throws IOException {
    connected();
    return this;
  }

  @Override
  public Socket socket() {
    return socket;
  }

  @Override
  public boolean isConnected() {
    return false;
  }

  @Override
  public boolean isConnectionPending() {
    return false;
  }

  @Override
  public SocketAddress getRemoteAddress() throws IOException {
    opened();
    return null;
  }

  @Override
  public int read(ByteBuffer to) throws IOException {
    connected();
    return 0;
  }

  @Override
  public long read(ByteBuffer[] to, int offset, int length) throws IOException {
    connected();
    return 0;
  }

  @Override
  public int write(ByteBuffer from) throws IOException {
    connected();
    return 0;
  }

  @Override
  public long write(ByteBuffer[] from, int offset, int length) throws IOException {
    connected();
    return 0;
  }

  @Override
  protected void implCloseSelectableChannel() {}

  @Override
  protected void implConfigureBlocking(boolean block) {}

  /** The channel's view as a socket: it has options, and connects as the channel does. */
  private final class Unconnected extends Socket {
    @Override
    public SocketChannel getChannel() {
      return OfflineChannel.this;
    }

    @Override
    public void connect(SocketAddress remote) throws IOException {
      connect(remote, 0);
    }

    @Override
    public void connect(SocketAddress remote, int timeout) throws IOException {
      try {
        OfflineChannel.this.connect(remote);
      } catch (UnresolvedAddressException e) {
        throw new java.net.UnknownHostException(((InetSocketAddress) remote).getHostString());
      }
    }

    @Override
    public void bind(SocketAddress address) throws IOException {
      OfflineChannel.this.bind(address);
    }

    @Override
    public void close() throws IOException {
      OfflineChannel.this.close();
    }

    @Override
    public boolean isClosed() {
      return !OfflineChannel.this.isOpen();
    }

    @Override
    public void setTcpNoDelay(boolean on) throws SocketException {
      keep(StandardSocketOptions.TCP_NODELAY, on);
    }

    @Override
    public void setKeepAlive(boolean on) throws SocketException {
      keep(StandardSocketOptions.SO_KEEPALIVE, on);
    }

    @Override
    public void setReuseAddress(boolean on) throws SocketException {
      keep(StandardSocketOptions.SO_REUSEADDR, on);
    }

    @Override
    public void setSoLinger(boolean on, int seconds) throws SocketException {
      keep(StandardSocketOptions.SO_LINGER, on ? seconds : -1);
    }

    @Override
    public void setSendBufferSize(int bytes) throws SocketException {
      keep(StandardSocketOptions.SO_SNDBUF, bytes);
    }

    @Override
    public void setReceiveBufferSize(int bytes) throws SocketException {
      keep(StandardSocketOptions.SO_RCVBUF, bytes);
    }

    @Override
    public void setTrafficClass(int kind) throws SocketException {
      keep(StandardSocketOptions.IP_TOS, kind);
    }

    @Override
    public void setSoTimeout(int milliseconds) throws SocketException {
      if (isClosed()) {
        throw new SocketException("Socket is closed");
      }
    }

    private <T> void keep(SocketOption<T> name, T value) throws SocketException {
      try {
        OfflineChannel.this.setOption(name, value);
      } catch (IOException e) {
        throw new SocketException("Socket is closed");
      }
    }
  }
}
