package droidtest.host;

import droidtest.host.box.Clock;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.robolectric.internal.bytecode.Interceptor;
import org.robolectric.internal.bytecode.MethodRef;
import org.robolectric.internal.bytecode.MethodSignature;
import org.robolectric.util.Function;

/** The framework reads the same clock as the app: its wall time has a date, not only the time since the start. */
public final class ClockInterceptor extends Interceptor {
  public ClockInterceptor() {
    super(new MethodRef(System.class, "currentTimeMillis"));
  }

  @Override
  public Function<Object, Object> handle(MethodSignature signature) {
    return (theClass, value, params) -> Clock.currentTimeMillis();
  }

  @Override
  public MethodHandle getMethodHandle(String name, MethodType type) throws NoSuchMethodException, IllegalAccessException {
    return MethodHandles.lookup().findStatic(Clock.class, name, MethodType.methodType(long.class));
  }
}
