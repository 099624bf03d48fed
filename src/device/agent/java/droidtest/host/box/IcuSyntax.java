package droidtest.host.box;

import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Set;

/**
 * What ICU 72, the engine of Android 14, refuses to compile. Android makes ICU refuse letters that no escape has.
 * Names of properties and characters are not looked up: a pattern that is wrong by such a name alone is not refused.
 */
final class IcuSyntax {
  /** How many groups and sets ICU's parser can have open. */
  private static final int DEPTH = 98;
  private static final long ENDLESS = 0xFFFFFFL + 1;

  /** A group that is open, with the length of the longest text that it can match. */
  private static final class Group {
    final boolean comments;
    boolean quantified = true;
    boolean behind;
    boolean around;
    long longest;
    long length;

    Group(boolean comments) {
      this.comments = comments;
    }
  }

  private final IcuReader in;
  private final Set<String> names = new HashSet<>();
  private final ArrayDeque<Group> outer = new ArrayDeque<>();
  private Group group;
  private int groups;
  private int highest;
  /** Something is repeated at most zero times: ICU drops it, with what it refers to. */
  private boolean dropped;

  private IcuSyntax(String regex, boolean comments) {
    in = new IcuReader(regex, comments);
    group = new Group(comments);
  }

  /** Throws where Android would. */
  static void check(String regex, boolean comments) throws IcuReader.Refused {
    new IcuSyntax(regex, comments).pattern();
  }

  /** Whether Android refuses it, with or without the flag for comments. */
  static boolean refuses(String regex) {
    for (boolean comments : new boolean[] {false, true}) {
      try {
        check(regex, comments);
        return false;
      } catch (IcuReader.Refused e) {
        // And the other way?
      }
    }
    return true;
  }

  private void pattern() throws IcuReader.Refused {
    in.next();
    while (in.c != IcuReader.END) {
      term();
    }
    if (!outer.isEmpty()) {
      throw in.wrong("a parenthesis is not closed");
    }
    if (highest > groups && !dropped) {
      throw in.wrong("no group has the number that is referred to");
    }
  }

  private void term() throws IcuReader.Refused {
    if (in.isOneOf("*+?{}")) {
      throw in.wrong("nothing is there to repeat, or a brace is not escaped");
    } else if (in.is('(')) {
      in.next();
      parenthesis();
    } else if (in.is(')')) {
      in.next();
      close();
    } else if (in.is('|')) {
      in.next();
      alternative();
    } else if (in.is('[')) {
      in.next();
      new IcuSet(in, DEPTH - outer.size()).read();
      quantifier(1);
    } else if (in.is('\\')) {
      in.next();
      escaped();
    } else {
      boolean place = in.isOneOf("^$");
      in.next();
      quantifier(place ? 0 : 1);
    }
  }

  private void add(long length) {
    group.length = Math.min(ENDLESS, group.length + length);
  }

  private void alternative() {
    group.longest = Math.max(group.longest, group.length);
    group.length = 0;
  }

  /** After something of this length. */
  private void quantifier(long length) throws IcuReader.Refused {
    while (in.is('(') && in.rest().startsWith("?#")) {
      in.next();
      comment();
    }
    if (in.isOneOf("*+")) {
      add(ENDLESS);
      in.next();
    } else if (in.is('?')) {
      add(length);
      in.next();
    } else if (in.is('{')) {
      in.next();
      add(interval(length));
    } else {
      add(length);
      return;
    }
    if (in.isOneOf("?+")) {
      in.next();
    }
  }

  private long interval(long length) throws IcuReader.Refused {
    long low = number();
    long high = low;
    if (in.is(',')) {
      in.next();
      high = in.is('}') ? ENDLESS : number();
    }
    if (!in.is('}')) {
      throw in.wrong("an interval is not closed");
    }
    if (high < low) {
      throw in.wrong("an interval ends before it begins");
    }
    dropped |= high == 0;
    in.next();
    return high == ENDLESS ? ENDLESS : Math.min(ENDLESS, length * high);
  }

  private long number() throws IcuReader.Refused {
    if (!in.isDigit()) {
      throw in.wrong("an interval needs a number");
    }
    long value = 0;
    while (in.isDigit()) {
      value = value * 10 + in.c - '0';
      if (value > Integer.MAX_VALUE) {
        throw in.wrong("a number is too big");
      }
      in.next();
    }
    return value;
  }

