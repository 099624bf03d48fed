package droidtest.sched;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;

/** Looks after a thread that keeps the token in a way that the scheduler does not hear of. */
final class Attendant extends Thread implements Apart {
  private static final long LOOK_MS = 15;
  /**
   * Looks in a row at a thread that waits, in a way that no hook stands for. Time alone proves nothing: on a loaded machine,
   * and while the collector runs, a thread stands still that does not wait; then the looks come later, too.
   */
  private static final int WAITS = 4;
  /** Looks in a row at a thread that computes nothing: it waits for Java itself (a class that another one initialises). */
  private static final int IDLE = 20;
  /** Looks in a row after which other threads of the process that run (the app may compute without end) count no more. */
  private static final int CROWDED = 200;
  /** Looks in a row at a main thread that nobody can wake, before its process is over. */
  private static final int STALLED = 20;
  /** What a thread computes between two looks that does anything. */
  private static final long WORK_NS = 50_000;
  /** A thread that computes for so long while others wait loses its turn. */
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
    // The first of these calls draw identity hashes: here they do it at a fixed place.
    ManagementFactory.getThreadMXBean().getThreadInfo(Thread.currentThread().getId());
    ManagementFactory.getThreadMXBean().getThreadCpuTime(Thread.currentThread().getId());
    only.getState();
    KernelThread own = KernelThread.current();
    if (own != null) {
      own.sleeps();
      own.alone();
    }
    only.start();
  }

  @Override
  public void run() {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    KernelThread own = KernelThread.current();
    Member seen = null;
    long at = -1;
    long cpuAtFirst = 0;
    long cpuBefore = 0;
    int looks = 0;
    int stalled = 0;
    Thread.State stateBefore = null;
    while (true) {
      try {
        Thread.sleep(LOOK_MS);
      } catch (InterruptedException e) {
        return;
      }
      Member holder = Scheduler.holder();
      long handovers = Scheduler.handovers();
      stalled = handovers == at && Scheduler.stalled() ? stalled + 1 : 0;
      if (stalled >= STALLED) {
        stalled = 0;
        Scheduler.giveUp(handovers);
      }
      long cpu = holder == null ? 0 : threads.getThreadCpuTime(holder.thread.getId());
      if (holder == null || holder != seen || handovers != at) {
        seen = holder;
        at = handovers;
        cpuAtFirst = cpu;
        cpuBefore = cpu;
        looks = 0;
        continue;
      }
      Thread.State state = holder.thread.getState();
      boolean comes = holder.comes() && state != Thread.State.BLOCKED;
      boolean still = state == stateBefore && cpu - cpuBefore < WORK_NS && !comes && sleeps(holder);
      looks = still ? looks + 1 : 0;
      stateBefore = state;
      cpuBefore = cpu;
      if (state == Thread.State.BLOCKED) {
        if (looks > 0 && ownerWaits(threads, holder)) {
          // Whoever has the monitor has no turn: it comes first.
          Scheduler.loosen(holder, at, null);
        }
      } else if (looks >= (state == Thread.State.RUNNABLE ? IDLE : WAITS)
          && (looks >= CROWDED || own == null || own.alone())) {
        Scheduler.loosen(holder, at, null);
      } else if (cpu - cpuAtFirst > LIMIT_NS) {
        Scheduler.loosen(holder, at, "runs on while others wait");
      }
    }
  }

  private static boolean sleeps(Member member) {
    KernelThread kernel = member.kernel;
    return kernel == null || kernel.sleeps();
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
