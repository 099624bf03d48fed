package droidtest.host.box;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.net.UnknownHostException;
import java.nio.channels.SocketChannel;
import java.nio.channels.UnresolvedAddressException;
import java.util.Set;

/** An {@link OfflineChannel} as a socket: it has the channel's options, and connects as the channel does. */
final class OfflineSocket extends Socket {
  private final SocketChannel channel;
  private volatile int timeout;

  OfflineSocket(SocketChannel channel) {
    this.channel = channel;
  }

  @Override
  public SocketChannel getChannel() {
    return channel;
  }

  @Override
  public void connect(SocketAddress remote) throws IOException {
    connect(remote, 0);
  }

  @Override
  public void connect(SocketAddress remote, int timeout) throws IOException {
    try {
      channel.connect(remote);
    } catch (UnresolvedAddressException e) {
      throw new UnknownHostException(((InetSocketAddress) remote).getHostString());
    }
  }

  @Override
  public void bind(SocketAddress address) throws IOException {
    channel.bind(address);
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }

  @Override
  public boolean isClosed() {
    return !channel.isOpen();
  }

  @Override
  public boolean isBound() {
    return local() != null;
  }

  @Override
  public InetAddress getLocalAddress() {
    InetSocketAddress local = local();
    return local == null ? new InetSocketAddress(0).getAddress() : local.getAddress();
  }

  @Override
  public int getLocalPort() {
    InetSocketAddress local = local();
    return local == null ? -1 : local.getPort();
  }

  @Override
  public SocketAddress getLocalSocketAddress() {
    return local();
  }

  private InetSocketAddress local() {
    try {
      return channel.isOpen() ? (InetSocketAddress) channel.getLocalAddress() : null;
    } catch (IOException e) {
      return null;
    }
  }

  @Override
  public <T> Socket setOption(SocketOption<T> name, T value) throws IOException {
    channel.setOption(name, value);
    return this;
  }

  @Override
  public <T> T getOption(SocketOption<T> name) throws IOException {
    return channel.getOption(name);
  }

  @Override
  public Set<SocketOption<?>> supportedOptions() {
    return channel.supportedOptions();
  }

  @Override
  public void setTcpNoDelay(boolean on) throws SocketException {
    set(StandardSocketOptions.TCP_NODELAY, on);
  }

  @Override
  public boolean getTcpNoDelay() throws SocketException {
    return get(StandardSocketOptions.TCP_NODELAY);
  }

  @Override
  public void setKeepAlive(boolean on) throws SocketException {
    set(StandardSocketOptions.SO_KEEPALIVE, on);
  }

  @Override
  public boolean getKeepAlive() throws SocketException {
    return get(StandardSocketOptions.SO_KEEPALIVE);
  }

  @Override
  public void setReuseAddress(boolean on) throws SocketException {
    set(StandardSocketOptions.SO_REUSEADDR, on);
  }

  @Override
  public boolean getReuseAddress() throws SocketException {
    return get(StandardSocketOptions.SO_REUSEADDR);
  }

  @Override
  public void setSoLinger(boolean on, int seconds) throws SocketException {
    set(StandardSocketOptions.SO_LINGER, on ? seconds : -1);
  }

  @Override
  public int getSoLinger() throws SocketException {
    return get(StandardSocketOptions.SO_LINGER);
  }

  @Override
  public void setSendBufferSize(int bytes) throws SocketException {
    set(StandardSocketOptions.SO_SNDBUF, bytes);
  }

  @Override
  public int getSendBufferSize() throws SocketException {
    return get(StandardSocketOptions.SO_SNDBUF);
  }

  @Override
  public void setReceiveBufferSize(int bytes) throws SocketException {
    set(StandardSocketOptions.SO_RCVBUF, bytes);
  }

  @Override
  public int getReceiveBufferSize() throws SocketException {
    return get(StandardSocketOptions.SO_RCVBUF);
  }

  @Override
  public void setTrafficClass(int kind) throws SocketException {
    set(StandardSocketOptions.IP_TOS, kind);
  }

  @Override
  public int getTrafficClass() throws SocketException {
    return get(StandardSocketOptions.IP_TOS);
  }

  @Override
  public void setSoTimeout(int milliseconds) throws SocketException {
    opened();
    timeout = milliseconds;
  }

  @Override
  public int getSoTimeout() throws SocketException {
    opened();
    return timeout;
  }

  private void opened() throws SocketException {
    if (isClosed()) {
      throw new SocketException("Socket is closed");
    }
  }

  private <T> void set(SocketOption<T> name, T value) throws SocketException {
    opened();
    try {
      channel.setOption(name, value);
    } catch (IOException e) {
      throw new SocketException(e.getMessage());
    }
  }

  private <T> T get(SocketOption<T> name) throws SocketException {
    opened();
    try {
      return channel.getOption(name);
    } catch (IOException e) {
      throw new SocketException(e.getMessage());
    }
  }
}
