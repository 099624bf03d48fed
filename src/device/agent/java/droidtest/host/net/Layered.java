package droidtest.host.net;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import javax.net.ssl.SSLSocket;

/** A socket over another one, or, with none, one of its own: what is asked of the connection goes to the one below. */
abstract class Layered extends SSLSocket {
  private final Socket over;
  private final boolean closes;

  /** @param over null for a socket that connects by itself @param closes whether the one below is closed with this one */
  Layered(Socket over, boolean closes) {
    this.over = over;
    this.closes = closes;
  }

  Socket over() {
    return over;
  }

  @Override
  public void connect(SocketAddress to, int timeout) throws IOException {
    if (over != null) {
      throw new SocketException("Already connected");
    }
    super.connect(to, timeout);
  }

  @Override
  public void connect(SocketAddress to) throws IOException {
    connect(to, 0);
  }

  @Override
  public void bind(SocketAddress to) throws IOException {
    if (over != null) {
      throw new SocketException("Underlying socket should already be connected");
    }
    super.bind(to);
  }

  @Override
  public void close() throws IOException {
    super.close();
    if (over != null && closes) {
      over.close();
    }
  }

  @Override
  public boolean isConnected() {
    return over == null ? super.isConnected() : over.isConnected();
  }

  @Override
  public boolean isBound() {
    return over == null ? super.isBound() : over.isBound();
  }

  @Override
  public boolean isClosed() {
    return super.isClosed() || over != null && over.isClosed();
  }

  @Override
  public boolean isInputShutdown() {
    return over == null ? super.isInputShutdown() : over.isInputShutdown();
  }

  @Override
  public boolean isOutputShutdown() {
    return over == null ? super.isOutputShutdown() : over.isOutputShutdown();
  }

  @Override
  public void shutdownInput() throws IOException {
    if (over == null) {
      super.shutdownInput();
    } else {
      over.shutdownInput();
    }
  }

  @Override
  public void shutdownOutput() throws IOException {
    if (over == null) {
      super.shutdownOutput();
    } else {
      over.shutdownOutput();
    }
  }

  @Override
  public InetAddress getInetAddress() {
    return over == null ? super.getInetAddress() : over.getInetAddress();
  }

  @Override
  public InetAddress getLocalAddress() {
    return over == null ? super.getLocalAddress() : over.getLocalAddress();
  }

  @Override
  public int getPort() {
    return over == null ? super.getPort() : over.getPort();
  }

  @Override
  public int getLocalPort() {
    return over == null ? super.getLocalPort() : over.getLocalPort();
  }

  @Override
  public SocketAddress getRemoteSocketAddress() {
    return over == null ? super.getRemoteSocketAddress() : over.getRemoteSocketAddress();
  }

  @Override
  public SocketAddress getLocalSocketAddress() {
    return over == null ? super.getLocalSocketAddress() : over.getLocalSocketAddress();
  }

  @Override
  public void setSoTimeout(int ms) throws SocketException {
    if (over == null) {
      super.setSoTimeout(ms);
    } else {
      over.setSoTimeout(ms);
    }
  }

  @Override
  public int getSoTimeout() throws SocketException {
    return over == null ? super.getSoTimeout() : over.getSoTimeout();
  }

  @Override
  public void setTcpNoDelay(boolean on) throws SocketException {
    if (over == null) {
      super.setTcpNoDelay(on);
    } else {
      over.setTcpNoDelay(on);
    }
  }

  @Override
  public boolean getTcpNoDelay() throws SocketException {
    return over == null ? super.getTcpNoDelay() : over.getTcpNoDelay();
  }

  @Override
  public void setKeepAlive(boolean on) throws SocketException {
    if (over == null) {
      super.setKeepAlive(on);
    } else {
      over.setKeepAlive(on);
    }
  }

  @Override
  public boolean getKeepAlive() throws SocketException {
    return over == null ? super.getKeepAlive() : over.getKeepAlive();
  }

  @Override
  public void setSoLinger(boolean on, int seconds) throws SocketException {
    if (over == null) {
      super.setSoLinger(on, seconds);
    } else {
      over.setSoLinger(on, seconds);
    }
  }

  @Override
  public int getSoLinger() throws SocketException {
    return over == null ? super.getSoLinger() : over.getSoLinger();
  }
}
