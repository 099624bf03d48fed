package droidtest.host.net;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import javax.net.ssl.SSLSocketFactory;

/** Sockets that speak TLS, or report it. */
final class TlsFactory extends SSLSocketFactory {
  @Override
  public String[] getDefaultCipherSuites() {
    return TlsSocket.SUITES.clone();
  }

  @Override
  public String[] getSupportedCipherSuites() {
    return TlsSocket.SUITES.clone();
  }

  @Override
  public Socket createSocket() {
    return new TlsSocket(null, null, 0, true);
  }

  @Override
  public Socket createSocket(Socket over, String host, int port, boolean close) throws IOException {
    if (over == null) {
      throw new NullPointerException("the existing socket cannot be null");
    }
    if (!over.isConnected()) {
      throw new java.net.SocketException("Underlying socket is not connected");
    }
    return new TlsSocket(over, host, port, close);
  }

  @Override
  public Socket createSocket(String host, int port) throws IOException {
    return connected(new InetSocketAddress(host, port));
  }

  @Override
  public Socket createSocket(String host, int port, InetAddress local, int localPort) throws IOException {
    return createSocket(host, port);
  }

  @Override
  public Socket createSocket(InetAddress host, int port) throws IOException {
    return connected(new InetSocketAddress(host, port));
  }

  @Override
  public Socket createSocket(InetAddress host, int port, InetAddress local, int localPort) throws IOException {
    return createSocket(host, port);
  }

  private Socket connected(InetSocketAddress to) throws IOException {
    Socket socket = createSocket();
    socket.connect(to);
    return socket;
  }
}
