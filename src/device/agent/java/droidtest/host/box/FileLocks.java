package droidtest.host.box;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.WeakHashMap;

/**
 * The locks on files that the app holds. Java keeps one table of them for all lives of the app's process; on a device the
 * kernel releases them when the process ends.
 */
public final class FileLocks {
  private static final Set<FileLock> HELD = Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

  private FileLocks() {}

  public static FileLock lock(FileChannel channel) throws IOException {
    return held(channel.lock());
  }

  public static FileLock lock(FileChannel channel, long position, long size, boolean shared) throws IOException {
    return held(channel.lock(position, size, shared));
  }

  public static FileLock tryLock(FileChannel channel) throws IOException {
    return held(channel.tryLock());
  }

  public static FileLock tryLock(FileChannel channel, long position, long size, boolean shared) throws IOException {
    return held(channel.tryLock(position, size, shared));
  }

  private static FileLock held(FileLock lock) {
    // An app's own class of channels may give a lock of its own, whose code must not run at the next start.
    if (lock != null && lock.getClass().getClassLoader() == null) {
      HELD.add(lock);
    }
    return lock;
  }

  /** The process has ended. */
  public static void release() {
    List<FileLock> locks;
    synchronized (HELD) {
      locks = new ArrayList<>(HELD);
      HELD.clear();
    }
    for (FileLock lock : locks) {
      try {
        lock.release();
      } catch (IOException e) {
        // Its channel is closed, which released it.
      }
    }
  }
}
