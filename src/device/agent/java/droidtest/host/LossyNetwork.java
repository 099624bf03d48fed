package droidtest.host;

import droidtest.host.box.CutSocket;
import droidtest.host.box.Online;
import java.io.IOException;
import java.lang.reflect.Method;
import java.net.Socket;
import java.net.SocketImpl;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.WeakHashMap;

/** The machine's network for a device that may use it, which can be lost: open connections break, new ones fail. */
final class LossyNetwork {
  private static final Set<SocketImpl> OPEN = Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

  private LossyNetwork() {}

  @SuppressWarnings("deprecation")
  static void install() throws IOException, ReflectiveOperationException {
    Method make = SocketImpl.class.getDeclaredMethod("createPlatformSocketImpl", boolean.class);
    make.setAccessible(true);
    Method close = SocketImpl.class.getDeclaredMethod("close");
    close.setAccessible(true);
    Socket.setSocketImplFactory(
        () -> {
          if (Online.lost()) {
            return new CutSocket();
          }
          try {
            SocketImpl real = (SocketImpl) make.invoke(null, false);
            OPEN.add(real);
            return real;
          } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
          }
        });
    Online.connect(
        () -> {
          List<SocketImpl> open;
          synchronized (OPEN) {
            open = new ArrayList<>(OPEN);
            OPEN.clear();
          }
          for (SocketImpl one : open) {
            try {
              close.invoke(one);
            } catch (ReflectiveOperationException e) {
              throw new IOException(e);
            }
          }
        });
  }
}
