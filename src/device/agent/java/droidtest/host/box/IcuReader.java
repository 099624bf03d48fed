package droidtest.host.box;

/** The characters of a pattern as ICU's parser gets them: escapes are resolved, comments and quotes passed over. */
class IcuReader {
  static final int END = -1;

  /** A pattern that ICU refuses: why, and where. */
  static final class Refused extends Exception {
    private static final long serialVersionUID = 1;
    final int at;

    Refused(String why, int at) {
      super(why, null, false, false);
      this.at = at;
    }
  }

  private final String regex;
  boolean comments;
  /** The next character follows "(?": a number sign does not start a comment to the end of the line. */
  boolean opening;
  private int at;
  private boolean quoting;
  /** A quote started somewhere. */
  boolean quotes;
  /** The next character follows a backslash. */
  private boolean escaping;

  /** The current character, and whether it is literal. */
  int c;
  boolean quoted;

  IcuReader(String regex, boolean comments) {
    this.regex = regex;
    this.comments = comments;
  }

  Refused wrong(String why) {
    return new Refused(why, Math.max(0, Math.min(at, regex.length()) - 1));
  }

  /** Whether this is looked at, and means something. */
  boolean is(char wanted) {
    return !quoted && c == wanted;
  }

  boolean isOneOf(String wanted) {
    return !quoted && c != END && wanted.indexOf(c) >= 0;
  }

  boolean isDigit() {
    return !quoted && c >= '0' && c <= '9';
  }

  boolean isLetter() {
    return !quoted && (c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z');
  }

  /** The text that follows the character that is looked at. */
  String rest() {
    return regex.substring(at);
  }

  int peek() {
    return at < regex.length() ? regex.codePointAt(at) : END;
  }

  int read() {
    int next = peek();
    at += next == END ? 0 : Character.charCount(next);
    return next;
  }

  void next() throws Refused {
    c = read();
    quoted = false;
    if (quoting) {
      quoted = true;
      if (c == END || c == '\\' && peek() == 'E') {
        quoting = false;
        read();
        next();
        return;
      }
    } else if (escaping) {
      escaping = false;
    } else {
      if (comments) {
        skip();
      }
      if (c == '\\') {
        int follows = peek();
        if (follows == 'Q') {
          read();
          quoting = true;
          quotes = true;
          next();
          return;
        }
        quoted = follows == '0' || follows != END && "acefnrtuUx".indexOf(follows) >= 0;
        if (quoted) {
          c = escape(read());
        } else {
          escaping = true;
        }
      }
    }
    opening = false;
  }

  private void skip() {
    while (c != END) {
      if (c == '#' && !opening) {
        while (c != END && c != '\n' && c != '\r' && c != 0x85 && c != 0x2028) {
          c = read();
        }
      }
      if (!white(c)) {
        return;
      }
      c = read();
    }
  }

  /** Unicode's Pattern_White_Space. */
  private static boolean white(int c) {
    return c >= 9 && c <= 13 || c == ' ' || c == 0x85 || c == 0x200E || c == 0x200F || c == 0x2028 || c == 0x2029;
  }

  private int escape(int kind) throws Refused {
    switch (kind) {
      case '0':
        return octal();
      case 'a':
        return 7;
      case 'e':
        return 27;
      case 'f':
        return 12;
      case 'n':
        return 10;
      case 'r':
        return 13;
      case 't':
        return 9;
      case 'c':
        int control = read();
        return control == END ? 'c' : control & 31;
      case 'u':
        return unit();
      case 'U':
        return hex(8, 8);
      default:
        if (peek() != '{') {
          return hex(1, 2);
        }
        read();
        int value = hex(1, 8);
        if (read() != '}') {
          throw wrong("\\x{ has no end");
        }
        return value;
    }
  }

  private int octal() throws Refused {
    int value = 0;
    for (int i = 0; i < 3; i++) {
      int digit = peek();
      if (digit < '0' || digit > '7') {
        if (i == 0) {
          throw wrong("no octal digit follows \\0");
        }
        break;
      }
      int more = value * 8 + (digit & 7);
      if (more <= 255) {
        read();
        value = more;
      }
    }
    return value;
  }

  /** A character by its four digits; the first half of a pair takes the other one along. */
  private int unit() throws Refused {
    int unit = hex(4, 4);
    if (unit >= 0xD800 && unit < 0xDC00 && regex.startsWith("\\u", at)) {
      int before = at;
      at += 2;
      try {
        int low = hex(4, 4);
        if (low >= 0xDC00 && low < 0xE000) {
          return Character.toCodePoint((char) unit, (char) low);
        }
      } catch (Refused e) {
        // The first one is alone then; what follows is refused when it is read.
      }
      at = before;
    }
    return unit;
  }

  private int hex(int least, int most) throws Refused {
    long value = 0;
    int digits = 0;
    while (digits < most && peek() < 128 && Character.digit(peek(), 16) >= 0) {
      value = value << 4 | Character.digit(read(), 16);
      digits++;
    }
    if (digits < least || value > Character.MAX_CODE_POINT) {
      throw wrong("the number of a character is wrong");
    }
    return (int) value;
  }
}
