package droidtest.device;

import java.io.File;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Every member of the framework that is no public API, in one table, with the levels that have it and what is done
 * without it. {@link #main} resolves the table against the framework's jar of a level, so that a member that was renamed
 * shows on a workbench and not on someone's phone.
 */
public final class Hidden {
  /** As the last parameter: whatever else the method of a level takes. */
  private static final String ANY = "...";

  static final Member CONNECTION =
      new Member("android.app.UiAutomationConnection", "<init>", 21, 99, "none: no agent");
  static final Member AUTOMATION =
      new Member("android.app.UiAutomation", "<init>", 21, 99, "none: no agent", "android.os.Looper", "android.app.IUiAutomationConnection");
  static final Member CONNECT = new Member("android.app.UiAutomation", "connect", 21, 23, "the form with flags");
  static final Member CONNECT_FLAGS =
      new Member("android.app.UiAutomation", "connect", 24, 99, "the form without flags, which suspends other accessibility services", "int");
  static final Member DISCONNECT = new Member("android.app.UiAutomation", "disconnect", 21, 99, "the end of the process");
  static final Member DISPLAYS = new Member("android.hardware.display.DisplayManagerGlobal", "getInstance", 21, 99, "the windows' extent, rotation 0");
  static final Member DISPLAY_INFO =
      new Member("android.hardware.display.DisplayManagerGlobal", "getDisplayInfo", 21, 99, "the windows' extent, rotation 0", "int");
  static final Member ROTATION = new Member("android.view.DisplayInfo", "#rotation", 21, 99, "rotation 0");
  static final Member WIDTH = new Member("android.view.DisplayInfo", "#logicalWidth", 21, 99, "the windows' extent");
  static final Member HEIGHT = new Member("android.view.DisplayInfo", "#logicalHeight", 21, 99, "the windows' extent");
  static final Member ACTIVITIES_OLD =
      new Member("android.app.ActivityManagerNative", "getDefault", 21, 25, "the window's event names the activity");
  static final Member ACTIVITIES = new Member("android.app.ActivityManager", "getService", 26, 28, "the window's event names the activity");
  static final Member TASKS = new Member("android.app.ActivityTaskManager", "getService", 29, 99, "the window's event names the activity");

  // Looked up in the interfaces, which are public: the class behind them is not, and its methods may be refused.
  static final Member ACTIVITIES_TASKS =
      new Member("android.app.IActivityManager", "getTasks", 21, 28, "the window's event names the activity", "int", ANY);
  static final Member TASKS_TASKS =
      new Member("android.app.IActivityTaskManager", "getTasks", 29, 99, "the window's event names the activity", "int", ANY);

  private static final Member[] ALL = {
    CONNECTION, AUTOMATION, CONNECT, CONNECT_FLAGS, DISCONNECT, DISPLAYS, DISPLAY_INFO, ROTATION, WIDTH, HEIGHT, ACTIVITIES_OLD, ACTIVITIES, TASKS,
    ACTIVITIES_TASKS, TASKS_TASKS,
  };

  private Hidden() {}

  /** One member: {@code <init>} is a constructor, {@code #name} a field, anything else a method. */
  static final class Member {
    final String type;
    final String name;
    final int first;
    final int last;
    final String otherwise;
    final String[] parameters;

    Member(String type, String name, int first, int last, String otherwise, String... parameters) {
      this.type = type;
      this.name = name;
      this.first = first;
      this.last = last;
      this.otherwise = otherwise;
      this.parameters = parameters;
    }

    Object resolve(ClassLoader loader) throws ReflectiveOperationException {
      Class<?> in = Class.forName(type, false, loader);
      if (name.startsWith("#")) {
        Field field = in.getDeclaredField(name.substring(1));
        field.setAccessible(true);
        return field;
      }
      boolean open = parameters.length > 0 && parameters[parameters.length - 1].equals(ANY);
      Class<?>[] wanted = new Class<?>[open ? parameters.length - 1 : parameters.length];
      for (int i = 0; i < wanted.length; i++) {
        wanted[i] = parameters[i].equals("int") ? int.class : Class.forName(parameters[i], false, loader);
      }
      if (name.equals("<init>")) {
        Constructor<?> constructor = in.getDeclaredConstructor(wanted);
        constructor.setAccessible(true);
        return constructor;
      }
      if (open) {
        return beginning(in, wanted);
      }
      Method method = in.getDeclaredMethod(name, wanted);
      method.setAccessible(true);
      return method;
    }

    private Method beginning(Class<?> in, Class<?>[] with) throws NoSuchMethodException {
      for (Method method : in.getMethods()) {
        Class<?>[] types = method.getParameterTypes();
        if (method.getName().equals(name) && types.length >= with.length && Arrays.equals(Arrays.copyOf(types, with.length), with)) {
          return method;
        }
      }
      throw new NoSuchMethodException(toString());
    }

    Method method() throws ReflectiveOperationException {
      return (Method) resolve(Hidden.class.getClassLoader());
    }

    Object make(Object... arguments) throws ReflectiveOperationException {
      return ((Constructor<?>) resolve(Hidden.class.getClassLoader())).newInstance(arguments);
    }

    Object call(Object on, Object... arguments) throws ReflectiveOperationException {
      return method().invoke(on, arguments);
    }

    int read(Object from) throws ReflectiveOperationException {
      return ((Field) resolve(Hidden.class.getClassLoader())).getInt(from);
    }

    @Override
    public String toString() {
      return type + "." + name + Arrays.toString(parameters);
    }
  }

  /** {@code LEVEL JAR}: resolves every member of the level; prints those missing and fails if there are any. */
  public static void main(String[] args) throws Exception {
    int level = Integer.parseInt(args[0]);
    URL[] jar = {new File(args[1]).toURI().toURL()};
    List<String> missing = new ArrayList<>();
    int found = 0;
    try (URLClassLoader loader = new URLClassLoader(jar, ClassLoader.getSystemClassLoader().getParent())) {
      for (Member member : ALL) {
        if (level < member.first || level > member.last) {
          continue;
        }
        try {
          member.resolve(loader);
          found++;
        } catch (UnsupportedClassVersionError old) {
          System.out.println("level " + level + " needs a newer Java than " + System.getProperty("java.version") + " (36 needs 21)");
          System.exit(2);
        } catch (ReflectiveOperationException | LinkageError absent) {
          missing.add(member + ": " + absent + "; without it: " + member.otherwise);
        }
      }
    }
    for (String line : missing) {
      System.out.println("missing at " + level + ": " + line);
    }
    System.out.println("level " + level + ": " + found + " members found, " + missing.size() + " missing");
    System.exit(missing.isEmpty() ? 0 : 1);
  }
}
