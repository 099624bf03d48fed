package droidtest.host;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Constructor;
import java.lang.reflect.Member;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Which of Java's classes and members Android has. This machine's Java has more: an app must not find it, since it would
 * behave differently than on a phone, and since some of it calls methods for others ({@code java.beans.Expression}), past
 * all that the translator has redirected.
 *
 * <p>The list is {@code android-api.txt}, which {@code xtask/android-api/make.sh} writes. It has public and protected
 * classes and members. Other classes of its packages are found, as on Android, but none of their members by reflection:
 * Android hides those from apps, too, except for a few, which {@link #KNOWN} has.
 */
public final class AndroidApi {
  private static final String CONSTRUCTOR = "<init>";
  private static final String LIST = "android-api.txt";
  /** Where the names of packages of Java's modules begin. */
  private static final String[] JAVA = {
    "java.", "javax.", "jdk.", "sun.", "com.sun.", "org.w3c.dom.", "org.xml.sax.", "org.ietf.jgss.", "org.jcp.", "netscape."
  };
  /** The framework's, though it is called as if it were Java's. */
  private static final String FRAMEWORK = "javax.microedition.";

  /**
   * Java's own classes that are outside of the list, and that code of the app needs: what Java makes for reflection over
   * a class looks for the first ones next to that class, what its compiler makes calls the next, and a serialized time
   * zone is of the next. Of the last one it finds the agent's.
   */
  private static final Set<String> NEEDED =
      Set.of(
          "jdk.internal.reflect.MagicAccessorImpl", "jdk.internal.reflect.MethodAccessorImpl",
          "jdk.internal.reflect.ConstructorAccessorImpl", "jdk.internal.reflect.SerializationConstructorAccessorImpl",
          "jdk.internal.reflect.MethodAccessor", "jdk.internal.reflect.ConstructorAccessor",
          "java.lang.invoke.LambdaMetafactory", "java.lang.invoke.StringConcatFactory",
          "java.lang.runtime.ObjectMethods", "sun.util.calendar.ZoneInfo", AppClassLoader.UNSAFE);

  /** Members that are not public, that both Javas have, and that libraries for Android look for. */
  private static final Map<String, Set<String>> KNOWN =
      Map.ofEntries(
          Map.entry("java.io.FileDescriptor", Set.of(CONSTRUCTOR)),
          Map.entry("java.io.ObjectStreamClass", Set.of("newInstance", "getConstructorId")),
          Map.entry("java.io.ObjectInputStream", Set.of("newInstance")),
          Map.entry("java.lang.Thread", Set.of("group", "target", "threadLocals", "inheritableThreadLocals", "daemon")),
          Map.entry("java.lang.ThreadGroup", Set.of("name", "threads", "parent", "nthreads", "ngroups")),
          Map.entry("java.lang.Throwable", Set.of("detailMessage", "cause", "stackTrace", "suppressedExceptions")),
          Map.entry("java.lang.ref.Reference", Set.of("referent", "queue", "next")),
          Map.entry("java.nio.Buffer", Set.of("address", "capacity", "limit", "mark", "position")),
          Map.entry("java.nio.ByteBuffer", Set.of("hb", "offset", "isReadOnly", "bigEndian")),
          Map.entry("java.net.InetAddress", Set.of("holder")),
          Map.entry("java.net.Socket", Set.of("impl")),
          Map.entry("java.util.ArrayList", Set.of("elementData", "size")),
          Map.entry("java.util.Collections$UnmodifiableCollection", Set.of("c")),
          Map.entry("java.util.Collections$UnmodifiableMap", Set.of("m")),
          Map.entry("java.util.EnumMap", Set.of("keyType")),
          Map.entry("java.util.EnumSet", Set.of("elementType")),
          Map.entry("java.util.HashMap", Set.of("table", "modCount")),
          Map.entry("java.util.HashSet", Set.of("map")),
          Map.entry("java.util.LinkedHashMap", Set.of("head", "tail", "accessOrder")),
          Map.entry("java.util.Random", Set.of("seedUniquifier", "seed")),
          Map.entry("java.util.Vector", Set.of("elementData")),
          Map.entry("java.util.concurrent.FutureTask", Set.of("callable", "outcome", "runner")),
          Map.entry("java.util.concurrent.ThreadPoolExecutor", Set.of("ctl", "workers", "mainLock")),
          Map.entry("java.util.concurrent.atomic.AtomicReference", Set.of("value")));

  private static final Set<String> PACKAGES = new HashSet<>();
  /** The names of each class's members, with a space before and behind each. */
  private static final Map<String, String> CLASSES = new HashMap<>(4096);

  /** Whether it is a class that an app does not find; asked for each by reflection. */
  private static final ClassValue<Boolean> HIDDEN =
      new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
          return !visible(type);
        }
      };

  /** The names of the members of a class of Java's, those that it inherits among them. */
  private static final ClassValue<Set<String>> MEMBERS =
      new ClassValue<>() {
        @Override
        protected Set<String> computeValue(Class<?> type) {
          Set<String> names = new HashSet<>();
          collect(type, names);
          return names;
        }
      };

  static {
    try (InputStream in = AndroidApi.class.getResourceAsStream(LIST)) {
      if (in == null) {
        throw new IllegalStateException(LIST + " is missing in the agent");
      }
      read(new String(in.readAllBytes(), StandardCharsets.US_ASCII));
    } catch (IOException e) {
      throw new IllegalStateException(LIST, e);
    }
  }

  private AndroidApi() {}

  private static void read(String text) {
    String pack = "";
    for (int at = 0; at < text.length(); ) {
      int end = text.indexOf('\n', at);
      String line = text.substring(at, end);
      at = end + 1;
      if (line.startsWith("#")) {
        continue;
      }
      if (line.startsWith("package ")) {
        pack = line.substring("package ".length());
        PACKAGES.add(pack);
        continue;
      }
      int space = line.indexOf(' ');
      String name = pack + '.' + (space < 0 ? line : line.substring(0, space));
      String members = space < 0 ? " " : line.substring(space) + ' ';
      CLASSES.merge(name, members, String::concat);
    }
  }

  /** Whether a class of this name is one of Java's, and not the framework's or an app's. */
  public static boolean ofJava(String name) {
    if (name.startsWith(FRAMEWORK)) {
      return false;
    }
    for (String prefix : JAVA) {
      if (name.startsWith(prefix)) {
        return true;
      }
    }
    return false;
  }

  /** Whether Android has a public or protected class of Java's of this name. */
  public static boolean has(String name) {
    return CLASSES.containsKey(name);
  }

  /**
   * Whether an app finds a class of Java's.
   *
   * @param open whether the class is public or protected
   */
  public static boolean finds(String name, boolean open) {
    return NEEDED.contains(name) || has(name) || !open && mayHave(name);
  }

  /** Whether Android may have a class of Java's of this name: it has the package. */
  public static boolean mayHave(String name) {
    int dot = name.lastIndexOf('.');
    return dot > 0 && PACKAGES.contains(name.substring(0, dot)) || NEEDED.contains(name);
  }

  /** Whether a class that Java has loaded is public or protected. */
  static boolean open(Class<?> type) {
    return (type.getModifiers() & (Modifier.PUBLIC | Modifier.PROTECTED)) != 0;
  }

  /** Whether an app must not find a class by its name, nor members of it: what Android has not. */
  public static boolean hides(Class<?> type) {
    return HIDDEN.get(type);
  }

  private static boolean visible(Class<?> type) {
    Class<?> element = type;
    while (element.isArray()) {
      element = element.getComponentType();
    }
    if (element.isPrimitive() || element.getClassLoader() instanceof AppClassLoader) {
      return true;
    }
    String name = element.getName();
    if (name.equals(AppClassLoader.UNSAFE) || name.startsWith("droidtest.") || name.startsWith("org.robolectric.") || name.startsWith("jdk.")) {
      return false;
    }
    return ofJava(name) ? finds(name, open(element)) : !AppClassLoader.inUse() || AppClassLoader.fromSystem(name);
  }

  /** Whether reflection over a class does not show this member to an app. */
  public static boolean hides(Class<?> of, Member member) {
    String name = member instanceof Constructor ? CONSTRUCTOR : member.getName();
    return hides(of, member.getDeclaringClass(), name, member.getModifiers());
  }

  /** The same for a member of this name, {@code <init>} for a constructor. */
  public static boolean hides(Class<?> of, Class<?> owner, String name, int modifiers) {
    if (owner.getClassLoader() instanceof AppClassLoader) {
      return false;
    }
    if (owner == of && hides(owner)) {
      return true;
    }
    if (!ofJava(owner.getName())) {
      return false;
    }
    if ((modifiers & (Modifier.PUBLIC | Modifier.PROTECTED)) == 0) {
      return !KNOWN.getOrDefault(owner.getName(), Set.of()).contains(name);
    }
    return !(name.equals(CONSTRUCTOR) ? has(owner.getName()) : MEMBERS.get(of).contains(name) || MEMBERS.get(owner).contains(name));
  }

  private static void collect(Class<?> type, Set<String> names) {
    String members = CLASSES.get(type.getName());
    if (members != null) {
      for (String name : members.trim().split(" ")) {
        names.add(name);
      }
    }
    for (Class<?> above : type.getInterfaces()) {
      collect(above, names);
    }
    if (type.getSuperclass() != null) {
      collect(type.getSuperclass(), names);
    } else {
      collectObject(names);
    }
  }

  /** An interface has an object's methods, too. */
  private static void collectObject(Set<String> names) {
    for (String name : CLASSES.get("java.lang.Object").trim().split(" ")) {
      names.add(name);
    }
  }
}
