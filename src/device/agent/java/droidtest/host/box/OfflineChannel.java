package droidtest.host.box;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.NoConnectionPendingException;
import java.nio.channels.NotYetConnectedException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.channels.UnresolvedAddressException;
import java.nio.channels.UnsupportedAddressTypeException;
import java.nio.channels.spi.SelectorProvider;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

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

  private final Map<SocketOption<?>, Object> options = new ConcurrentHashMap<>();
  private final Socket socket = new OfflineSocket(this);
  private volatile SocketAddress local;

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

  /** {@code SelectableChannel.register}, which refuses channels that are not Java's own. */
  public static SelectionKey register(SelectableChannel channel, Selector selector, int ops) throws IOException {
    return register(channel, selector, ops, null);
  }

  public static SelectionKey register(SelectableChannel channel, Selector selector, int ops, Object attachment)
      throws IOException {
    if (!(channel instanceof OfflineChannel)) {
      return channel.register(selector, ops, attachment);
    }
    ((OfflineChannel) channel).opened();
    if ((ops & ~channel.validOps()) != 0) {
      throw new IllegalArgumentException();
    }
    if (channel.isBlocking()) {
      throw new IllegalBlockingModeException();
    }
    if (!selector.isOpen()) {
      throw new ClosedSelectorException();
    }
    SelectionKey key = new OfflineKey(channel, selector, ops);
    key.attach(attachment);
    return key;
  }

  @Override
  public boolean connect(SocketAddress remote) throws IOException {
    opened();
    Process.channel();
    if (!(remote instanceof InetSocketAddress)) {
      throw new UnsupportedAddressTypeException();
    }
    InetSocketAddress to = (InetSocketAddress) remote;
    if (to.isUnresolved()) {
      throw new UnresolvedAddressException();
    }
    Process.network();
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
    return (T) options.getOrDefault(name, usual(name));
  }

  /** As Linux has them. */
  private static Object usual(SocketOption<?> name) {
    if (name.type() == Boolean.class) {
      return false;
    }
    if (name == StandardSocketOptions.SO_SNDBUF) {
      return 16_384;
    }
    if (name == StandardSocketOptions.SO_RCVBUF) {
      return 131_072;
    }
    return name == StandardSocketOptions.SO_LINGER ? -1 : 0;
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
}
