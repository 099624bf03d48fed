package droidtest.app;

import android.os.Binder;
import android.os.IBinder;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Stands in for a system service behind its binder interface: calls go to the methods of the same name of a plain
 * object, which take the arguments as an array (their list differs from one Android version to the next, their order
 * hardly). Unknown calls return an empty answer.
 */
final class Binders {
  private Binders() {}

  /** @param target looked up for each call: the framework keeps proxies in statics that outlive a process life */
  static <T> T proxy(Class<T> type, Class<?> targetType, Supplier<?> target) {
    Map<String, Method> known = new HashMap<>();
    for (Method method : targetType.getDeclaredMethods()) {
      Class<?>[] parameters = method.getParameterTypes();
      if (parameters.length == 1 && parameters[0] == Object[].class) {
        method.setAccessible(true);
        known.put(method.getName(), method);
      }
    }
    IBinder binder = new Binder();
    InvocationHandler handler =
        (proxy, method, args) -> {
          Method own = known.get(method.getName());
          if (own != null && SystemServer.current() != null) {
            return call(own, target.get(), args == null ? new Object[0] : args);
          }
          switch (method.getName()) {
            case "asBinder":
              return binder;
            case "hashCode":
              return System.identityHashCode(proxy);
            case "equals":
              return proxy == args[0];
            case "toString":
              return type.getSimpleName();
            default:
              EmptyAnswers.note(type, method, args);
              return zero(method.getReturnType());
          }
        };
    Object proxy = Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler);
    ((Binder) binder).attachInterface((android.os.IInterface) proxy, type.getName());
    return type.cast(proxy);
  }

  private static Object call(Method method, Object target, Object[] args) throws Throwable {
    try {
      return method.invoke(target, (Object) args);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  private static Object zero(Class<?> type) {
    if (type == boolean.class) {
      return false;
    } else if (type == int.class) {
      return 0;
    } else if (type == long.class) {
      return 0L;
    } else if (type == float.class) {
      return 0f;
    } else if (type == java.util.List.class) {
      return new java.util.ArrayList<>();
    }
    return null;
  }

  /** The first argument of a type; null if there is none. */
  static <T> T first(Object[] args, Class<T> type) {
    for (Object arg : args) {
      if (type.isInstance(arg)) {
        return type.cast(arg);
      }
    }
    return null;
  }
}
