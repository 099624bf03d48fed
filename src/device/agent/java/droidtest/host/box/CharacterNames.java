package droidtest.host.box;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/** The names of Unicode's properties as ICU takes them (any case, any spaces, long or short), in Java's words. */
final class CharacterNames {
  private static final Map<String, String> KNOWN = new HashMap<>();

  static {
    String[] categories = {
      "L letter", "Lu uppercaseletter", "Ll lowercaseletter", "Lt titlecaseletter", "LC casedletter", "Lm modifierletter",
      "Lo otherletter", "M mark", "M combiningmark", "Mn nonspacingmark", "Mc spacingmark", "Me enclosingmark", "N number",
      "Nd decimalnumber", "Nd digit", "Nl letternumber", "No othernumber", "S symbol", "Sm mathsymbol", "Sc currencysymbol",
      "Sk modifiersymbol", "So othersymbol", "P punctuation", "P punct", "Pc connectorpunctuation", "Pd dashpunctuation",
      "Ps openpunctuation", "Pe closepunctuation", "Pi initialpunctuation", "Pf finalpunctuation", "Po otherpunctuation",
      "Z separator", "Zs spaceseparator", "Zl lineseparator", "Zp paragraphseparator", "C other", "Cc control", "Cc cntrl",
      "Cf format", "Cs surrogate", "Co privateuse", "Cn unassigned",
    };
    for (String category : categories) {
      String[] both = category.split(" ");
      KNOWN.put(both[1], "\\p{" + both[0] + "}");
      KNOWN.put(both[0].toLowerCase(Locale.ROOT), "\\p{" + both[0] + "}");
    }
    KNOWN.put("alpha", "\\p{IsAlphabetic}");
    KNOWN.put("alnum", "[\\p{IsAlphabetic}\\p{Nd}]");
    KNOWN.put("upper", "\\p{IsUppercase}");
    KNOWN.put("lower", "\\p{IsLowercase}");
    KNOWN.put("space", "\\p{IsWhite_Space}");
    KNOWN.put("blank", "\\h");
    KNOWN.put("word", "\\w");
    KNOWN.put("xdigit", "\\p{XDigit}");
    KNOWN.put("graph", "\\p{Graph}");
    KNOWN.put("print", "\\p{Print}");
    KNOWN.put("any", "[\\x{0}-\\x{10FFFF}]");
    KNOWN.put("assigned", "\\P{Cn}");
    KNOWN.put("ascii", "\\p{ASCII}");
    KNOWN.put("idstart", "\\p{javaUnicodeIdentifierStart}");
    KNOWN.put("xidstart", "\\p{javaUnicodeIdentifierStart}");
    KNOWN.put("idcontinue", "\\p{javaUnicodeIdentifierPart}");
    KNOWN.put("xidcontinue", "\\p{javaUnicodeIdentifierPart}");
    // Java learned these with version 21; the ranges hold all that is drawn in colour, and some more.
    String pictures = "[\\x{A9}\\x{AE}\\x{203C}\\x{2049}\\x{2122}\\x{2139}\\x{2194}-\\x{21AA}\\x{231A}-\\x{23FF}"
        + "\\x{24C2}\\x{25AA}-\\x{27BF}\\x{2934}\\x{2935}\\x{2B05}-\\x{2B55}\\x{3030}\\x{303D}\\x{3297}\\x{3299}\\x{1F000}-\\x{1FAFF}]";
    KNOWN.put("emoji", "[" + pictures + "#*0-9]");
    KNOWN.put("extendedpictographic", pictures);
    KNOWN.put("emojipresentation", "[\\x{231A}\\x{231B}\\x{23E9}-\\x{23F3}\\x{2614}-\\x{27BF}\\x{2B1B}-\\x{2B55}\\x{1F000}-\\x{1FAFF}]");
    KNOWN.put("emojimodifier", "[\\x{1F3FB}-\\x{1F3FF}]");
  }

  private CharacterNames() {}

  /** The class of this name, or its opposite; an unknown name stays, and Java rejects it. */
  static String of(String name, boolean negated) {
    String found = find(name.trim());
    if (!negated) {
      return found;
    }
    return found.startsWith("\\p") ? "\\P" + found.substring(2) : found.startsWith("\\P") ? "\\p" + found.substring(2)
        : "[^" + found + "]";
  }

  private static String find(String name) {
    int sign = Math.max(name.indexOf('='), name.indexOf(':'));
    if (sign > 0) {
      return valued(loose(name.substring(0, sign)), name.substring(sign + 1).trim(), name);
    }
    String known = KNOWN.get(loose(name));
    if (known != null) {
      return known;
    }
    String word = name.replaceAll("[ -]+", "_");
    for (String candidate : new String[] {"\\p{" + word + "}", "\\p{Is" + word + "}", "\\p{In" + word + "}"}) {
      if (compiles(candidate)) {
        return candidate;
      }
    }
    return "\\p{" + name + "}";
  }

  private static String valued(String property, String value, String whole) {
    switch (property) {
      case "gc":
      case "generalcategory":
        return find(value);
      case "sc":
      case "script":
      case "scx":
      case "scriptextensions":
        return "\\p{script=" + value.replaceAll("[ -]+", "_") + "}";
      case "blk":
      case "block":
        return "\\p{block=" + value + "}";
      default:
        String answer = loose(value);
        return answer.equals("true") || answer.equals("yes") ? find(property)
            : answer.equals("false") || answer.equals("no") ? of(property, true) : "\\p{" + whole + "}";
    }
  }

  private static String loose(String name) {
    return name.toLowerCase(Locale.ROOT).replaceAll("[ _-]", "");
  }

  private static boolean compiles(String regex) {
    try {
      Pattern.compile(regex);
      return true;
    } catch (PatternSyntaxException e) {
      return false;
    }
  }
}
