package droidtest.sched;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;

/** Looks after a thread that keeps the token in a way that the scheduler does not hear of. */
final class Attendant extends Thread implements Apart {
  private static final long LOOK_MS = 15;
  /** A thread that waits for Java itself (a class that another one initialises, a file) for so long waits indeed. */
  private static final long IDLE_NS = 300_000_000L;
  /** A thread that computes for so long while others wait is a loop of its own. */
  private static final long LIMIT_NS = 2_000_000_000L;

  private static Attendant only;

  private Attendant() {
    super("droidtest attendant");
    setDaemon(true);
  }

  static void attend() {
    synchronized (Attendant.class) {
      if (only != null) {
        return;
      }
      only = new Attendant();
    }
    only.start();
  }

  @Override
  public void run() {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    Member seen = null;
    long at = -1;
    long since = 0;
    long cpu = 0;
    int blocked = 0;
    while (true) {
      try {
        Thread.sleep(LOOK_MS);
      } catch (InterruptedException e) {
        return;
      }
      Member holder = Scheduler.holder();
      long handovers = Scheduler.handovers();
      long now = System.nanoTime();
      if (holder == null || holder != seen || handovers != at) {
        seen = holder;
        at = handovers;
        since = now;
        blocked = 0;
        cpu = holder == null ? 0 : threads.getThreadCpuTime(holder.thread.getId());
        continue;
      }
      Thread.State state = holder.thread.getState();
      if (state == Thread.State.BLOCKED) {
        if (++blocked > 1 && ownerWaits(threads, holder)) {
          // Whoever has the monitor has no turn: it comes first.
          Scheduler.loosen(holder, at, null);
        }
        continue;
      }
      blocked = 0;
      long used = threads.getThreadCpuTime(holder.thread.getId()) - cpu;
      if (state != Thread.State.RUNNABLE) {
        // A wait that no hook stands for.
        if (now - since > 3 * LOOK_MS * 1_000_000) {
          Scheduler.loosen(holder, at, null);
        }
      } else if (used < 1_000_000 && now - since > IDLE_NS) {
        Scheduler.loosen(holder, at, null);
      } else if (used > LIMIT_NS) {
        Scheduler.loosen(holder, at, "runs on while others wait");
      }
    }
  }

  private static boolean ownerWaits(ThreadMXBean threads, Member holder) {
    ThreadInfo info = threads.getThreadInfo(holder.thread.getId());
    if (info == null || info.getLockOwnerId() < 0) {
      return false;
    }
    ThreadInfo owner = threads.getThreadInfo(info.getLockOwnerId());
    return owner != null && owner.getThreadState() != Thread.State.RUNNABLE;
  }
}
