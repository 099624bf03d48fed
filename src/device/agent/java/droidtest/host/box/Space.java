package droidtest.host.box;

import java.io.File;

/** How much room the storage has: the device's, not the machine's, which is another at every look. */
public final class Space {
  /** 32 GiB. */
  public static final long TOTAL = 32L << 30;
  private static final long USUAL = TOTAL / 2;
  /** What is left of a storage that is called full: 2 MiB. */
  private static final long LOW = 2L << 20;

  private static volatile boolean full;

  private Space() {}

  public static void fill(boolean nearlyFull) {
    full = nearlyFull;
  }

  public static boolean full() {
    return full;
  }

  /** Bytes. */
  public static long left() {
    return full ? LOW : USUAL;
  }

  public static long getUsableSpace(File file) {
    return Paths.use(file).exists() ? left() : 0;
  }

  public static long getFreeSpace(File file) {
    return getUsableSpace(file);
  }

  public static long getTotalSpace(File file) {
    return Paths.use(file).exists() ? TOTAL : 0;
  }
}
