package droidtest.host.net;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.security.SecureRandomSpi;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;

/** One certificate for each host, signed by itself, the same in every run. Written as DER, since Java cannot make one. */
final class Certificates {
  private static final int SEQUENCE = 0x30;
  private static final int SET = 0x31;
  private static final int INTEGER = 0x02;
  private static final int BITS = 0x03;
  private static final int OCTETS = 0x04;
  private static final int OID = 0x06;
  private static final int TEXT = 0x0c;
  private static final int TIME = 0x17;
  private static final int VERSION = 0xa0;
  private static final int EXTENSIONS = 0xa3;
  /** Of a subjectAltName: a DNS name, an IP address. */
  private static final int DNS = 0x82;
  private static final int ADDRESS = 0x87;

  /** ecdsa-with-SHA256, commonName, subjectAltName. */
  private static final byte[] ECDSA = {0x2a, (byte) 0x86, 0x48, (byte) 0xce, 0x3d, 0x04, 0x03, 0x02};
  private static final byte[] NAME = {0x55, 0x04, 0x03};
  private static final byte[] ALTERNATIVE = {0x55, 0x1d, 0x11};

  private static final Map<String, X509Certificate> MADE = new HashMap<>();
  private static KeyPair pair;

  private Certificates() {}

  static synchronized X509Certificate of(String host) {
    return MADE.computeIfAbsent(host, Certificates::make);
  }

  private static X509Certificate make(String host) {
    try {
      if (pair == null) {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(256, new Fixed("droidtest"));
        pair = generator.generateKeyPair();
      }
      byte[] content = content(host);
      Signature signature = Signature.getInstance("SHA256withECDSA");
      signature.initSign(pair.getPrivate(), new Fixed(host));
      signature.update(content);
      byte[] whole = of(SEQUENCE, content, of(SEQUENCE, of(OID, ECDSA)), bits(signature.sign()));
      CertificateFactory factory = CertificateFactory.getInstance("X.509");
      return (X509Certificate) factory.generateCertificate(new ByteArrayInputStream(whole));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("no certificate for " + host, e);
    }
  }

  private static byte[] content(String host) {
    byte[] text = host.getBytes(StandardCharsets.UTF_8);
    // A commonName has at most 64 characters; the alternative name is what counts.
    byte[] shown = host.substring(0, Math.min(64, host.length())).getBytes(StandardCharsets.UTF_8);
    byte[] name = of(SEQUENCE, of(SET, of(SEQUENCE, of(OID, NAME), of(TEXT, shown))));
    byte[] address = digits(host);
    byte[] names = of(SEQUENCE, address == null ? of(DNS, text) : of(ADDRESS, address));
    byte[] extension = of(SEQUENCE, of(OID, ALTERNATIVE), of(OCTETS, names));
    return of(
        SEQUENCE,
        of(VERSION, of(INTEGER, new byte[] {2})),
        of(INTEGER, new byte[] {1}),
        of(SEQUENCE, of(OID, ECDSA)),
        name,
        of(SEQUENCE, of(TIME, ascii("200101000000Z")), of(TIME, ascii("491231235959Z"))),
        name,
        pair.getPublic().getEncoded(),
        of(EXTENSIONS, of(SEQUENCE, extension)));
  }

  /** The four bytes of an address in digits, else null. */
  private static byte[] digits(String host) {
    if (!host.matches("[0-9]{1,3}([.][0-9]{1,3}){3}")) {
      return null;
    }
    byte[] bytes = new byte[4];
    String[] parts = host.split("[.]");
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) Integer.parseInt(parts[i]);
    }
    return bytes;
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private static byte[] bits(byte[] bytes) {
    return of(BITS, new byte[1], bytes);
  }

  private static byte[] of(int tag, byte[]... parts) {
    int length = 0;
    for (byte[] part : parts) {
      length += part.length;
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(tag);
    if (length > 0xff) {
      out.write(0x82);
      out.write(length >> 8);
    } else if (length > 0x7f) {
      out.write(0x81);
    }
    out.write(length);
    for (byte[] part : parts) {
      out.writeBytes(part);
    }
    return out.toByteArray();
  }

  /** No chance: the same bytes for the same text, and not the app's own. */
  private static final class Fixed extends SecureRandom {
    private static final long serialVersionUID = 1;

    Fixed(String text) {
      super(new Bytes(text.hashCode()), null);
    }
  }

  private static final class Bytes extends SecureRandomSpi {
    private static final long serialVersionUID = 1;
    private final transient SplittableRandom random;

    Bytes(long seed) {
      random = new SplittableRandom(seed);
    }

    @Override
    protected void engineSetSeed(byte[] seed) {}

    @Override
    protected void engineNextBytes(byte[] bytes) {
      random.nextBytes(bytes);
    }

    @Override
    protected byte[] engineGenerateSeed(int count) {
      byte[] bytes = new byte[count];
      random.nextBytes(bytes);
      return bytes;
    }
  }
}
