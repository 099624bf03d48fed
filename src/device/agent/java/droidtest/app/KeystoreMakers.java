package droidtest.app;

import android.security.KeyPairGeneratorSpec;
import android.security.keystore.KeyGenParameterSpec;
import java.security.GeneralSecurityException;
import java.security.InvalidAlgorithmParameterException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyPairGeneratorSpi;
import java.security.PrivateKey;
import java.security.Provider;
import java.security.ProviderException;
import java.security.SecureRandom;
import java.security.cert.Certificate;
import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.RSAKeyGenParameterSpec;
import java.util.Locale;
import java.util.Set;
import javax.crypto.KeyGeneratorSpi;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.bouncycastle.x509.X509V3CertificateGenerator;

/** Makes what {@link Keystore} keeps. */
final class KeystoreMakers {
  private KeystoreMakers() {}

  /** Of one algorithm with one key. */
  static final class OfSecrets extends KeyGeneratorSpi {
    private static final Set<Integer> AES_SIZES = Set.of(128, 192, 256);

    private final KeystoreEntries entries;
    private final String algorithm;
    private final int usual;
    private KeyGenParameterSpec spec;

    OfSecrets(KeystoreEntries entries, String algorithm, int usual) {
      this.entries = entries;
      this.algorithm = algorithm;
      this.usual = usual;
    }

    @Override
    protected void engineInit(SecureRandom random) {
      throw new UnsupportedOperationException(
          "Cannot initialize without a " + KeyGenParameterSpec.class.getName() + " parameter");
    }

    @Override
    protected void engineInit(int size, SecureRandom random) {
      engineInit(random);
    }

    @Override
    protected void engineInit(AlgorithmParameterSpec given, SecureRandom random)
        throws InvalidAlgorithmParameterException {
      spec = null;
      KeyGenParameterSpec wanted = Keystore.description(given);
      int size = size(wanted);
      if (algorithm.equals("AES") ? !AES_SIZES.contains(size) : size % 8 != 0) {
        throw new InvalidAlgorithmParameterException("Unsupported key size: " + size);
      }
      spec = wanted;
    }

    private int size(KeyGenParameterSpec wanted) {
      return wanted.getKeySize() == -1 ? usual : wanted.getKeySize();
    }

    @Override
    protected SecretKey engineGenerateKey() {
      if (spec == null) {
        throw new IllegalStateException("Not initialized");
      }
      Keystore.needNoStrongBox(spec);
      byte[] bytes = new byte[size(spec) / 8];
      Keystore.random().nextBytes(bytes);
      SecretKey key = new SecretKeySpec(bytes, algorithm);
      entries.put(spec.getKeystoreAlias(), new KeystoreEntries.Entry(key));
      return key;
    }
  }

  /** Of an algorithm with a public key. */
  static final class OfPairs extends KeyPairGeneratorSpi {
    private static final Provider BOUNCY = new BouncyCastleProvider();

    private final KeystoreEntries entries;
    private final String first;
    private String algorithm;
    private KeyGenParameterSpec spec;
    private KeyPairGenerator maker;

    OfPairs(KeystoreEntries entries, String algorithm) {
      this.entries = entries;
      this.first = algorithm;
    }

    @Override
    public void initialize(int size, SecureRandom random) {
      throw new IllegalArgumentException(
          KeyGenParameterSpec.class.getName() + " required to initialize this KeyPairGenerator");
    }

    @Override
    public void initialize(AlgorithmParameterSpec given, SecureRandom random)
        throws InvalidAlgorithmParameterException {
      spec = null;
      algorithm = first;
      KeyGenParameterSpec wanted = Keystore.description(given);
      if (given instanceof KeyPairGeneratorSpec && ((KeyPairGeneratorSpec) given).getKeyType() != null) {
        algorithm = ((KeyPairGeneratorSpec) given).getKeyType().toUpperCase(Locale.ROOT);
      }
      try {
        // Not the first one: it may take its randomness from elsewhere.
        maker = KeyPairGenerator.getInstance(algorithm, BOUNCY);
        maker.initialize(parameters(wanted), Keystore.random());
      } catch (InvalidAlgorithmParameterException e) {
        throw e;
      } catch (GeneralSecurityException e) {
        throw new InvalidAlgorithmParameterException("Unsupported key algorithm: " + algorithm, e);
      }
      spec = wanted;
    }

    private AlgorithmParameterSpec parameters(KeyGenParameterSpec wanted) {
      AlgorithmParameterSpec own = wanted.getAlgorithmParameterSpec();
      int size = wanted.getKeySize();
      if (algorithm.equals("EC")) {
        String curve = own instanceof ECGenParameterSpec ? ((ECGenParameterSpec) own).getName() : null;
        if (curve == null) {
          curve = "secp" + (size == -1 ? 256 : size) + "r1";
        } else if (curve.equalsIgnoreCase("prime256v1") || curve.equalsIgnoreCase("P-256")) {
          curve = "secp256r1";
        }
        return new ECGenParameterSpec(curve);
      }
      return own != null ? own : new RSAKeyGenParameterSpec(size == -1 ? 2048 : size, RSAKeyGenParameterSpec.F4);
    }

    @Override
    public KeyPair generateKeyPair() {
      if (spec == null) {
        throw new IllegalStateException("Not initialized");
      }
      Keystore.needNoStrongBox(spec);
      KeyPair made = maker.generateKeyPair();
      try {
        Certificate certificate = certificate(made);
        PrivateKey key = KeystoreEntries.key(algorithm, made.getPrivate().getEncoded());
        entries.put(spec.getKeystoreAlias(), new KeystoreEntries.Entry(key, certificate));
        return new KeyPair(certificate.getPublicKey(), key);
      } catch (GeneralSecurityException e) {
        throw new ProviderException("Failed to generate self-signed certificate", e);
      }
    }

    /** Signed by the key itself, as Android does it. */
    @SuppressWarnings("deprecation") // Its successor is in a library that is not here.
    private Certificate certificate(KeyPair pair) throws GeneralSecurityException {
      X509V3CertificateGenerator certificate = new X509V3CertificateGenerator();
      certificate.setSubjectDN(spec.getCertificateSubject());
      certificate.setIssuerDN(spec.getCertificateSubject());
      certificate.setSerialNumber(spec.getCertificateSerialNumber());
      certificate.setNotBefore(spec.getCertificateNotBefore());
      certificate.setNotAfter(spec.getCertificateNotAfter());
      certificate.setPublicKey(pair.getPublic());
      certificate.setSignatureAlgorithm(algorithm.equals("EC") ? "SHA256withECDSA" : "SHA256withRSA");
      return KeystoreEntries.certificate(certificate.generate(pair.getPrivate(), Keystore.random()).getEncoded());
    }
  }
}
