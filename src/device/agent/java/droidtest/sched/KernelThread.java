package droidtest.sched;

import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * A thread as Linux sees it. To Java a thread that waits inside the JVM (for a class that another one initialises) and one
 * that a loaded machine keeps from running look alike; the kernel knows which of them sleeps.
 */
final class KernelThread {
  private static final int HEAD = 128;
  private final String stat;

  private KernelThread(String stat) {
    this.stat = stat;
  }

  /** The calling thread, or null if there is no such file system. */
  static KernelThread current() {
    try {
      String folder = new File("/proc/thread-self").getCanonicalPath();
      return folder.contains("/task/") ? new KernelThread(folder + "/stat") : null;
    } catch (IOException e) {
      return null;
    }
  }

  /** Whether it waits for an event, not for a processor or the disk; true if that is not known. */
  boolean sleeps() {
    return sleeps(stat);
  }

  /**
   * Whether every thread of the process but this one waits: nothing then is on its way to wake another. A thread of the JVM
   * (its collector, its compiler) that a loaded machine keeps from running holds others up, and they sleep meanwhile.
   */
  boolean alone() {
    String[] tasks = new File("/proc/self/task").list();
    if (tasks == null) {
      return true;
    }
    for (String task : tasks) {
      String other = "/proc/self/task/" + task + "/stat";
      if (!stat.endsWith("/" + task + "/stat") && !sleeps(other)) {
        return false;
      }
    }
    return true;
  }

  private static boolean sleeps(String stat) {
    try (InputStream in = new FileInputStream(stat)) {
      byte[] head = new byte[HEAD];
      int length = in.read(head);
      // "123 (its name) S ..", and a name may hold brackets.
      for (int i = length - 3; i > 0; i--) {
        if (head[i] == ')') {
          return head[i + 2] == 'S';
        }
      }
    } catch (IOException e) {
      // It has ended.
    }
    return true;
  }
}
