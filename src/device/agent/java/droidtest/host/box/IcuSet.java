package droidtest.host.box;

import droidtest.host.box.IcuReader.Refused;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A set in brackets, as ICU's parser reads it. */
final class IcuSet {
  private static final Pattern POSIX = Pattern.compile(":\\^?[A-Za-z_ =0-9-]*:\\]");

  private final IcuReader in;
  private final int room;
  private int last;

  /** The bracket that opens it was passed; at most so many may be open inside. */
  IcuSet(IcuReader in, int room) {
    this.in = in;
    this.room = room;
  }

  private enum After { START, LITERAL, SET, RANGE, OPERATOR }

  /** Reads up to what follows the closing bracket. */
  void read() throws Refused {
    set(0);
  }

  private void set(int depth) throws Refused {
    if (depth > room) {
      throw in.wrong("too many sets are inside each other");
    }
    After after = After.START;
    if (in.is('^')) {
      in.next();
    } else if (in.is(':') && posix()) {
      return;
    }
    if (in.is(']')) {
      after = literal();
    }
    while (true) {
      if (in.is(']')) {
        if (after == After.OPERATOR) {
          throw in.wrong("an operator of a set has only one side");
        }
        in.next();
        return;
      }
      if (in.c == IcuReader.END) {
        throw in.wrong("a bracket is not closed");
      }
      after = element(after, depth);
    }
  }

  private After element(After after, int depth) throws Refused {
    if (in.is('[')) {
      in.next();
      set(depth + 1);
      return After.SET;
    }
    if (in.is('\\')) {
      in.next();
      return escape();
    }
    if (after != After.OPERATOR && (in.is('-') || in.is('&'))) {
      return operator(after, depth);
    }
    return literal();
  }

  private After literal() throws Refused {
    last = in.c;
    in.next();
    return After.LITERAL;
  }

  private After operator(After after, int depth) throws Refused {
    char sign = (char) in.c;
    in.next();
    if (after == After.START) {
      if (in.is(sign)) {
        throw in.wrong("an operator of a set has only one side");
      }
    } else if (in.is(sign)) {
      in.next();
      return After.OPERATOR;
    } else if (after == After.SET && in.is('[')) {
      in.next();
      set(depth + 1);
      return After.SET;
    } else if (after == After.LITERAL && sign == '-' && !in.is('[') && !in.is(']')) {
      return range();
    }
    return After.LITERAL;
  }

  private After range() throws Refused {
    if (in.is('\\')) {
      in.next();
      if (in.isOneOf("sSwWdD")) {
        throw in.wrong("a range ends with many characters");
      }
      if (in.is('N')) {
        IcuSyntax.named(in, "N");
        last = 0;
        return After.RANGE;
      }
    }
    if (last > in.c) {
      throw in.wrong("a range ends before it begins");
    }
    in.next();
    return After.RANGE;
  }

  private After escape() throws Refused {
    if (in.isOneOf("pP")) {
      IcuSyntax.named(in, "p");
      return After.SET;
    }
    if (in.is('N')) {
      IcuSyntax.named(in, "N");
      // Which character it is remains open, so that no range from it is refused.
      last = 0;
      return After.LITERAL;
    }
    if (in.isOneOf("sSwWdDhHvV")) {
      in.next();
      return After.RANGE;
    }
    if (in.isLetter()) {
      throw in.wrong("no escape has this letter");
    }
    return literal();
  }

  /** Passes over the rest of "[:name:]", if that is what it is. */
  private boolean posix() throws Refused {
    Matcher name = POSIX.matcher(":" + in.rest());
    if (!name.lookingAt()) {
      return false;
    }
    for (int i = name.end() - 1; i > 0; i--) {
      in.read();
    }
    in.next();
    return true;
  }
}
