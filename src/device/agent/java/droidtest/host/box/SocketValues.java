package droidtest.host.box;

import java.net.SocketOptions;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The options of a socket that is none of the machine's: as set, before that as Java has them. The types count, since Java
 * casts them.
 */
public final class SocketValues {
  private final Map<Integer, Object> set = new ConcurrentHashMap<>();

  public void set(int id, Object value) {
    set.put(id, value);
  }

  public Object get(int id) {
    Object value = set.get(id);
    if (value != null) {
      return value;
    }
    return switch (id) {
      case SocketOptions.TCP_NODELAY, SocketOptions.SO_KEEPALIVE, SocketOptions.SO_REUSEADDR,
          SocketOptions.SO_REUSEPORT, SocketOptions.SO_OOBINLINE, SocketOptions.SO_BROADCAST -> false;
      case SocketOptions.SO_LINGER -> -1;
      case SocketOptions.SO_SNDBUF, SocketOptions.SO_RCVBUF -> 1 << 16;
      default -> 0;
    };
  }
}
