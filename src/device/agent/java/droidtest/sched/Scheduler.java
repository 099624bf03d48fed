package droidtest.sched;

import java.util.ArrayDeque;
import java.util.List;

/**
 * Lets one thread of the app run at a time, in an order that follows from what they do alone. The app's main thread and
 * every thread that a managed thread starts are managed. One token goes round: a thread gives it up where it blocks,
 * yields or ends, and the next is whoever became ready first. Timed waits end on the virtual clock.
 *
 * <p>This package is on the boot class path: {@code LockSupport}, {@code Thread} and {@code java.util.concurrent} call
 * it ({@code droidtest.framework.Platform} puts the calls there), and so do the app and the framework.
 */
public final class Scheduler {
  /** Handovers between two looks of the main thread; more is a loop that never comes to rest. */
  private static final int HANDOVERS = 20_000;
  /** Guards all of the state; never held while anything but this package runs. */
  static final Object LOCK = new Object();

  private static final ArrayDeque<Member> READY = new ArrayDeque<>();
  /** Members that wait, in the order in which they started to. */
  private static final Blocked BLOCKED = new Blocked();
  private static Member holder;
  private static Member main;
  private static boolean draining;
  private static Time time;
  /** What the clock shows between lives: whatever waits for a time has waited long enough. */
  private static long late;
  /** The main thread waits for an engine of the device's own: it keeps the token. */
  private static volatile boolean kept;
  private static int left;
  /** The token was given back since nobody could take it, and the clock could not move. */
  private static boolean stalled;
  /** Grows with each handover: the attendant sees by it whether a thread keeps the token. */
  private static long handovers;

  private Scheduler() {}

  /** The caller, where it is managed; a new thread first waits for its turn. */
  static Member self() {
    Member me = Members.of(Thread.currentThread());
    if (me != null && !me.started) {
      me.begins();
      resume(me);
    }
    return me;
  }

  /** Waits for the token; who was interrupted meanwhile finds that out at its next wait. */
  static void resume(Member me) {
    me.await();
    boolean interrupted;
    synchronized (LOCK) {
      interrupted = me.interrupted;
      me.interrupted = false;
    }
    if (interrupted) {
      me.thread.interrupt();
    }
  }

  /** A process life starts on the calling thread, which becomes the main thread. */
  public static void begin(Time theTime) {
    Attendant.attend();
    Member me = new Member(Thread.currentThread());
    me.begins();
    synchronized (LOCK) {
      Members.put(me.thread, me);
      main = me;
      time = theTime;
      Instability.begin();
      ready(me);
    }
    resume(me);
    drain();
  }

  /**
   * The process life is over: whoever waits for a time waits no more, and who sleeps hears of it. On the main thread,
   * which continues when no other can run.
   */
  public static void end() {
    Member me = mine();
    if (me == null) {
      return;
    }
    synchronized (LOCK) {
      late = time.nanos() + 3_600_000_000_000L;
      time = null;
      for (Member member : BLOCKED.all()) {
        if (!member.parked && member.monitor == null) {
          member.over = true;
          ready(member);
        } else if (member.deadline != Member.NEVER) {
          ready(member);
        }
      }
    }
    others(me);
    synchronized (LOCK) {
      Members.put(me.thread, null);
      main = null;
      next();
    }
  }

  /** When the first timed wait of a managed thread ends, in virtual nanoseconds. */
  public static long due() {
    synchronized (LOCK) {
      return BLOCKED.earliest();
    }
  }

  /** Whether no other thread can run now. */
  public static boolean idle() {
    synchronized (LOCK) {
      return READY.isEmpty() && (time == null || BLOCKED.earliest() > time.nanos());
    }
  }

  /** On the main thread: lets all others run until none of them can. */
  public static void drain() {
    Member me = mine();
    if (me == null) {
      return;
    }
    synchronized (LOCK) {
      wake(time.nanos());
    }
    others(me);
  }

  /** The main thread with the token, or null if it is not the caller. */
  private static Member mine() {
    Member me;
    synchronized (LOCK) {
      me = main;
      if (me == null || me.thread != Thread.currentThread()) {
        return null;
      }
      if (me.state != Member.State.LOOSE) {
        return me;
      }
      ready(me);
    }
    resume(me);
    return me;
  }

  private static void others(Member me) {
    synchronized (LOCK) {
      if (READY.isEmpty()) {
        return;
      }
      draining = true;
      me.state = Member.State.READY;
      left = HANDOVERS;
      next();
    }
    resume(me);
    synchronized (LOCK) {
      draining = false;
    }
  }

  /** Under the lock: everyone whose time has come can run, in the order of their times. */
  private static void wake(long now) {
    for (Member first = BLOCKED.due(now); first != null; first = BLOCKED.due(now)) {
      ready(first);
    }
  }

  /** Under the lock: the member waits no more; it runs when its turn comes. */
  static void ready(Member member) {
    BLOCKED.remove(member);
    member.deadline = Member.NEVER;
    member.state = Member.State.READY;
    READY.add(member);
    if (holder == null) {
      next();
    }
  }

  /** Under the lock: the caller stops here until {@link #ready}. Gives back whether it has the token to pass on. */
  static boolean block(Member me, long nanos, Object monitor, boolean parked) {
    boolean holds = claim(me);
    me.state = Member.State.BLOCKED;
    me.monitor = monitor;
    me.parked = parked;
    me.deadline = nanos == Member.NEVER || time == null ? Member.NEVER : Member.wholeMs(time.nanos(), nanos);
    BLOCKED.add(me);
    return holds;
  }

