package droidtest.app;

import droidtest.host.box.Clock;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyFactory;
import java.security.ProviderException;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.crypto.spec.SecretKeySpec;

/**
 * The keys and certificates of {@link Keystore} by alias, in a file next to the app's data: they outlive the process as
 * the data that they encrypt does, and go with it.
 */
final class KeystoreEntries {
  /** A secret key, a private key with its certificates, or a certificate alone. */
  static final class Entry {
    final Key key;
    final Certificate[] chain;
    final long made;

    Entry(Key key, Certificate... chain) {
      this(Clock.currentTimeMillis(), key, chain);
    }

    private Entry(long made, Key key, Certificate... chain) {
      this.made = made;
      this.key = key;
      this.chain = chain;
    }
  }

  private final Map<String, Entry> entries = new LinkedHashMap<>();
  private Path file;

  synchronized void open(Path from) {
    entries.clear();
    file = from;
    try {
      if (Files.exists(file)) {
        for (String line : Files.readAllLines(file)) {
          read(line.split(" "));
        }
      }
    } catch (IOException | GeneralSecurityException e) {
      throw new IllegalStateException("the device's keys cannot be read", e);
    }
  }

  synchronized void close() {
    entries.clear();
    file = null;
  }

  synchronized void put(String alias, Entry entry) {
    entries.put(alias, entry);
    write();
  }

  synchronized Entry get(String alias) {
    return entries.get(alias);
  }

  synchronized void remove(String alias) {
    if (entries.remove(alias) != null) {
      write();
    }
  }

  synchronized List<String> aliases() {
    return new ArrayList<>(entries.keySet());
  }

  /** One line for each: alias, when it was made, algorithm, key, certificates. */
  private void write() {
    if (file == null) {
      // A thread of an ended life: its keys are not found again.
      return;
    }
    try {
      List<String> lines = new ArrayList<>();
      for (Map.Entry<String, Entry> known : entries.entrySet()) {
        Entry entry = known.getValue();
        StringBuilder line = new StringBuilder(text(known.getKey().getBytes(StandardCharsets.UTF_8)));
        line.append(' ').append(entry.made).append(' ').append(entry.key == null ? "" : entry.key.getAlgorithm());
        line.append(' ').append(entry.key == null ? "" : text(entry.key.getEncoded()));
        for (Certificate certificate : entry.chain) {
          line.append(' ').append(text(certificate.getEncoded()));
        }
        lines.add(line.toString());
      }
      Files.write(file, lines);
    } catch (IOException | GeneralSecurityException e) {
      throw new ProviderException("Failed to store the keys", e);
    }
  }

  private void read(String[] parts) throws GeneralSecurityException {
    Certificate[] chain = new Certificate[Math.max(0, parts.length - 4)];
    for (int i = 0; i < chain.length; i++) {
      chain[i] = certificate(bytes(parts[i + 4]));
    }
    Key key = null;
    if (!parts[2].isEmpty() && chain.length == 0) {
      key = new SecretKeySpec(bytes(parts[3]), parts[2]);
    } else if (!parts[2].isEmpty()) {
      key = key(parts[2], bytes(parts[3]));
    }
    String alias = new String(bytes(parts[0]), StandardCharsets.UTF_8);
    entries.put(alias, new Entry(Long.parseLong(parts[1]), key, chain));
  }

  /** As the JDK has it, whichever providers there are. */
  static Certificate certificate(byte[] encoded) throws GeneralSecurityException {
    return CertificateFactory.getInstance("X.509", "SUN").generateCertificate(new ByteArrayInputStream(encoded));
  }

  /** As the first provider has it, whoever made it. */
  static PrivateKey key(String algorithm, byte[] encoded) throws GeneralSecurityException {
    return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(encoded));
  }

  private static String text(byte[] bytes) {
    return Base64.getEncoder().encodeToString(bytes);
  }

  private static byte[] bytes(String text) {
    return Base64.getDecoder().decode(text);
  }
}
