package droidtest.app;

import java.io.InputStream;
import java.io.OutputStream;
import java.security.Key;
import java.security.KeyStore;
import java.security.KeyStoreException;
import java.security.KeyStoreSpi;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.util.Collections;
import java.util.Date;
import java.util.Enumeration;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;

/** {@link Keystore} as {@link KeyStore} requests it; no entry has a separate password. */
final class KeystoreSpi extends KeyStoreSpi {
  private static final Certificate[] NONE = {};

  private final KeystoreEntries entries;

  KeystoreSpi(KeystoreEntries entries) {
    this.entries = entries;
  }

  @Override
  public void engineLoad(InputStream stream, char[] password) {
    if (stream != null) {
      throw new IllegalArgumentException("InputStream not supported");
    }
    if (password != null) {
      throw new IllegalArgumentException("password not supported");
    }
  }

  @Override
  public void engineLoad(KeyStore.LoadStoreParameter parameter) {
    // Every descriptor that it could receive names another user's keys.
  }

  @Override
  public void engineStore(OutputStream stream, char[] password) {
    throw new UnsupportedOperationException("Can not serialize AndroidKeyStore to OutputStream");
  }

  @Override
  public Key engineGetKey(String alias, char[] password) {
    KeystoreEntries.Entry entry = entries.get(alias);
    return entry == null ? null : entry.key;
  }

  @Override
  public Certificate[] engineGetCertificateChain(String alias) {
    KeystoreEntries.Entry entry = entries.get(alias);
    return entry == null || entry.chain.length == 0 ? null : entry.chain.clone();
  }

  @Override
  public Certificate engineGetCertificate(String alias) {
    Certificate[] chain = engineGetCertificateChain(alias);
    return chain == null ? null : chain[0];
  }

  @Override
  public Date engineGetCreationDate(String alias) {
    KeystoreEntries.Entry entry = entries.get(alias);
    return entry == null ? null : new Date(entry.made);
  }

  @Override
  public KeyStore.Entry engineGetEntry(String alias, KeyStore.ProtectionParameter protection) {
    KeystoreEntries.Entry entry = entries.get(alias);
    if (entry == null) {
      return null;
    } else if (entry.key instanceof PrivateKey) {
      return new KeyStore.PrivateKeyEntry((PrivateKey) entry.key, entry.chain);
    } else if (entry.key != null) {
      return new KeyStore.SecretKeyEntry((SecretKey) entry.key);
    }
    return new KeyStore.TrustedCertificateEntry(entry.chain[0]);
  }

  @Override
  public void engineSetEntry(String alias, KeyStore.Entry entry, KeyStore.ProtectionParameter protection)
      throws KeyStoreException {
    if (entry instanceof KeyStore.PrivateKeyEntry) {
      KeyStore.PrivateKeyEntry pair = (KeyStore.PrivateKeyEntry) entry;
      engineSetKeyEntry(alias, pair.getPrivateKey(), null, pair.getCertificateChain());
    } else if (entry instanceof KeyStore.SecretKeyEntry) {
      engineSetKeyEntry(alias, ((KeyStore.SecretKeyEntry) entry).getSecretKey(), null, null);
    } else if (entry instanceof KeyStore.TrustedCertificateEntry) {
      engineSetCertificateEntry(alias, ((KeyStore.TrustedCertificateEntry) entry).getTrustedCertificate());
    } else {
      throw new KeyStoreException(
          "Entry must be a PrivateKeyEntry, SecretKeyEntry or TrustedCertificateEntry; was " + entry);
    }
  }

  @Override
  public void engineSetKeyEntry(String alias, Key key, char[] password, Certificate[] chain) throws KeyStoreException {
    if (password != null && password.length > 0) {
      throw new KeyStoreException("entries cannot be protected with passwords");
    }
    if (key == null || key.getEncoded() == null) {
      throw new KeyStoreException("Key does not support export of its material");
    }
    if (key instanceof SecretKey) {
      entries.put(alias, new KeystoreEntries.Entry(new SecretKeySpec(key.getEncoded(), key.getAlgorithm()), NONE));
    } else if (!(key instanceof PrivateKey)) {
      throw new KeyStoreException("Only PrivateKey and SecretKey are supported");
    } else if (chain == null || chain.length == 0) {
      throw new KeyStoreException("Must supply at least one Certificate with PrivateKey");
    } else {
      entries.put(alias, new KeystoreEntries.Entry(key, chain.clone()));
    }
  }

  @Override
  public void engineSetKeyEntry(String alias, byte[] key, Certificate[] chain) throws KeyStoreException {
    throw new KeyStoreException("Operation not supported because key encoding is unknown");
  }

  @Override
  public void engineSetCertificateEntry(String alias, Certificate certificate) throws KeyStoreException {
    if (engineIsKeyEntry(alias)) {
      throw new KeyStoreException("Entry exists and is not a trusted certificate");
    }
    if (certificate == null) {
      throw new KeyStoreException("Couldn't insert certificate; is null");
    }
    entries.put(alias, new KeystoreEntries.Entry(null, certificate));
  }

  @Override
  public void engineDeleteEntry(String alias) {
    entries.remove(alias);
  }

  @Override
  public Enumeration<String> engineAliases() {
    return Collections.enumeration(entries.aliases());
  }

  @Override
  public boolean engineContainsAlias(String alias) {
    return entries.get(alias) != null;
  }

  @Override
  public int engineSize() {
    return entries.aliases().size();
  }

  @Override
  public boolean engineIsKeyEntry(String alias) {
    KeystoreEntries.Entry entry = entries.get(alias);
    return entry != null && entry.key != null;
  }

  @Override
  public boolean engineIsCertificateEntry(String alias) {
    KeystoreEntries.Entry entry = entries.get(alias);
    return entry != null && entry.key == null;
  }

  @Override
  public String engineGetCertificateAlias(Certificate certificate) {
    for (String alias : entries.aliases()) {
      Certificate first = engineGetCertificate(alias);
      if (first != null && first.equals(certificate)) {
        return alias;
      }
    }
    return null;
  }
}
