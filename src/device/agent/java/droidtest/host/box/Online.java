package droidtest.host.box;

import java.io.IOException;

/** Whether the network that the device has is there at the moment. */
public final class Online {
  /** Cuts the connections that are open. */
  public interface Cable {
    void pull() throws IOException;
  }

  private static volatile boolean lost;
  private static volatile Cable cable;

  private Online() {}

  public static void connect(Cable theCable) {
    cable = theCable;
  }

  /** Whether the device has a network at all. */
  public static boolean connected() {
    return cable != null;
  }

  public static boolean lost() {
    return lost;
  }

  public static void lose(boolean now) {
    boolean before = lost;
    lost = now;
    Cable cable = Online.cable;
    if (now && !before && cable != null) {
      try {
        cable.pull();
      } catch (IOException e) {
        throw new java.io.UncheckedIOException(e);
      }
    }
  }
}
