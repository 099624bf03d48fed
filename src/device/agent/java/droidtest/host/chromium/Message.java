package droidtest.host.chromium;

import java.util.List;
import java.util.Map;

/** Messages of the DevTools protocol: written as JSON, read as maps. */
final class Message {
  private Message() {}

  /** @param value a map with text keys, an iterable, a text, a number, a truth value or null */
  static void write(StringBuilder out, Object value) {
    if (value instanceof Map<?, ?> map) {
      char separator = '{';
      for (Map.Entry<?, ?> entry : map.entrySet()) {
        out.append(separator);
        quote(out, String.valueOf(entry.getKey()));
        out.append(':');
        write(out, entry.getValue());
        separator = ',';
      }
      out.append(separator == '{' ? "{}" : "}");
    } else if (value instanceof Iterable<?> list) {
      char separator = '[';
      for (Object item : list) {
        out.append(separator);
        write(out, item);
        separator = ',';
      }
      out.append(separator == '[' ? "[]" : "]");
    } else if (value instanceof Double number && !Double.isFinite(number)) {
      out.append("null");
    } else if (value == null || value instanceof Number || value instanceof Boolean) {
      out.append(value);
    } else {
      quote(out, String.valueOf(value));
    }
  }

  static String write(Object value) {
    StringBuilder out = new StringBuilder();
    write(out, value);
    return out.toString();
  }

  /** A text as a literal of JSON, which is one of JavaScript too. */
  static void quote(StringBuilder out, CharSequence text) {
    out.append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        out.append('\\').append(c);
      } else if (c < ' ' || c == 0x7f || c == 0x2028 || c == 0x2029 || Character.isSurrogate(c)) {
        out.append(String.format("\\u%04x", (int) c));
      } else {
        out.append(c);
      }
    }
    out.append('"');
  }

  static String quoted(String text) {
    StringBuilder out = new StringBuilder();
    quote(out, text);
    return out.toString();
  }

  /** The map below this name; an empty one where there is none. */
  static Map<?, ?> map(Object from, String name) {
    return from instanceof Map<?, ?> map && map.get(name) instanceof Map<?, ?> inner ? inner : Map.of();
  }

  static List<?> list(Object from, String name) {
    return from instanceof Map<?, ?> map && map.get(name) instanceof List<?> inner ? inner : List.of();
  }

  static String text(Object from, String name) {
    return from instanceof Map<?, ?> map && map.get(name) instanceof String text ? text : "";
  }

  static long number(Object from, String name, long otherwise) {
    return from instanceof Map<?, ?> map && map.get(name) instanceof Number number ? number.longValue() : otherwise;
  }

  static boolean truth(Object from, String name) {
    return from instanceof Map<?, ?> map && Boolean.TRUE.equals(map.get(name));
  }
}