  /** After the sign that opens it. */
  private void parenthesis() throws IcuReader.Refused {
    if (!in.is('?')) {
      open();
      groups++;
      return;
    }
    in.opening = true;
    in.next();
    if (in.is('#')) {
      inComment();
    } else if (in.isOneOf(":>")) {
      in.next();
      open();
    } else if (in.isOneOf("=!")) {
      in.next();
      open();
      group.quantified = false;
      group.around = true;
    } else if (in.is('<')) {
      in.next();
      behindOrNamed();
    } else if (in.isOneOf("idmsuwx-")) {
      flags();
    } else {
      throw in.wrong("no group begins like this");
    }
  }

  private void open() throws IcuReader.Refused {
    if (outer.size() >= DEPTH) {
      throw in.wrong("too many groups are inside each other");
    }
    outer.push(group);
    group = new Group(in.comments);
  }

  private void behindOrNamed() throws IcuReader.Refused {
    if (in.isOneOf("=!")) {
      in.next();
      open();
      group.quantified = false;
      group.around = true;
      group.behind = true;
      return;
    }
    if (!names.add(name())) {
      throw in.wrong("two groups have the same name");
    }
    open();
    groups++;
  }

  private String name() throws IcuReader.Refused {
    StringBuilder name = new StringBuilder();
    while (in.isLetter() || name.length() > 0 && in.isDigit()) {
      name.appendCodePoint(in.c);
      in.next();
    }
    if (name.length() == 0 || !in.is('>')) {
      throw in.wrong("the name of a group is wrong");
    }
    in.next();
    return name.toString();
  }

  private void comment() throws IcuReader.Refused {
    in.opening = true;
    in.next();
    inComment();
  }

  private void inComment() throws IcuReader.Refused {
    while (!in.is(')')) {
      if (in.c == IcuReader.END) {
        throw in.wrong("a comment is not closed");
      }
      in.next();
    }
    in.next();
  }

  private void flags() throws IcuReader.Refused {
    boolean on = true;
    boolean comments = in.comments;
    while (in.isOneOf("idmsuwx-")) {
      on &= in.c != '-';
      comments = in.c == 'x' ? on : comments;
      in.next();
    }
    if (in.is(')')) {
      in.comments = comments;
      in.next();
    } else if (in.is(':')) {
      boolean before = in.comments;
      in.comments = comments;
      in.next();
      in.comments = before;
      open();
      in.comments = comments;
    } else {
      throw in.wrong("no flag has this letter");
    }
  }

  private void close() throws IcuReader.Refused {
    if (outer.isEmpty()) {
      throw in.wrong("a parenthesis was not opened");
    }
    alternative();
    Group closed = group;
    group = outer.pop();
    in.comments = closed.comments;
    if (closed.behind && closed.longest >= ENDLESS) {
      throw in.wrong("what is looked for behind has no greatest length");
    }
    if (closed.quantified) {
      quantifier(closed.longest);
    } else {
      add(closed.around ? 0 : closed.longest);
    }
  }

  /** After a backslash. */
  private void escaped() throws IcuReader.Refused {
    if (in.c == IcuReader.END) {
      throw in.wrong("nothing follows the backslash");
    }
    if (in.isOneOf("ABbGZz")) {
      // Places cannot be repeated.
      in.next();
    } else if (in.isOneOf("pPN")) {
      named(in, in.is('N') ? "N" : "p");
      quantifier(1);
    } else if (in.is('k')) {
      in.next();
      if (!in.is('<')) {
        throw in.wrong("the name of a group is wrong");
      }
      in.next();
      if (!names.contains(name())) {
        throw in.wrong("no group before this has the name");
      }
      quantifier(ENDLESS);
    } else if (in.isDigit()) {
      reference();
    } else if (in.isLetter() && !in.isOneOf("dDhHRSsvVwWX")) {
      throw in.wrong("no escape has this letter");
    } else {
      long length = in.is('X') ? ENDLESS : in.is('R') ? 2 : 1;
      in.next();
      quantifier(length);
    }
  }

  private void reference() throws IcuReader.Refused {
    int number = in.c - '0';
    while (number < groups && in.peek() >= '0' && in.peek() <= '9') {
      number = number * 10 + in.read() - '0';
    }
    highest = Math.max(highest, number);
    in.next();
    quantifier(ENDLESS);
  }

  /** A property or a character by its name in braces. */
  static void named(IcuReader in, String what) throws IcuReader.Refused {
    in.next();
    if (!in.is('{') && !in.quotes) {
      throw in.wrong("a name in braces has to follow \\" + what);
    }
    while (!in.is('}')) {
      if (in.c == IcuReader.END) {
        if (in.quotes) {
          // ICU may find the brace in a quote.
          return;
        }
        throw in.wrong("a name has no end");
      }
      in.next();
    }
    in.next();
  }
}
