package droidtest.host;

import droidtest.host.box.CutSocket;
import droidtest.host.box.SocketValues;
import droidtest.sched.Hooks;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.DatagramSocketImpl;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
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
    ServerSocket.setSocketFactory(CutSocket::new);
    DatagramSocket.setDatagramSocketImplFactory(CutDatagram::new);
  }

  private static final class CutDatagram extends DatagramSocketImpl {
    private final SocketValues values = new SocketValues();
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
    public void setOption(int id, Object value) {
      values.set(id, value);
    }

    @Override
    public Object getOption(int id) {
      return values.get(id);
    }
  }
}
