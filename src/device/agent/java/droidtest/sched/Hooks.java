package droidtest.sched;

import java.util.concurrent.locks.LockSupport;

/**
 * What replaces Java's waits. Each works as the method it stands for; on a thread that is not managed it is
 * that method. Those that give back a boolean are at the head of Java's methods: true when all is done.
 */
public final class Hooks {
  /** Threads that are not managed and wait for an object, for whom {@code notify} must be real. */
  private static volatile int strangers;

  private Hooks() {}

  /** {@code LockSupport.park}. */
  public static boolean park() {
    return park(Member.NEVER);
  }

  /** {@code LockSupport.parkNanos}. */
  public static boolean parkNanos(long nanos) {
    return nanos > 0 ? park(nanos) : Scheduler.self() != null;
  }

  /** {@code LockSupport.parkUntil}; milliseconds since 1970. */
  public static boolean parkUntil(long wall) {
    Member me = Scheduler.self();
    if (me == null) {
      return false;
    }
    long ms = wall - Scheduler.wall();
    return ms <= 0 || park(Math.min(ms, Long.MAX_VALUE / 1_000_000) * 1_000_000);
  }

  private static boolean park(long nanos) {
    Member me = Scheduler.self();
    if (me == null) {
      return false;
    }
    me.leave();
    boolean holds;
    synchronized (Scheduler.LOCK) {
      if (me.permit || me.thread.isInterrupted()) {
        me.permit = false;
        return true;
      }
      holds = Scheduler.block(me, nanos, null, true);
    }
    if (holds) {
      Scheduler.pass();
    }
    Scheduler.resume(me);
    synchronized (Scheduler.LOCK) {
      me.parked = false;
      me.permit = false;
    }
    me.leave();
    return true;
  }

  /** {@code Unsafe.park}, which Java 21 and later call in pools and conditions. */
  public static void park(Object unsafe, boolean absolute, long time) {
    if (absolute) {
      LockSupport.parkUntil(time);
    } else if (time == 0) {
      LockSupport.park();
    } else {
      LockSupport.parkNanos(time);
    }
  }

  /** {@code Unsafe.unpark}. */
  public static void unpark(Object unsafe, Object thread) {
    LockSupport.unpark((Thread) thread);
  }

  /** {@code LockSupport.unpark}. */
  public static boolean unpark(Thread thread) {
    Member member = thread == null ? null : Members.of(thread);
    if (member == null) {
      return false;
    }
    synchronized (Scheduler.LOCK) {
      member.permit = true;
      if (member.parked && member.state == Member.State.BLOCKED) {
        Scheduler.ready(member);
      }
    }
    return true;
  }

  private static boolean interrupted(Member me) {
    synchronized (Scheduler.LOCK) {
      boolean was = me.interrupted;
      me.interrupted = false;
      return was;
    }
  }

  /** {@code InetAddress.getAllByName0}. */
  public static void lookUp(String host) {
    Silence.lookUp(host);
  }

  /** {@code Object.wait}. */
  public static void wait(Object monitor) throws InterruptedException {
    wait(monitor, 0);
  }

  /** {@code Object.wait}. */
  public static void wait(Object monitor, long ms, int nanos) throws InterruptedException {
    wait(monitor, nanos > 0 && ms < Long.MAX_VALUE ? ms + 1 : ms);
  }

  /** {@code Object.wait}. */
  public static void wait(Object monitor, long ms) throws InterruptedException {
    Member me = Scheduler.self();
    if (me == null || ms < 0 || !Thread.holdsLock(monitor) || gone(monitor)) {
      realWait(monitor, ms);
      return;
    }
    me.leave();
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    boolean holds;
    synchronized (Scheduler.LOCK) {
      long nanos = ms == 0 || ms > Long.MAX_VALUE / 1_000_000 ? Member.NEVER : ms * 1_000_000;
      holds = Scheduler.block(me, nanos, monitor, false);
    }
    if (holds) {
      Scheduler.pass();
    }
    while (!me.take()) {
      try {
        // Gives the monitor back; the scheduler ends this by an interrupt.
        monitor.wait();
      } catch (InterruptedException e) {
        continue;
      }
      // Java itself has notified: a thread that ended, for one.
      synchronized (Scheduler.LOCK) {
        if (me.state == Member.State.BLOCKED) {
          Scheduler.ready(me);
        }
      }
    }
    synchronized (Scheduler.LOCK) {
      me.monitor = null;
    }
    Thread.interrupted();
    me.leave();
    if (interrupted(me)) {
      throw new InterruptedException();
    }
  }

  /** {@code MessageQueue.nativePollOnce}; milliseconds, -1: until it is woken. */
  public static void poll(Object monitor, int ms) throws InterruptedException {
    wait(monitor, Math.max(0, ms));
  }

