package droidtest.host;

import droidtest.host.box.Process;
import droidtest.sched.Hooks;
import java.io.FileDescriptor;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.DatagramSocketImpl;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketImpl;
import java.net.SocketImplFactory;

/**
 * Takes the network from every {@link Socket} of this JVM. Names do not resolve (the JVM is started with an empty
 * {@code jdk.net.hosts.file}); an address cannot be reached; a server socket binds and waits forever, and no port of
 * the machine is taken.
 */
final class NoNetwork {
  private NoNetwork() {}

  /** @param sockets what connects, if anything does */
  @SuppressWarnings("deprecation")
  static void install(SocketImplFactory sockets) throws IOException {
    Socket.setSocketImplFactory(sockets);
    ServerSocket.setSocketFactory(Cut::new);
    DatagramSocket.setDatagramSocketImplFactory(CutDatagram::new);
  }

  static final class Cut extends SocketImpl {
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
        throw new java.net.UnknownHostException(to.getHostName());
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
    public void setOption(int id, Object value) {}

    @Override
    public Object getOption(int id) {
      return id == java.net.SocketOptions.SO_BINDADDR ? address : (Object) 0;
    }

    @Override
    protected FileDescriptor getFileDescriptor() {
      return null;
    }
  }

  private static final class CutDatagram extends DatagramSocketImpl {
    private boolean closed;

    @Override
    protected void create() {}

    @Override
    protected void bind(int port, InetAddress address) {
      localPort = port == 0 ? 40000 : port;
    }

    @Override
    protected void send(DatagramPacket packet) throws IOException {
      throw new IOException("sendto failed: ENETUNREACH (Network is unreachable)");
    }

    @Override
    protected int peek(InetAddress address) throws IOException {
      throw new SocketException("Socket closed");
    }

    @Override
    protected int peekData(DatagramPacket packet) throws IOException {
      throw new SocketException("Socket closed");
    }

    @Override
    protected synchronized void receive(DatagramPacket packet) throws IOException {
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
    @Deprecated
    protected void setTTL(byte ttl) {}

    @Override
    @Deprecated
    protected byte getTTL() {
      return 1;
    }

    @Override
    protected void setTimeToLive(int ttl) {}

    @Override
    protected int getTimeToLive() {
      return 1;
    }

    @Override
    protected void join(InetAddress address) {}

    @Override
    protected void leave(InetAddress address) {}

    @Override
    protected void joinGroup(SocketAddress address, NetworkInterface network) {}

    @Override
    protected void leaveGroup(SocketAddress address, NetworkInterface network) {}

    @Override
    protected synchronized void close() {
      closed = true;
      Hooks.notifyAll(this);
    }

    @Override
    public void setOption(int id, Object value) {}

    @Override
    public Object getOption(int id) {
      return 0;
    }
  }
}
