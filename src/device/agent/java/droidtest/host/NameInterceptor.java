package droidtest.host;

import droidtest.host.box.Process;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.net.InetAddress;
import java.net.UnknownHostException;
import org.robolectric.internal.bytecode.Interceptor;
import org.robolectric.internal.bytecode.MethodRef;
import org.robolectric.internal.bytecode.MethodSignature;
import org.robolectric.util.Function;

/** The framework's HTTP client resolves names as the app's code does, and fails with Android's words. */
public final class NameInterceptor extends Interceptor {
  private static final String ALL = "getAllByName";

  public NameInterceptor() {
    super(new MethodRef(InetAddress.class, "getByName"), new MethodRef(InetAddress.class, ALL));
  }

  @Override
  public Function<Object, Object> handle(MethodSignature signature) {
    return (theClass, value, params) -> {
      try {
        String host = (String) params[0];
        return signature.methodName.equals(ALL) ? Process.resolveAll(host) : Process.resolve(host);
      } catch (UnknownHostException e) {
        throw NameInterceptor.<RuntimeException>asIs(e);
      }
    };
  }

  @Override
  public MethodHandle getMethodHandle(String name, MethodType type) throws NoSuchMethodException, IllegalAccessException {
    String ours = name.equals(ALL) ? "resolveAll" : "resolve";
    return MethodHandles.lookup()
        .findStatic(Process.class, ours, MethodType.methodType(type.returnType(), String.class));
  }

  @SuppressWarnings("unchecked")
  private static <E extends Throwable> E asIs(Throwable thrown) throws E {
    throw (E) thrown;
  }
}
