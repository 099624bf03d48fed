package droidtest.app;

import android.content.pm.PackageInfo;
import android.content.pm.PackageManager;
import android.content.pm.Signature;
import android.content.pm.SigningInfo;
import java.util.Base64;
import org.robolectric.Shadows;

/**
 * Who has signed a package: always the same, with a separate certificate that is named as the SDK names its debug
 * certificate. No installed Android package is without one, and nobody asks whether there is one.
 */
final class Signing {
  private static final String CERTIFICATE =
      "MIIBiDCCAS2gAwIBAgIISuzIuYAgYuEwCgYIKoZIzj0EAwIwNzELMAkGA1UEBhMCVVMxEDAOBgNVBAoTB0FuZHJvaWQxFjAUBgNV"
          + "BAMTDUFuZHJvaWQgRGVidWcwIBcNMTUwMTAxMDAwMDAwWhgPMjA2NDEyMTkwMDAwMDBaMDcxCzAJBgNVBAYTAlVTMRAwDgYDVQQK"
          + "EwdBbmRyb2lkMRYwFAYDVQQDEw1BbmRyb2lkIERlYnVnMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEUyNd5JeLl1sMVitT94e1"
          + "3/FlquxnwViuRlyxYq4JfiUEzw4tgWI4MWkYyLI8Z9N9BO4mwb22PWLbaVL3tjSLGKMhMB8wHQYDVR0OBBYEFGm328nwjO+LViFA"
          + "12YjudGzqg82MAoGCCqGSM49BAMCA0kAMEYCIQDMdQ0BO0LdgyJdSmLJKR4lRgK/YsKcla0yOjdBw2kUIwIhANClJToIP07lyqUi"
          + "9vfqA/kTkU7F2SJ4rVSmr5umJgLQ";

  private Signing() {}

  /** Puts in what was requested. */
  static PackageInfo sign(PackageInfo copy, long flags) {
    if ((flags & PackageManager.GET_SIGNATURES) != 0) {
      copy.signatures = signatures();
    }
    if ((flags & PackageManager.GET_SIGNING_CERTIFICATES) != 0) {
      copy.signingInfo = new SigningInfo();
      Shadows.shadowOf(copy.signingInfo).setSignatures(signatures());
    }
    return copy;
  }

  private static Signature[] signatures() {
    return new Signature[] {new Signature(Base64.getDecoder().decode(CERTIFICATE))};
  }
}
