package droidtest.host.net;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiFunction;
import javax.net.ssl.HandshakeCompletedEvent;
import javax.net.ssl.HandshakeCompletedListener;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSession;

/** A socket whose handshake always succeeds, and which passes bytes as they are. */
final class TlsSocket extends Layered {
  /** What clients of all ages know. */
  static final String[] SUITES = {
    "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
    "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
    "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
    "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
    "TLS_AES_128_GCM_SHA256",
    "TLS_AES_256_GCM_SHA384",
    "TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA",
    "TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA",
    "TLS_RSA_WITH_AES_128_CBC_SHA",
  };
  static final String[] PROTOCOLS = {"TLSv1.3", "TLSv1.2", "TLSv1.1", "TLSv1"};
  /** Older clients know no newer one. */
  private static final String AGREED = "TLSv1.2";

  private final List<HandshakeCompletedListener> listeners = new CopyOnWriteArrayList<>();
  private String[] suites = SUITES.clone();
  private String[] protocols = PROTOCOLS.clone();
  private SSLParameters parameters = new SSLParameters();
  private String host;
  private int port;
  private boolean client = true;
  private boolean need;
  private boolean want;
  private boolean creates = true;
  private volatile TlsSession session;

  TlsSocket(Socket over, String host, int port, boolean closes) {
    super(over, closes);
    this.host = host;
    this.port = port;
  }

  @Override
  public void connect(SocketAddress to, int timeout) throws IOException {
    super.connect(to, timeout);
    if (host == null && to instanceof InetSocketAddress address) {
      host = address.getHostString();
      port = address.getPort();
    }
  }

  @Override
  public void startHandshake() throws IOException {
    if (session != null) {
      return;
    }
    if (!isConnected()) {
      throw new java.net.SocketException("Socket is not connected");
    }
    Line line = Replay.at(getLocalPort());
    if (line == null) {
      throw new java.net.SocketException(isClosed() ? "Socket closed" : "Software caused connection abort");
    }
    line.secure();
    String name = host == null ? getInetAddress().getHostAddress() : host;
    String protocol = Arrays.asList(protocols).contains(AGREED) ? AGREED : protocols[0];
    session = new TlsSession(name, port, protocol, suites[0], Certificates.of(name));
    HandshakeCompletedEvent event = new HandshakeCompletedEvent(this, session);
    listeners.forEach(listener -> listener.handshakeCompleted(event));
  }

  /** Asked for the session, a socket has its handshake; where that fails the session is none. */
  @Override
  public SSLSession getSession() {
    try {
      startHandshake();
    } catch (IOException e) {
      return new TlsSession(host, port, "NONE", "SSL_NULL_WITH_NULL_NULL", null);
    }
    return session;
  }

  @Override
  public SSLSession getHandshakeSession() {
    return session;
  }

  @Override
  public InputStream getInputStream() throws IOException {
    InputStream in = over() == null ? super.getInputStream() : over().getInputStream();
    return new InputStream() {
      @Override
      public int read() throws IOException {
        startHandshake();
        return in.read();
      }

      @Override
      public int read(byte[] bytes, int offset, int length) throws IOException {
        startHandshake();
        return in.read(bytes, offset, length);
      }

      @Override
      public int available() throws IOException {
        return in.available();
      }

      @Override
      public void close() throws IOException {
        TlsSocket.this.close();
      }
    };
  }

  @Override
  public OutputStream getOutputStream() throws IOException {
    OutputStream out = over() == null ? super.getOutputStream() : over().getOutputStream();
    return new OutputStream() {
      @Override
      public void write(int one) throws IOException {
        startHandshake();
        out.write(one);
      }

      @Override
      public void write(byte[] bytes, int offset, int length) throws IOException {
        startHandshake();
        out.write(bytes, offset, length);
      }

      @Override
      public void close() throws IOException {
        TlsSocket.this.close();
      }
    };
  }

  /** No protocol is agreed on: HTTP/1.1 then. An app that lists that one hears of it. */
  @Override
  public String getApplicationProtocol() {
    return session == null ? null : chosen();
  }

  @Override
  public String getHandshakeApplicationProtocol() {
    return getApplicationProtocol();
  }

  private String chosen() {
    return Arrays.asList(parameters.getApplicationProtocols()).contains("http/1.1") ? "http/1.1" : "";
  }

  @Override
  public void setHandshakeApplicationProtocolSelector(BiFunction<javax.net.ssl.SSLSocket, List<String>, String> selector) {}

  @Override
  public SSLParameters getSSLParameters() {
    SSLParameters copy = new SSLParameters(suites.clone(), protocols.clone());
    copy.setApplicationProtocols(parameters.getApplicationProtocols());
    copy.setEndpointIdentificationAlgorithm(parameters.getEndpointIdentificationAlgorithm());
    copy.setServerNames(parameters.getServerNames());
    copy.setSNIMatchers(parameters.getSNIMatchers());
    return copy;
  }

  @Override
  public void setSSLParameters(SSLParameters theParameters) {
    parameters = theParameters;
    if (theParameters.getCipherSuites() != null) {
      setEnabledCipherSuites(theParameters.getCipherSuites());
    }
    if (theParameters.getProtocols() != null) {
      setEnabledProtocols(theParameters.getProtocols());
    }
  }

  @Override
  public String[] getSupportedCipherSuites() {
    return SUITES.clone();
  }

  @Override
  public String[] getEnabledCipherSuites() {
    return suites.clone();
  }

  @Override
  public void setEnabledCipherSuites(String[] theSuites) {
    suites = theSuites.length == 0 ? SUITES.clone() : theSuites.clone();
  }

  @Override
  public String[] getSupportedProtocols() {
    return PROTOCOLS.clone();
  }

  @Override
  public String[] getEnabledProtocols() {
    return protocols.clone();
  }

  @Override
  public void setEnabledProtocols(String[] theProtocols) {
    protocols = theProtocols.length == 0 ? PROTOCOLS.clone() : theProtocols.clone();
  }

  @Override
  public void addHandshakeCompletedListener(HandshakeCompletedListener listener) {
    listeners.add(listener);
  }

  @Override
  public void removeHandshakeCompletedListener(HandshakeCompletedListener listener) {
    listeners.remove(listener);
  }

  @Override
  public void setUseClientMode(boolean on) {
    client = on;
  }

  @Override
  public boolean getUseClientMode() {
    return client;
  }

  @Override
  public void setNeedClientAuth(boolean on) {
    need = on;
  }

  @Override
  public boolean getNeedClientAuth() {
    return need;
  }

  @Override
  public void setWantClientAuth(boolean on) {
    want = on;
  }

  @Override
  public boolean getWantClientAuth() {
    return want;
  }

  @Override
  public void setEnableSessionCreation(boolean on) {
    creates = on;
  }

  @Override
  public boolean getEnableSessionCreation() {
    return creates;
  }
}
