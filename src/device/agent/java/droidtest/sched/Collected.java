package droidtest.sched;

import java.util.ArrayList;
import java.util.List;

/**
 * What is done for objects that were collected (cleaners, finalizers): it comes when the collector finds them, which is
 * never twice the same, and must not mix with a step. It waits until the main thread waits for the tool.
 */
public final class Collected {
  /** A finalizer that takes longer runs beside the next step. */
  private static final long LIMIT_MS = 100;
  private static final Object GATE = new Object();
  private static final List<Thread> WORKERS = new ArrayList<>();
  private static volatile boolean open = true;

  private Collected() {}

  /** At the head of Java's methods that do it; threads that clean up by themselves go on. */
  public static void next() {
    Thread me = Thread.currentThread();
    String type = me.getClass().getName();
    if (!type.startsWith("java.lang.ref.") && !type.startsWith("jdk.internal.")) {
      return;
    }
    synchronized (GATE) {
      if (!WORKERS.contains(me)) {
        WORKERS.add(me);
      }
      while (!open) {
        try {
          GATE.wait();
        } catch (InterruptedException e) {
          return;
        }
      }
    }
  }

  /** The main thread waits for the tool. */
  public static void open() {
    synchronized (GATE) {
      open = true;
      GATE.notifyAll();
    }
  }

  /** The main thread goes on: first what is being done comes to its end. */
  public static void close() {
    synchronized (GATE) {
      open = false;
      long end = System.nanoTime() + LIMIT_MS * 1_000_000;
      for (Thread worker : List.copyOf(WORKERS)) {
        while (worker.getState() == Thread.State.RUNNABLE && System.nanoTime() < end) {
          try {
            // In real time: the workers take no turns.
            GATE.wait(1);
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return;
          }
        }
      }
    }
  }
}
