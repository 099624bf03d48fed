package droidtest.host;

import java.util.regex.Pattern;

/** Takes out of texts what is another in every process: addresses of hidden classes and the hashes of objects. */
public final class Scrub {
  private static final Pattern LAMBDA = Pattern.compile("\\$\\$Lambda(\\$\\d+)?/(0x)?[0-9a-f]+");
  /** {@code Object.toString}; not an address of mail, whose name continues after the hash. */
  private static final Pattern OBJECT = Pattern.compile("(?<=[\\w$\\];>)])@[0-9a-f]{1,8}(?![\\w.-])");
  /** The framework's views, fragments and records: {@code Button{1f2e3d VFED..C.. }}. */
  private static final Pattern RECORD = Pattern.compile("(?<=[\\w$])\\{[0-9a-f]{1,8}(?=[ }])");

  private Scrub() {}

  /** The text with {@code 0} for each hash, for logs and evidence. */
  public static String text(String text) {
    if (text == null) {
      return null;
    }
    String scrubbed = text;
    if (scrubbed.contains("$$Lambda")) {
      scrubbed = LAMBDA.matcher(scrubbed).replaceAll("\\$\\$Lambda");
    }
    if (scrubbed.indexOf('@') >= 0) {
      scrubbed = OBJECT.matcher(scrubbed).replaceAll("@0");
    }
    return scrubbed.indexOf('{') < 0 ? scrubbed : RECORD.matcher(scrubbed).replaceAll("{0");
  }
}
