package droidtest.host.box;

import java.util.Arrays;
import java.util.Comparator;
import java.util.Locale;

/** The lists of languages, as ICU has them on Android: each has a name, none a variant of Java's own, in order. */
public final class Locales {
  private Locales() {}

  public static Locale[] named(Locale[] all) {
    return Arrays.stream(all)
        .filter(locale -> !locale.getLanguage().isEmpty() && locale.getVariant().isEmpty())
        .sorted(Comparator.comparing(Locale::toLanguageTag))
        .toArray(Locale[]::new);
  }
}
