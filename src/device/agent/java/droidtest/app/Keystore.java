package droidtest.app;

import android.security.KeyPairGeneratorSpec;
import android.security.keystore.KeyGenParameterSpec;
import android.security.keystore.KeyProperties;
import android.security.keystore.StrongBoxUnavailableException;
import droidtest.host.box.Chance;
import java.nio.file.Path;
import java.security.InvalidAlgorithmParameterException;
import java.security.Provider;
import java.security.SecureRandom;
import java.security.SecureRandomSpi;
import java.security.Security;
import java.security.spec.AlgorithmParameterSpec;
import java.util.Random;
import java.util.function.Supplier;

/**
 * The provider "AndroidKeyStore": makes keys by Android's descriptions of them and keeps them under their aliases. A
 * key is one of the JDK's own, which any cipher takes; nothing keeps the app from reading it, as hardware would.
 */
final class Keystore extends Provider {
  private static final String NAME = "AndroidKeyStore";
  /** By algorithm: the default key size in bits. */
  private static final Object[][] SECRETS = {
    {"AES", 128}, {"HmacSHA1", 160}, {"HmacSHA224", 224}, {"HmacSHA256", 256}, {"HmacSHA384", 384}, {"HmacSHA512", 512}
  };

  /** One for all lives: the JDK remembers each provider that it has ever asked. */
  private static final Keystore PROVIDER = new Keystore();

  @SuppressWarnings("serial") // Nobody serializes a provider.
  private final KeystoreEntries entries = new KeystoreEntries();

  private Keystore() {
    super(NAME, "1.0", "Android KeyStore security provider");
    offer("KeyStore", NAME, () -> new KeystoreSpi(entries));
    for (Object[] secret : SECRETS) {
      String algorithm = (String) secret[0];
      offer("KeyGenerator", algorithm, () -> new KeystoreMakers.OfSecrets(entries, algorithm, (int) secret[1]));
    }
    for (String algorithm : new String[] {"RSA", "EC"}) {
      offer("KeyPairGenerator", algorithm, () -> new KeystoreMakers.OfPairs(entries, algorithm));
    }
  }

  /** After all other providers, which are the default. */
  static void install(Path file) {
    PROVIDER.entries.open(file);
    Security.addProvider(PROVIDER);
  }

  /** The process life is over; the keys stay in their file. */
  static void remove() {
    Security.removeProvider(NAME);
    PROVIDER.entries.close();
  }

  private void offer(String type, String algorithm, Supplier<?> maker) {
    putService(
        new Service(this, type, algorithm, Keystore.class.getName(), null, null) {
          @Override
          public Object newInstance(Object parameter) {
            return maker.get();
          }
        });
  }

  /** Required and unsupported properties of a description. */
  static KeyGenParameterSpec description(AlgorithmParameterSpec given) throws InvalidAlgorithmParameterException {
    KeyGenParameterSpec spec = given instanceof KeyPairGeneratorSpec ? converted((KeyPairGeneratorSpec) given) : null;
    if (given instanceof KeyGenParameterSpec) {
      spec = (KeyGenParameterSpec) given;
    }
    if (spec == null) {
      throw new InvalidAlgorithmParameterException(
          "Cannot initialize without a " + KeyGenParameterSpec.class.getName() + " parameter");
    }
    if (spec.isUserAuthenticationRequired()) {
      throw new InvalidAlgorithmParameterException(
          new IllegalStateException(
              "Secure lock screen must be enabled to create keys requiring user authentication"));
    }
    return spec;
  }

  /** The device has no chip for keys alone. */
  static void needNoStrongBox(KeyGenParameterSpec spec) {
    if (spec.isStrongBoxBacked()) {
      throw new StrongBoxUnavailableException("Failed to generate key");
    }
  }

  private static KeyGenParameterSpec converted(KeyPairGeneratorSpec old) {
    int purposes =
        KeyProperties.PURPOSE_ENCRYPT | KeyProperties.PURPOSE_DECRYPT | KeyProperties.PURPOSE_SIGN
            | KeyProperties.PURPOSE_VERIFY;
    KeyGenParameterSpec.Builder spec =
        new KeyGenParameterSpec.Builder(old.getKeystoreAlias(), purposes)
            .setCertificateSubject(old.getSubjectDN())
            .setCertificateSerialNumber(old.getSerialNumber())
            .setCertificateNotBefore(old.getStartDate())
            .setCertificateNotAfter(old.getEndDate());
    if (old.getKeySize() > 0) {
      spec.setKeySize(old.getKeySize());
    }
    if (old.getAlgorithmParameterSpec() != null) {
      spec.setAlgorithmParameterSpec(old.getAlgorithmParameterSpec());
    }
    return spec.build();
  }

  /** The same keys for the same seed. */
  static SecureRandom random() {
    return new Seeded(new Random(Chance.nextSeed()));
  }

  private static final class Seeded extends SecureRandom {
    Seeded(Random source) {
      super(
          new SecureRandomSpi() {
            @Override
            protected void engineSetSeed(byte[] seed) {
              // It has its seed.
            }

            @Override
            protected void engineNextBytes(byte[] bytes) {
              source.nextBytes(bytes);
            }

            @Override
            protected byte[] engineGenerateSeed(int length) {
              byte[] seed = new byte[length];
              source.nextBytes(seed);
              return seed;
            }
          },
          null);
    }
  }
}
