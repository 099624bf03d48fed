package droidtest.host.net;

import droidtest.host.box.Process;
import java.security.KeyManagementException;
import java.security.Provider;
import java.security.SecureRandom;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContextSpi;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocketFactory;
import javax.net.ssl.SSLSessionContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;

/**
 * TLS by name alone: with no network there is nobody to keep a secret from, so the bytes pass as they are. It goes before
 * Java's provider, under the name that Android's has.
 */
final class TlsProvider extends Provider {
  static final String NAME = "AndroidOpenSSL";
  private static final long serialVersionUID = 1;
  private static final String[] PROTOCOLS = {"TLS", "TLSv1", "TLSv1.1", "TLSv1.2", "TLSv1.3", "SSL", "SSLv3", "Default"};

  TlsProvider() {
    super(NAME, "1.0", "TLS to the hosts of an archive");
    for (String protocol : PROTOCOLS) {
      putService(
          new Service(this, "SSLContext", protocol, Context.class.getName(), null, null) {
            @Override
            public Object newInstance(Object parameter) {
              return new Context();
            }
          });
    }
  }

  private static final class Context extends SSLContextSpi {
    private final SSLSessionContext sessions = new TlsSession.Sessions();

    @Override
    protected void engineInit(KeyManager[] keys, TrustManager[] trust, SecureRandom random) throws KeyManagementException {
      // Nobody is checked: the certificates are the device's own.
    }

    @Override
    protected SSLSocketFactory engineGetSocketFactory() {
      return new TlsFactory();
    }

    @Override
    protected SSLServerSocketFactory engineGetServerSocketFactory() {
      throw new UnsupportedOperationException("the device takes no connections");
    }

    @Override
    protected SSLEngine engineCreateSSLEngine() {
      Process.limit("network-replay", "an app with an SSLEngine (Netty, Cronet) gets no recorded answers: there is TLS for java.net.Socket only");
      throw new UnsupportedOperationException("the device has TLS for sockets only");
    }

    @Override
    protected SSLEngine engineCreateSSLEngine(String host, int port) {
      return engineCreateSSLEngine();
    }

    @Override
    protected SSLSessionContext engineGetServerSessionContext() {
      return sessions;
    }

    @Override
    protected SSLSessionContext engineGetClientSessionContext() {
      return sessions;
    }

    @Override
    protected SSLParameters engineGetDefaultSSLParameters() {
      return new SSLParameters(TlsSocket.SUITES.clone(), TlsSocket.PROTOCOLS.clone());
    }

    @Override
    protected SSLParameters engineGetSupportedSSLParameters() {
      return engineGetDefaultSSLParameters();
    }
  }
}
