package droidtest.host;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/** The little JSON that the wire needs; objects are maps, arrays lists, numbers Long or Double. */
public final class Json {
  /** Texts beyond this are cut: a hostile app must not fill the wire. */
  private static final int TEXT_LIMIT = 10_000;

  private static volatile UnaryOperator<CharSequence> shown = UnaryOperator.identity();

  private final String in;
  private int at;

  private Json(String in) {
    this.in = in;
  }

  /** @param how what a text becomes before it is written */
  public static void show(UnaryOperator<CharSequence> how) {
    shown = how;
  }

  /** Parses one value; throws IllegalArgumentException on anything else. */
  public static Object parse(String text) {
    Json json = new Json(text);
    Object value = json.value();
    json.blank();
    if (json.at != text.length()) {
      throw json.bad();
    }
    return value;
  }

  public static String write(Object value) {
    StringBuilder out = new StringBuilder();
    write(out, value);
    return out.toString();
  }

  public static void write(StringBuilder out, Object value) {
    if (value == null) {
      out.append("null");
    } else if (value instanceof CharSequence) {
      text(out, (CharSequence) value);
    } else if (value instanceof Map) {
      char separator = '{';
      for (Map.Entry<?, ?> entry : ((Map<?, ?>) value).entrySet()) {
        out.append(separator);
        text(out, String.valueOf(entry.getKey()));
        out.append(':');
        write(out, entry.getValue());
        separator = ',';
      }
      out.append(separator == '{' ? "{}" : "}");
    } else if (value instanceof Iterable) {
      char separator = '[';
      for (Object item : (Iterable<?>) value) {
        out.append(separator);
        write(out, item);
        separator = ',';
      }
      out.append(separator == '[' ? "[]" : "]");
    } else if (value instanceof int[]) {
      int[] numbers = (int[]) value;
      out.append('[');
      for (int i = 0; i < numbers.length; i++) {
        out.append(i == 0 ? "" : ",").append(numbers[i]);
      }
      out.append(']');
    } else {
      out.append(value);
    }
  }

  /** A JSON string: unpaired surrogates become U+FFFD, overlong texts are cut. */
  public static void text(StringBuilder out, CharSequence given) {
    CharSequence text = shown.apply(given);
    out.append('"');
    int length = Math.min(text.length(), TEXT_LIMIT);
    for (int i = 0; i < length; i++) {
      char c = text.charAt(i);
      if (c >= ' ' && c < 0x7f && c != '"' && c != '\\') {
        out.append(c);
      } else if (c == '"' || c == '\\') {
        out.append('\\').append(c);
      } else if (c == '\n') {
        out.append("\\n");
      } else if (c < ' ' || c == 0x7f || c == 0x2028 || c == 0x2029) {
        out.append(String.format("\\u%04x", (int) c));
      } else if (Character.isHighSurrogate(c) && i + 1 < length && Character.isLowSurrogate(text.charAt(i + 1))) {
        out.append(c).append(text.charAt(++i));
      } else {
        out.append(Character.isSurrogate(c) ? '\ufffd' : c);
      }
    }
    out.append(text.length() > TEXT_LIMIT ? "...\"" : "\"");
  }

  private Object value() {
    blank();
    if (at >= in.length()) {
      throw bad();
    }
    char c = in.charAt(at);
    if (c == '{') {
      return object();
    }
    if (c == '[') {
      return array();
    }
    if (c == '"') {
      return string();
    }
    if (in.startsWith("true", at)) {
      at += 4;
      return Boolean.TRUE;
    }
    if (in.startsWith("false", at)) {
      at += 5;
      return Boolean.FALSE;
    }
    if (in.startsWith("null", at)) {
      at += 4;
      return null;
    }
    return number();
  }

  private Map<String, Object> object() {
    Map<String, Object> map = new LinkedHashMap<>();
    at++;
    blank();
    while (!take('}')) {
      if (!map.isEmpty()) {
        expect(',');
        blank();
      }
      String key = string();
      blank();
      expect(':');
      map.put(key, value());
      blank();
    }
    return map;
  }

  private List<Object> array() {
    List<Object> list = new ArrayList<>();
    at++;
    blank();
    while (!take(']')) {
      if (!list.isEmpty()) {
        expect(',');
      }
      list.add(value());
      blank();
    }
    return list;
  }

  private String string() {
    expect('"');
    StringBuilder out = new StringBuilder();
    while (true) {
      char c = next();
      if (c == '"') {
        return out.toString();
      }
      if (c != '\\') {
        out.append(c);
        continue;
      }
      char escape = next();
      if (escape == 'u') {
        out.append((char) Integer.parseInt(in.substring(at, at + 4), 16));
        at += 4;
      } else {
        int known = "nrtbf".indexOf(escape);
        out.append(known < 0 ? escape : "\n\r\t\b\f".charAt(known));
      }
    }
  }

  private Object number() {
    int start = at;
    while (at < in.length() && "+-.eE0123456789".indexOf(in.charAt(at)) >= 0) {
      at++;
    }
    String text = in.substring(start, at);
    try {
      if (text.indexOf('.') < 0 && text.indexOf('e') < 0 && text.indexOf('E') < 0) {
        return Long.parseLong(text);
      }
      return Double.parseDouble(text);
    } catch (NumberFormatException e) {
      throw bad();
    }
  }

  private void blank() {
    while (at < in.length() && in.charAt(at) <= ' ') {
      at++;
    }
  }

  private boolean take(char c) {
    blank();
    if (at < in.length() && in.charAt(at) == c) {
      at++;
      return true;
    }
    return false;
  }

  private void expect(char c) {
    if (next() != c) {
      throw bad();
    }
  }

  private char next() {
    if (at >= in.length()) {
      throw bad();
    }
    return in.charAt(at++);
  }

  private IllegalArgumentException bad() {
    return new IllegalArgumentException("bad JSON at " + at);
  }
}
