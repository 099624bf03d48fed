package droidtest.host.box;

import java.util.Map;
import java.util.WeakHashMap;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/** Regular expressions as Android's engine reads them: what an app compiles is put into Java's words first. */
public final class Patterns {
  /** What was requested, of patterns that became others. */
  private static final Map<Pattern, Asked> ASKED = new WeakHashMap<>();

  private static final class Asked {
    final String regex;
    final int flags;

    Asked(String regex, int flags) {
      this.regex = regex;
      this.flags = flags;
    }
  }

  private Patterns() {}

  public static Pattern compile(String regex) {
    return compile(regex, 0);
  }

  public static Pattern compile(String regex, int flags) {
    if (regex == null || (flags & Pattern.LITERAL) != 0) {
      return Pattern.compile(regex, flags);
    }
    Dialect dialect = new Dialect(regex, (flags & Pattern.COMMENTS) != 0);
    int all = flags | (dialect.classes() ? Pattern.UNICODE_CHARACTER_CLASS : 0);
    if ((flags & Pattern.CASE_INSENSITIVE) != 0) {
      all |= Pattern.UNICODE_CASE;
    }
    refuse(regex, (flags & Pattern.COMMENTS) != 0);
    Pattern pattern;
    try {
      pattern = Pattern.compile(dialect.java(), all);
    } catch (PatternSyntaxException e) {
      // The message has to show the app's words.
      return Pattern.compile(regex, flags);
    }
    if (all != flags || !dialect.java().equals(regex)) {
      synchronized (ASKED) {
        ASKED.put(pattern, new Asked(regex, flags));
      }
    }
    return pattern;
  }

  /** What Android's engine does not compile is not compiled here, also where Java's would. */
  private static void refuse(String regex, boolean comments) {
    try {
      IcuSyntax.check(regex, comments);
    } catch (IcuReader.Refused e) {
      throw new PatternSyntaxException("Syntax error in regexp pattern: " + e.getMessage(), regex, e.at);
    }
  }

  /** Whether Android refuses this pattern, too, so that one that was not compiled is the app's mistake. */
  public static boolean wrong(PatternSyntaxException refused) {
    return refused.getPattern() != null && IcuSyntax.refuses(refused.getPattern());
  }

  private static Asked asked(Pattern pattern) {
    synchronized (ASKED) {
      return ASKED.get(pattern);
    }
  }

  public static String pattern(Pattern pattern) {
    Asked asked = asked(pattern);
    return asked == null ? pattern.pattern() : asked.regex;
  }

  public static String toString(Pattern pattern) {
    return pattern(pattern);
  }

  public static int flags(Pattern pattern) {
    Asked asked = asked(pattern);
    return asked == null ? pattern.flags() : asked.flags;
  }

  public static boolean matches(String regex, CharSequence text) {
    return compile(regex).matcher(text).matches();
  }

  public static boolean matches(String text, String regex) {
    return compile(regex).matcher(text).matches();
  }

  public static String replaceAll(String text, String regex, String by) {
    return compile(regex).matcher(text).replaceAll(by);
  }

  public static String replaceFirst(String text, String regex, String by) {
    return compile(regex).matcher(text).replaceFirst(by);
  }

  public static String[] split(String text, String regex) {
    return split(text, regex, 0);
  }

  public static String[] split(String text, String regex, int limit) {
    return plain(regex) ? text.split(regex, limit) : compile(regex).split(text, limit);
  }

  /** Java and Android split by one plain character without their engines. */
  private static boolean plain(String regex) {
    if (regex.length() == 1) {
      return ".$|()[{^?*+\\".indexOf(regex.charAt(0)) < 0;
    }
    return regex.length() == 2 && regex.charAt(0) == '\\' && !Character.isLetterOrDigit(regex.charAt(1));
  }
}
