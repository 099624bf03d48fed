package droidtest.host.box;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.net.SocketOptions;
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

/**
 * A channel of java.nio on a device without a network, as a phone without one has it (Ktor's CIO engine, Netty): it opens,
 * and each attempt to connect fails.
 */
public final class OfflineChannel extends SocketChannel {
  /** The numbers that a socket has for the options. */
  private static final Map<SocketOption<?>, Integer> OPTIONS =
      Map.of(
          StandardSocketOptions.SO_SNDBUF, SocketOptions.SO_SNDBUF,
          StandardSocketOptions.SO_RCVBUF, SocketOptions.SO_RCVBUF,
          StandardSocketOptions.SO_KEEPALIVE, SocketOptions.SO_KEEPALIVE,
          StandardSocketOptions.SO_REUSEADDR, SocketOptions.SO_REUSEADDR,
          StandardSocketOptions.SO_LINGER, SocketOptions.SO_LINGER,
          StandardSocketOptions.TCP_NODELAY, SocketOptions.TCP_NODELAY,
          StandardSocketOptions.IP_TOS, SocketOptions.IP_TOS);

  private final CutSocket end = new CutSocket();
  private final Socket socket = new OfflineSocket(this, end);

  private OfflineChannel() throws IOException {
    super(SelectorProvider.provider());
  }

  public static SocketChannel open() throws IOException {
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
    if (!(remote instanceof InetSocketAddress)) {
      throw new UnsupportedAddressTypeException();
    }
    if (((InetSocketAddress) remote).isUnresolved()) {
      Process.channel();
      throw new UnresolvedAddressException();
    }
    socket.connect(remote);
    return true;
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
    socket.bind(address);
    return this;
  }

  @Override
  public SocketAddress getLocalAddress() throws IOException {
    opened();
    return socket.getLocalSocketAddress();
  }

  @Override
  public <T> SocketChannel setOption(SocketOption<T> name, T value) throws IOException {
    end.setOption(number(name), value);
    return this;
  }

  @Override
  public <T> T getOption(SocketOption<T> name) throws IOException {
    Object value = end.getOption(number(name));
    // A socket that does not linger has false.
    return name.type().cast(name.type().isInstance(value) ? value : (Object) (-1));
  }

  private int number(SocketOption<?> name) throws ClosedChannelException {
    opened();
    Integer number = OPTIONS.get(name);
    if (number == null) {
      throw new UnsupportedOperationException("'" + name + "' not supported");
    }
    return number;
  }

  @Override
  public Set<SocketOption<?>> supportedOptions() {
    return OPTIONS.keySet();
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
  protected void implCloseSelectableChannel() throws IOException {
    socket.close();
  }

  @Override
  protected void implConfigureBlocking(boolean block) {}
}
