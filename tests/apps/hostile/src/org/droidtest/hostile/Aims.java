package org.droidtest.hostile;

import java.util.HashMap;
import java.util.Map;

/** What the attempts are after: the environment of a program, and what was typed into the app. */
final class Aims {
  private static final Map<String, String> TYPED = new HashMap<>();

  private Aims() {}

  /** @param text {@code NAME=VALUE;NAME=VALUE} */
  static void type(String text) {
    for (String part : text.split(";")) {
      int equals = part.indexOf('=');
      if (equals > 0) {
        TYPED.put(part.substring(0, equals), part.substring(equals + 1));
      }
    }
  }

  static String get(String name) {
    String typed = TYPED.get(name);
    return typed != null ? typed : System.getenv(name);
  }
}