  /** Under the lock: whether the member has the token. A loose one takes it where nobody has: the clock has to move on. */
  private static boolean claim(Member me) {
    if (holder == null) {
      holder = me;
    }
    return holder == me;
  }

  static void yield(Member me) {
    synchronized (LOCK) {
      if (holder != me || READY.isEmpty()) {
        return;
      }
      me.state = Member.State.READY;
      READY.add(me);
    }
    pass();
    resume(me);
  }

  /** The holder, who has said what it waits for, gives the token on; the clock moves on where no other process can. */
  static void pass() {
    while (true) {
      Time clock = time;
      long due;
      synchronized (LOCK) {
        READY.removeIf(Member::refused);
        due = BLOCKED.earliest();
        if (!READY.isEmpty() || draining || main == null || !main.waits() || due == Member.NEVER) {
          stalled = READY.isEmpty() && !draining;
          next();
          return;
        }
      }
      // The token stays with the caller until the clock has moved.
      boolean on = clock.block(due);
      synchronized (LOCK) {
        wake(clock.nanos());
        if (!on && READY.isEmpty()) {
          stalled = true;
          next();
          return;
        }
      }
    }
  }

  /**
   * Whether nothing that the scheduler knows will end the wait of the main thread. A thread that runs without the token, or
   * is not managed, may still do so: the attendant waits for a while.
   */
  static boolean stalled() {
    synchronized (LOCK) {
      return isStalled();
    }
  }

  private static boolean isStalled() {
    return stalled && holder == null && READY.isEmpty() && !kept && main != null && main.end == null
        && main.state == Member.State.BLOCKED && Instability.noStrays() && !Members.anyLoose();
  }

  /** The attendant has seen for long enough that the main thread waits for ever: the process is over. */
  static void giveUp(long since) {
    Time clock = time;
    if (clock == null) {
      return;
    }
    Error end = clock.unresponsive();
    synchronized (LOCK) {
      if (handovers == since && isStalled()) {
        main.end = end;
        ready(main);
      }
    }
  }

  /** Under the lock: the next gets the token, which is nobody's, or its holder's to give. */
  static void next() {
    Member next = draining && --left <= 0 ? null : READY.poll();
    if (next == null && draining) {
      if (left <= 0) {
        Instability.blame("threads that wake each other without end");
      }
      draining = false;
      next = main;
    }
    holder = next;
    if (next == null) {
      return;
    }
    handovers++;
    stalled = false;
    next.state = Member.State.RUNNING;
    next.grant();
    if (next.monitor != null) {
      // It is in a wait set, which only an interrupt ends without the object's monitor.
      next.thread.interrupt();
    }
  }

  /** A managed thread starts another. */
  static void starting(Thread thread) {
    if (thread instanceof Apart || thread.getClass().getName().startsWith("jdk.internal.")) {
      return;
    }
    synchronized (LOCK) {
      Member member = new Member(thread);
      Members.put(thread, member);
      ready(member);
    }
  }

  /** The calling thread ends. */
  static void ended(Member me) {
    boolean holds;
    synchronized (LOCK) {
      Members.put(me.thread, null);
      holds = claim(me);
      notifyAll(me.thread);
    }
    if (holds) {
      pass();
    }
  }

  /** Under the lock: all that wait for this object can run. Gives back whether there were any. */
  static boolean notifyAll(Object monitor) {
    boolean any = false;
    while (notify(monitor)) {
      any = true;
    }
    return any;
  }

  /** Under the lock: who waits for this object longest can run. */
  static boolean notify(Object monitor) {
    Member first = BLOCKED.waitingFor(monitor);
    if (first != null) {
      ready(first);
    }
    return first != null;
  }

  /** Nanoseconds on the device's clock. */
  public static long nanos() {
    Time clock = time;
    return clock == null ? late : clock.nanos();
  }

  /** Whether there is no process life; sure under the lock. */
  static boolean over() {
    return time == null;
  }

  static long wall() {
    Time clock = time;
    return clock == null ? System.currentTimeMillis() : clock.wall();
  }

  /** The main thread waits for an engine of the device's own, or continues: no other process has a turn meanwhile. */
  public static void keep(boolean does) {
    kept = does;
  }

  /** What the attendant looks at: the holder, where others may have to wait for it. */
  static Member holder() {
    synchronized (LOCK) {
      return holder != null && !(kept && holder == main) && (draining || !READY.isEmpty() || BLOCKED.earliest() != Member.NEVER)
          ? holder
          : null;
    }
  }

  static long handovers() {
    synchronized (LOCK) {
      return handovers;
    }
  }

  /**
   * The token is taken from a thread that does not give it up.
   *
   * @param since the handovers at which it was seen to have it
   * @param why what it does, or null if that reproduces in every run
   */
  static void loosen(Member member, long since, String why) {
    synchronized (LOCK) {
      if (handovers != since || holder != member || why != null && READY.isEmpty() && !draining) {
        return;
      }
      member.state = Member.State.LOOSE;
      if (why != null) {
        Instability.restless++;
        Instability.blame("thread " + member.thread.getName() + " " + why);
        if (++member.loosed > 1 && member != main) {
          // A loop of its own: it goes its way, and what it waits for is real.
          Members.put(member.thread, null);
          Instability.strays++;
        }
      }
    }
    // The attendant has no turn of its own: it passes on what the member holds.
    pass();
  }
}
