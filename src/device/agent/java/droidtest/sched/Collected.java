package droidtest.sched;

import java.util.ArrayList;
import java.util.List;

/**
 * What is done for objects that were collected (cleaners, finalizers): it comes when the collector finds them, which is
 * never twice the same, and must not mix with a step. It waits until the main thread waits for the tool.
 */
public final class Collected {
  /** A finalizer that takes longer runs next to the next step. */
  private static final long LIMIT_MS = 100;
  private static final Object GATE = new Object();
  private static final List<Worker> WORKERS = new ArrayList<>();
  private static boolean open = true;

  private Collected() {}

  private static final class Worker {
    final Thread thread;
    /** How many of the methods it is in: one object's end may bring another's. */
    int depth;
    /** It has work and may not start. */
    boolean waits;

    Worker(Thread thread) {
      this.thread = thread;
    }
  }

  /** Whether the calling thread is one of the collector's, not one that cleans up by itself: that is the common case. */
  private static boolean works() {
    String type = Thread.currentThread().getClass().getName();
    return type.startsWith("java.lang.ref.") || type.startsWith("jdk.internal.");
  }

  /** Under the gate's lock: the calling thread. */
  private static Worker worker() {
    Thread me = Thread.currentThread();
    for (Worker known : WORKERS) {
      if (known.thread == me) {
        return known;
      }
    }
    Worker fresh = new Worker(me);
    WORKERS.add(fresh);
    return fresh;
  }

  /** At the head of Java's methods that do it. */
  public static void begin() {
    if (!works()) {
      return;
    }
    synchronized (GATE) {
      Worker me = worker();
      if (me.depth++ > 0) {
        return;
      }
      me.waits = true;
      while (!open) {
        try {
          GATE.wait();
        } catch (InterruptedException e) {
          break;
        }
      }
      me.waits = false;
    }
  }

  /** At their ends. */
  public static void end() {
    if (!works()) {
      return;
    }
    synchronized (GATE) {
      Worker me = worker();
      me.depth = Math.max(0, me.depth - 1);
    }
  }

  /** The main thread waits for the tool. */
  public static void open() {
    // It waits in real time, and keeps its turn.
    Scheduler.keep(true);
    synchronized (GATE) {
      open = true;
      GATE.notifyAll();
    }
  }

  /** The main thread continues: first what there is to do is done. */
  public static void close() {
    synchronized (GATE) {
      long end = System.nanoTime() + LIMIT_MS * 1_000_000;
      while (busy() && System.nanoTime() < end) {
        try {
          // In real time: the workers take no turns.
          GATE.wait(1);
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          break;
        }
      }
      open = false;
    }
    Scheduler.keep(false);
  }

  private static boolean busy() {
    for (Worker worker : WORKERS) {
      if (open && worker.waits || worker.thread.getState() == Thread.State.RUNNABLE) {
        return true;
      }
    }
    return false;
  }
}
