package droidtest.app;

import android.os.IInterface;
import android.os.ResultReceiver;
import java.lang.reflect.Array;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.regex.Pattern;

/**
 * Calls of system services that Robolectric publishes without anything behind them: each gives back zero, null, an empty list or
 * array, and calls nobody back. Notes who was asked for an answer that never comes, so that a main thread that waits for it is
 * not taken for the app's mistake.
 */
final class EmptyAnswers {
  /** Registrations: the system may well have nothing to tell. */
  private static final Pattern LISTENS =
      Pattern.compile("(register|unregister|add|remove|set|unset|listen|subscribe|cancel|stop|close|release|attach|detach).*");

  /** The first call of this step that an answer was to come to later; null if there was none. */
  private static String asked;

  private EmptyAnswers() {}

  /** Notes the calls of an interface, passes them on, and answers with an empty array where there is none. */
  private static final class Noting implements InvocationHandler {
    private final Class<?> type;
    private final IInterface made;

    Noting(Class<?> type, IInterface made) {
      this.type = type;
      this.made = made;
    }

    @Override
    public Object invoke(Object proxy, Method method, Object[] args) throws Throwable {
      note(type, method, args);
      try {
        Object answer = method.invoke(made, args);
        Class<?> element = method.getReturnType().getComponentType();
        // Services answer with arrays that hold nothing, as with lists.
        return answer == null && element != null ? Array.newInstance(element, 0) : answer;
      } catch (InvocationTargetException e) {
        throw e.getCause();
      }
    }
  }

  /** Passes all calls on to what Robolectric made, and notes them. */
  static IInterface noting(Class<?> type, IInterface made) {
    return (IInterface) Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, new Noting(type, made));
  }

  /** Whether a service was made by {@link #noting}, or by Robolectric with nothing behind it. */
  static boolean empty(Object service) {
    InvocationHandler handler = Proxy.getInvocationHandler(service);
    return handler instanceof Noting || handler.getClass().getName().startsWith("org.robolectric.");
  }

  /** A call that nothing here answers; those of {@link Object} are none of the service's. */
  static synchronized void note(Class<?> type, Method method, Object[] args) {
    boolean asks = asked == null && args != null && method.getDeclaringClass() != Object.class && hasCallback(args);
    if (asks && !LISTENS.matcher(method.getName()).matches()) {
      asked = type.getSimpleName() + "." + method.getName();
    }
  }

  private static boolean hasCallback(Object[] args) {
    for (Object arg : args) {
      if (arg instanceof IInterface || arg instanceof ResultReceiver) {
        return true;
      }
    }
    return false;
  }

  static synchronized void beginStep() {
    asked = null;
  }

  /** The call whose answer the app may be waiting for, as {@code IClipboard.getPrimaryClip}; null if there is none. */
  static synchronized String awaited() {
    return asked;
  }
}
