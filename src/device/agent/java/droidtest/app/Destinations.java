package droidtest.app;

import android.app.Activity;
import android.view.View;
import java.lang.ref.Reference;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The destination that AndroidX Navigation shows, in Compose or with fragments. A shrinker renames the library, so its
 * back stack is known by what does not change: a list of objects each of which has a UUID for its id and says "..
 * destination=.. route=..". It hangs on the activity, as what hears of its life and of the back key, and is found from
 * there once.
 */
final class Destinations {
  /** Maximum objects per search, and searches per activity: an app without a graph costs at most these. */
  private static final int OBJECTS = 6000;
  private static final int SEARCHES = 12;

  private static final Pattern UUID = Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");
  private static final Pattern SAID = Pattern.compile(" destination=\\S*?\\((\\S+?)\\)(?:.*? route=(\\S+))?", Pattern.DOTALL);

  private Activity activity;
  private List<?> stack;
  private int searches;
  private int skipped;

  /** @param shown the activity in front now; null for none */
  void begin(Activity shown) {
    activity = shown;
    stack = null;
    searches = 0;
    skipped = 0;
  }

  /** The route or the name of the destination on top; null if there is no graph. */
  String current() {
    if (stack == null) {
      // The later, the seldomer: 1, 2, 4 ... readings apart.
      if (searches >= SEARCHES || skipped++ < (1 << searches) - 1) {
        return null;
      }
      searches++;
      skipped = 0;
      stack = activity == null ? null : search(activity);
    }
    return stack == null || stack.isEmpty() ? null : said(stack.get(stack.size() - 1));
  }

  static List<?> search(Object from) {
    Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    Queue<Object> open = new ArrayDeque<>();
    add(from, seen, open);
    for (int i = 0; i < OBJECTS && !open.isEmpty(); i++) {
      Object one = open.remove();
      if (one instanceof List && isStack((List<?>) one)) {
        return (List<?>) one;
      }
      if (one instanceof Collection) {
        ((Collection<?>) one).forEach(item -> add(item, seen, open));
      } else if (one instanceof Map) {
        ((Map<?, ?>) one).forEach((key, value) -> {
          add(key, seen, open);
          add(value, seen, open);
        });
      } else if (one instanceof Reference) {
        add(((Reference<?>) one).get(), seen, open);
      } else if (one instanceof Object[]) {
        for (int at = 0; at < Array.getLength(one); at++) {
          add(Array.get(one, at), seen, open);
        }
      }
      fields(one, seen, open);
    }
    return null;
  }

  private static void fields(Object of, Set<Object> seen, Queue<Object> open) {
    for (Class<?> type = of.getClass(); isApps(type); type = type.getSuperclass()) {
      for (Field field : type.getDeclaredFields()) {
        if (Modifier.isStatic(field.getModifiers()) || field.getType().isPrimitive() || field.getType() == String.class) {
          continue;
        }
        add(get(field, of), seen, open);
      }
    }
  }

  private static void add(Object value, Set<Object> seen, Queue<Object> open) {
    if (value == null || value instanceof View || value instanceof Class) {
      return;
    }
    boolean holds = value instanceof Collection || value instanceof Map || value instanceof Reference || value instanceof Object[];
    if ((holds || isApps(value.getClass())) && seen.add(value)) {
      open.add(value);
    }
  }

  /** Classes of the app and its libraries, which a shrinker changes; not the framework's. */
  private static boolean isApps(Class<?> type) {
    return type != null && type.getClassLoader() != null && type.getClassLoader() != View.class.getClassLoader();
  }

  private static boolean isStack(List<?> list) {
    if (list.isEmpty() || list.size() > 200) {
      return false;
    }
    for (Object one : list) {
      if (one == null || !isApps(one.getClass()) || !hasUuid(one)) {
        return false;
      }
    }
    return said(list.get(list.size() - 1)) != null;
  }

  private static boolean hasUuid(Object one) {
    for (Class<?> type = one.getClass(); isApps(type); type = type.getSuperclass()) {
      for (Field field : type.getDeclaredFields()) {
        if (field.getType() == String.class && !Modifier.isStatic(field.getModifiers())) {
          Object value = get(field, one);
          if (value != null && UUID.matcher((String) value).matches()) {
            return true;
          }
        }
      }
    }
    return false;
  }

  private static Object get(Field field, Object of) {
    try {
      field.setAccessible(true);
      return field.get(of);
    } catch (ReflectiveOperationException | RuntimeException e) {
      return null;
    }
  }

  /** The destination of a stack entry: the route, else the id's name. */
  static String said(Object entry) {
    if (entry == null) {
      return null;
    }
    Matcher said = SAID.matcher(entry.toString());
    if (!said.find()) {
      return null;
    }
    if (said.group(2) != null) {
      return said.group(2);
    }
    String id = said.group(1);
    // A bare number is another one in the next build.
    return id.contains("/") ? id.substring(id.indexOf('/') + 1) : null;
  }
}
