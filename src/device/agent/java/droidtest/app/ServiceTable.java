package droidtest.app;

import android.app.Application;
import android.os.IInterface;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.robolectric.shadow.api.Shadow;

/** Which system services this device has, by what answers their calls: the table of {@code docs/platform.md}. */
final class ServiceTable {
  private ServiceTable() {}

  /** A row for each name that {@code getSystemService} knows: the name, the manager's class (or empty), what answers. */
  static List<Object> rows() {
    Application app = AppProcess.application();
    List<Object> rows = new ArrayList<>();
    for (String name : names()) {
      try {
        Object manager = app.getSystemService(name);
        rows.add(manager == null ? List.of(name, "", "missing") : List.of(name, manager.getClass().getName(), answers(manager)));
      } catch (RuntimeException | LinkageError e) {
        rows.add(List.of(name, "", "fails: " + e.getClass().getSimpleName()));
      }
    }
    return rows;
  }

  private static TreeSet<String> names() {
    try {
      Field fetchers = Class.forName("android.app.SystemServiceRegistry").getDeclaredField("SYSTEM_SERVICE_FETCHERS");
      fetchers.setAccessible(true);
      TreeSet<String> names = new TreeSet<>();
      for (Object name : ((Map<?, ?>) fetchers.get(null)).keySet()) {
        names.add((String) name);
      }
      return names;
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("Android's registry of services has changed", e);
    }
  }

  private static String answers(Object manager) {
    Object shadow = Shadow.extract(manager);
    String type = shadow == null ? "" : shadow.getClass().getName();
    if (type.startsWith("droidtest.")) {
      return "device";
    } else if (type.startsWith("org.robolectric.shadows.")) {
      return "Robolectric";
    }
    return interfaces(manager);
  }

  /** By the system's interfaces that the manager has in its fields: none, empty ones, or answered ones. */
  private static String interfaces(Object manager) {
    String answers = "framework";
    for (Class<?> type = manager.getClass(); type != null && type != Object.class; type = type.getSuperclass()) {
      for (Field field : type.getDeclaredFields()) {
        if (Modifier.isStatic(field.getModifiers()) || !IInterface.class.isAssignableFrom(field.getType())) {
          continue;
        }
        try {
          field.setAccessible(true);
          Object service = field.get(manager);
          if (service == null) {
            answers = "missing";
          } else if (Proxy.isProxyClass(service.getClass())) {
            return EmptyAnswers.empty(service) ? "empty" : "device";
          }
        } catch (ReflectiveOperationException e) {
          throw new LinkageError(field.toString(), e);
        }
      }
    }
    return answers;
  }
}
