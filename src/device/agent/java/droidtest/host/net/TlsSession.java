package droidtest.host.net;

import droidtest.host.box.Clock;
import java.security.Principal;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.Collections;
import java.util.Enumeration;
import java.util.Map;
import java.util.TreeMap;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSessionContext;

/** What a handshake would have agreed on. */
final class TlsSession implements SSLSession {
  /** As large as a record of TLS is with all that is around it, and without. */
  private static final int PACKET = 16_709;
  private static final int CONTENT = 16_384;

  private final String host;
  private final int port;
  private final String protocol;
  private final String suite;
  private final X509Certificate peer;
  private final long made = Clock.currentTimeMillis();
  private final Map<String, Object> values = new TreeMap<>();

  /** @param peer null before a handshake */
  TlsSession(String host, int port, String protocol, String suite, X509Certificate peer) {
    this.host = host;
    this.port = port;
    this.protocol = protocol;
    this.suite = suite;
    this.peer = peer;
  }

  @Override
  public byte[] getId() {
    return peer == null ? new byte[0] : (host + ":" + port).getBytes(java.nio.charset.StandardCharsets.UTF_8);
  }

  @Override
  public SSLSessionContext getSessionContext() {
    return new Sessions();
  }

  @Override
  public long getCreationTime() {
    return made;
  }

  @Override
  public long getLastAccessedTime() {
    return made;
  }

  @Override
  public void invalidate() {}

  @Override
  public boolean isValid() {
    return peer != null;
  }

  @Override
  public synchronized void putValue(String name, Object value) {
    values.put(name, value);
  }

  @Override
  public synchronized Object getValue(String name) {
    return values.get(name);
  }

  @Override
  public synchronized void removeValue(String name) {
    values.remove(name);
  }

  @Override
  public synchronized String[] getValueNames() {
    return values.keySet().toArray(new String[0]);
  }

  @Override
  public Certificate[] getPeerCertificates() throws SSLPeerUnverifiedException {
    if (peer == null) {
      throw new SSLPeerUnverifiedException("peer not authenticated");
    }
    return new Certificate[] {peer};
  }

  @Override
  public Certificate[] getLocalCertificates() {
    return null;
  }

  @Override
  public Principal getPeerPrincipal() throws SSLPeerUnverifiedException {
    return ((X509Certificate) getPeerCertificates()[0]).getSubjectX500Principal();
  }

  @Override
  public Principal getLocalPrincipal() {
    return null;
  }

  @Override
  public String getCipherSuite() {
    return suite;
  }

  @Override
  public String getProtocol() {
    return protocol;
  }

  @Override
  public String getPeerHost() {
    return host;
  }

  @Override
  public int getPeerPort() {
    return port;
  }

  @Override
  public int getPacketBufferSize() {
    return PACKET;
  }

  @Override
  public int getApplicationBufferSize() {
    return CONTENT;
  }

  /** No session is kept. */
  static final class Sessions implements SSLSessionContext {
    private int seconds = 86_400;
    private int size;

    @Override
    public SSLSession getSession(byte[] id) {
      return null;
    }

    @Override
    public Enumeration<byte[]> getIds() {
      return Collections.emptyEnumeration();
    }

    @Override
    public void setSessionTimeout(int theSeconds) {
      seconds = theSeconds;
    }

    @Override
    public int getSessionTimeout() {
      return seconds;
    }

    @Override
    public void setSessionCacheSize(int theSize) {
      size = theSize;
    }

    @Override
    public int getSessionCacheSize() {
      return size;
    }
  }
}