  /** Whether this is a thread that has ended for the scheduler: Java tells those who wait for it in a moment. */
  private static boolean gone(Object monitor) {
    return monitor instanceof Thread && Members.of((Thread) monitor) == null && ((Thread) monitor).isAlive();
  }

  private static void realWait(Object monitor, long ms) throws InterruptedException {
    count(1);
    try {
      monitor.wait(ms);
    } finally {
      count(-1);
    }
  }

  private static void count(int change) {
    synchronized (Scheduler.LOCK) {
      strangers += change;
    }
  }

  /** {@code Object.notify}. */
  public static void notify(Object monitor) {
    if (Thread.holdsLock(monitor)) {
      synchronized (Scheduler.LOCK) {
        if (Scheduler.notify(monitor)) {
          return;
        }
      }
      if (strangers == 0) {
        return;
      }
    }
    monitor.notify();
  }

  /** {@code Object.notifyAll}. */
  public static void notifyAll(Object monitor) {
    if (Thread.holdsLock(monitor)) {
      synchronized (Scheduler.LOCK) {
        Scheduler.notifyAll(monitor);
      }
      if (strangers == 0) {
        return;
      }
    }
    monitor.notifyAll();
  }

  /** {@code Thread.interrupt}. */
  public static boolean interrupt(Thread thread) {
    if (Thread.holdsLock(Scheduler.LOCK)) {
      // The scheduler's own.
      return false;
    }
    Member member = Members.of(thread);
    if (member == null) {
      return false;
    }
    synchronized (Scheduler.LOCK) {
      if (member.state == Member.State.BLOCKED) {
        member.interrupted = true;
        Scheduler.ready(member);
        return true;
      }
      if (member.state == Member.State.READY && member.started) {
        member.interrupted = true;
        return true;
      }
    }
    return false;
  }

  /** {@code Thread.start}. */
  public static void starting(Thread thread) {
    if (Scheduler.self() != null && thread.getState() == Thread.State.NEW) {
      Scheduler.starting(thread);
    }
  }

  /** The head of {@code run} of threads: a new one waits for its turn. */
  public static void gate() {
    Scheduler.self();
  }

  /** {@code Thread.exit}, by which the JVM ends a thread. */
  public static void exiting() {
    Member me = Scheduler.self();
    if (me != null) {
      Scheduler.ended(me);
    }
  }

  /** {@code Thread.yield}. */
  public static void giveWay() {
    Member me = Scheduler.self();
    if (me == null) {
      Thread.yield();
    } else {
      Scheduler.yield(me);
    }
  }

  /** {@code Thread.sleep}. */
  public static void sleep(long ms, int nanos) throws InterruptedException {
    sleep(nanos > 0 ? ms + 1 : ms);
  }

  /** {@code Thread.sleep}. */
  public static void sleep(long ms) throws InterruptedException {
    if (Scheduler.self() == null) {
      Thread.sleep(ms);
    } else {
      pause(ms);
    }
  }

  /** Whether the calling thread takes turns. */
  public static boolean managed() {
    return Scheduler.self() != null;
  }

  /**
   * Sleeps in virtual time; for managed threads.
   *
   * @return false when the process life is over
   */
  public static boolean pause(long ms) throws InterruptedException {
    Member me = Scheduler.self();
    if (ms < 0) {
      throw new IllegalArgumentException("timeout value is negative");
    }
    me.leave();
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    if (ms == 0) {
      Scheduler.yield(me);
      return true;
    }
    boolean holds;
    synchronized (Scheduler.LOCK) {
      if (Scheduler.over()) {
        return false;
      }
      holds = Scheduler.block(me, Math.min(ms, Long.MAX_VALUE / 2_000_000) * 1_000_000, null, false);
    }
    if (holds) {
      Scheduler.pass();
    }
    me.await();
    me.leave();
    if (interrupted(me)) {
      throw new InterruptedException();
    }
    synchronized (Scheduler.LOCK) {
      return !me.over;
    }
  }

  /** {@code System.nanoTime} in Java's timers and queues. */
  public static long nanoTime() {
    return Scheduler.self() == null ? System.nanoTime() : Scheduler.nanos();
  }

  /** {@code VM.getNanoTimeAdjustment}: nanoseconds since a second since 1970, or -1 where they are too many for its caller. */
  public static long nanosSince(long second) {
    long ms = currentTimeMillis() - second * 1000;
    return Math.abs(ms) >= 1L << 42 ? -1 : ms * 1_000_000;
  }

  /** {@code System.currentTimeMillis} in Java's dates, clocks, timers and queues. */
  public static long currentTimeMillis() {
    return Scheduler.self() == null ? System.currentTimeMillis() : Scheduler.wall();
  }
}
