package droidtest.app;

import android.content.Intent;
import java.util.List;
import java.util.Map;

/** Intent extras as they come over the wire. */
final class Extras {
  private Extras() {}

  static void put(Intent intent, Map<?, ?> extras) {
    if (extras == null) {
      return;
    }
    for (Map.Entry<?, ?> entry : extras.entrySet()) {
      String name = String.valueOf(entry.getKey());
      Object value = entry.getValue();
      if (value instanceof Boolean) {
        intent.putExtra(name, (Boolean) value);
      } else if (value instanceof Long && ((Long) value).intValue() == (Long) value) {
        intent.putExtra(name, ((Long) value).intValue());
      } else if (value instanceof Long) {
        intent.putExtra(name, (Long) value);
      } else if (value instanceof Double) {
        intent.putExtra(name, (Double) value);
      } else if (value instanceof List) {
        putArray(intent, name, (List<?>) value);
      } else if (value != null) {
        intent.putExtra(name, value.toString());
      }
    }
  }

  private static void putArray(Intent intent, String name, List<?> values) {
    if (values.stream().allMatch(Long.class::isInstance)) {
      intent.putExtra(name, values.stream().mapToInt(value -> ((Long) value).intValue()).toArray());
    } else {
      intent.putExtra(name, values.stream().map(String::valueOf).toArray(String[]::new));
    }
  }
}
