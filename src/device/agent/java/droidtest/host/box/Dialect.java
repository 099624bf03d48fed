package droidtest.host.box;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** One regular expression of ICU's, the engine of Android, in Java's words. What both read alike stays unchanged. */
final class Dialect {
  private static final Pattern FLAGS = Pattern.compile("\\(\\?([a-zA-Z]*)(-?)([a-zA-Z]*)([:)])");
  private static final Pattern POSIX = Pattern.compile("\\[:(\\^?)([A-Za-z_ ]+):\\]");
  private static final Pattern WIDE = Pattern.compile("\\\\U([0-9A-Fa-f]{8})");

  private final String regex;
  private final StringBuilder out;
  private boolean comments;
  private boolean classes;
  private int at;
  /** How many sets are open. */
  private int depth;
  /** Sets that are open for a difference of a single element, and must be closed after it. */
  private boolean closing;

  Dialect(String regex, boolean comments) {
    this.regex = regex;
    this.comments = comments;
    out = new StringBuilder(regex.length() + 16);
    if (same(regex)) {
      out.append(regex);
      return;
    }
    while (at < regex.length()) {
      step();
    }
  }

  /** Whether nothing in it can differ. */
  static boolean same(String regex) {
    return regex.indexOf('[') < 0 && !regex.contains("(?") && !escapes(regex);
  }

  private static boolean escapes(String regex) {
    for (int i = regex.indexOf('\\'); i >= 0 && i + 1 < regex.length(); i = regex.indexOf('\\', i + 2)) {
      if (Character.isLetterOrDigit(regex.charAt(i + 1))) {
        return true;
      }
    }
    return false;
  }

  String java() {
    return out.toString();
  }

  /** Whether it names classes of characters, which on Android are always those of Unicode. */
  boolean classes() {
    return classes;
  }

  private void step() {
    char c = regex.charAt(at);
    if (c == '\\') {
      escape();
    } else if (depth > 0) {
      inSet(c);
    } else if (c == '[') {
      open();
    } else if (c == '(') {
      group();
    } else if (c == '#' && comments) {
      int end = regex.indexOf('\n', at);
      copy((end < 0 ? regex.length() : end) - at);
    } else {
      copy(1);
    }
  }

  private void copy(int length) {
    out.append(regex, at, Math.min(regex.length(), at + length));
    at += length;
  }

  private void group() {
    if (regex.startsWith("(?#", at)) {
      int end = regex.indexOf(')', at);
      at = end < 0 ? regex.length() : end + 1;
      return;
    }
    Matcher flags = FLAGS.matcher(regex).region(at, regex.length());
    if (!flags.lookingAt()) {
      copy(1);
      return;
    }
    boolean whole = flags.group(4).equals(")");
    comments |= whole && flags.group(1).contains("x");
    comments &= !(whole && flags.group(3).contains("x"));
    // How words end, by a dictionary: Java has no such flag.
    String on = flags.group(1).replace("w", "");
    String off = flags.group(3).replace("w", "");
    if (on.contains("i")) {
      on += on.contains("u") ? "" : "u";
    }
    at = flags.end();
    if (!whole || !on.isEmpty() || !off.isEmpty()) {
      out.append("(?").append(on).append(off.isEmpty() ? "" : "-" + off).append(flags.group(4));
    }
  }

  private void open() {
    Matcher posix = POSIX.matcher(regex).region(at, regex.length());
    if (posix.lookingAt()) {
      classes = true;
      out.append(CharacterNames.of(posix.group(2), !posix.group(1).isEmpty()));
      at = posix.end();
      closed();
      return;
    }
    depth++;
    copy(1);
    if (at < regex.length() && regex.charAt(at) == '^') {
      copy(1);
    }
  }

  private void inSet(char c) {
    if (c == '[') {
      open();
    } else if (c == ']') {
      depth--;
      copy(1);
    } else if (c == '-' && regex.startsWith("--", at) && follows(at + 2)) {
      difference(2);
    } else if (c == '-' && before() == ']' && follows(at + 1) && regex.charAt(at + 1) == '[') {
      difference(1);
    } else if (c == '&' && before() == ']' && regex.startsWith("&[", at)) {
      out.append("&&");
      at++;
    } else {
      copy(1);
    }
  }

  private char before() {
    return at == 0 ? ' ' : regex.charAt(at - 1);
  }

  private boolean follows(int from) {
    return from < regex.length() && (regex.charAt(from) == '[' || regex.startsWith("\\p", from) || regex.startsWith("\\P", from));
  }

  /** What comes next is removed: Java intersects with its opposite. */
  private void difference(int length) {
    at += length;
    out.append("&&[^");
    if (regex.charAt(at) == '[' && !POSIX.matcher(regex).region(at, regex.length()).lookingAt()) {
      if (regex.startsWith("[^", at)) {
        out.setLength(out.length() - 1);
        at++;
      }
      depth++;
      at++;
      return;
    }
    closing = true;
  }

  /** After one element: closes what was opened for it alone. */
  private void closed() {
    if (closing) {
      closing = false;
      out.append(']');
    }
  }

  private void escape() {
    char next = at + 1 < regex.length() ? regex.charAt(at + 1) : ' ';
    if (next == 'Q') {
      int end = regex.indexOf("\\E", at);
      copy((end < 0 ? regex.length() : end + 2) - at);
      return;
    }
    Matcher wide = WIDE.matcher(regex).region(at, regex.length());
    if (wide.lookingAt()) {
      out.append("\\x{").append(wide.group(1)).append('}');
      at = wide.end();
      return;
    }
    int end = next == 'p' || next == 'P' ? regex.indexOf('}', at) : -1;
    classes |= "wWdDsSbBpP".indexOf(next) >= 0;
    if (end > 0 && at + 2 < regex.length() && regex.charAt(at + 2) == '{') {
      String name = regex.substring(at + 3, end);
      boolean negated = (next == 'P') != name.startsWith("^");
      out.append(CharacterNames.of(name.startsWith("^") ? name.substring(1) : name, negated));
      at = end + 1;
    } else {
      copy(2);
    }
    closed();
  }
}
