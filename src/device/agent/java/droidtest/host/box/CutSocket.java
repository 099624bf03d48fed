package droidtest.host.box;

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
import java.net.UnknownHostException;

/** What a socket is without a network: it connects to nothing, and a server waits forever. */
public final class CutSocket extends SocketImpl {
  private final SocketValues values = new SocketValues();
  private boolean closed;

  @Override
  protected void create(boolean stream) {}

  @Override
  protected void connect(String host, int port) throws IOException {
    connect(InetAddress.getByName(host), port);
  }

  @Override
  protected void connect(InetAddress address, int port) throws IOException {
    Process.network();
    throw new ConnectException(
        address.isLoopbackAddress() ? "Connection refused" : "Network is unreachable");
  }

  @Override
  protected void connect(SocketAddress address, int timeout) throws IOException {
    Process.network();
    InetSocketAddress to = (InetSocketAddress) address;
    if (to.isUnresolved()) {
      throw new UnknownHostException(to.getHostName());
    }
    connect(to.getAddress(), to.getPort());
  }

  @Override
  protected void bind(InetAddress host, int port) {
    address = host;
    localport = port == 0 ? 40000 : port;
  }

  @Override
  protected void listen(int backlog) {}

  @Override
  protected synchronized void accept(SocketImpl socket) throws IOException {
    while (!closed) {
      try {
        Hooks.wait(this);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        break;
      }
    }
    throw new SocketException("Socket closed");
  }

  @Override
  protected InputStream getInputStream() {
    return InputStream.nullInputStream();
  }

  @Override
  protected OutputStream getOutputStream() {
    return OutputStream.nullOutputStream();
  }

  @Override
  protected int available() {
    return 0;
  }

  @Override
  protected synchronized void close() {
    closed = true;
    Hooks.notifyAll(this);
  }

  @Override
  protected void sendUrgentData(int data) {}

  @Override
  public void setOption(int id, Object value) {
    values.set(id, value);
  }

  @Override
  public Object getOption(int id) {
    return id == SocketOptions.SO_BINDADDR ? address : values.get(id);
  }

  @Override
  protected FileDescriptor getFileDescriptor() {
    return null;
  }
}
