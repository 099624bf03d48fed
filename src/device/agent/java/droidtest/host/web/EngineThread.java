package droidtest.host.web;

import droidtest.sched.Apart;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * A thread on which engines work. It takes no turns with the app's threads: an engine has its with the main thread. As they
 * work one at a time, the engines of a process life share its first thread, and another one starts while a script stands still
 * for a dialog or does not end: an app may have hundreds of web views, and each thread reserves its stack.
 */
final class EngineThread extends Thread implements Apart {
  /** A deep recursion of a page's script needs more than the usual half megabyte. */
  private static final long STACK = 32L << 20;

  /** Those of this process life: what the app leaves in their thread locals goes with it. */
  private static final List<EngineThread> ALL = new ArrayList<>();

  private final Deque<Runnable> work = new ArrayDeque<>();
  private boolean taken;
  private boolean ended;

  private EngineThread() {
    super(null, null, "web engine", STACK);
    setDaemon(true);
  }

  /** The first that no page works on; the page has it until {@link #free}. */
  static EngineThread take() {
    synchronized (ALL) {
      EngineThread first = first();
      first.taken = true;
      return first;
    }
  }

  /** Runs something on the first thread that no page works on, before what pages do there next. */
  static void later(Runnable task) {
    synchronized (ALL) {
      first().add(task);
    }
  }

  /** Lets the threads end when they have nothing more to do. */
  static void end() {
    synchronized (ALL) {
      for (EngineThread thread : ALL) {
        thread.add(null);
      }
      ALL.clear();
    }
  }

  private static EngineThread first() {
    for (EngineThread thread : ALL) {
      if (!thread.taken) {
        return thread;
      }
    }
    EngineThread more = new EngineThread();
    ALL.add(more);
    more.start();
    return more;
  }

  void free() {
    synchronized (ALL) {
      taken = false;
    }
  }

  /** Runs this after all that came before; null ends the thread then. */
  void add(Runnable task) {
    synchronized (work) {
      if (task == null) {
        ended = true;
      } else {
        work.add(task);
      }
      work.notifyAll();
    }
  }

  @Override
  public void run() {
    while (true) {
      Runnable next;
      synchronized (work) {
        while (work.isEmpty()) {
          if (ended) {
            return;
          }
          try {
            work.wait();
          } catch (InterruptedException e) {
            // It was meant for a page that is gone.
          }
        }
        next = work.remove();
      }
      try {
        next.run();
      } catch (Throwable e) {
        // An engine that fails to end: the other pages need the thread.
      }
    }
  }
}
