package droidtest.host.web;

import droidtest.host.Host;
import droidtest.sched.Apart;
import droidtest.sched.Scheduler;
import java.util.concurrent.Callable;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The main thread and an engine's thread, of which one works at a time: what a page does is in the same order in every
 * run. While the engine works, the main thread does only what the engine asks it for.
 */
public final class Turns {
  /** A deep recursion of a page's script needs more than the usual half megabyte. */
  private static final long STACK = 32L << 20;
  /** How long the main thread looks after an engine that was late already. */
  private static final long LATE_MS = 200;
  /** How long a thread waits for work: it holds what the app left in its thread locals. */
  private static final long REST_MS = 1000;
  /**
   * As engines work one after another, they share a thread; another one starts while a script stands still for a
   * dialog or does not end. An app may have hundreds of web views, and each thread reserves its stack.
   */
  private static final Executor THREADS =
      new ThreadPoolExecutor(
          0, Integer.MAX_VALUE, REST_MS, TimeUnit.MILLISECONDS, new SynchronousQueue<>(), EngineThread::new);
  /** Ends engines that do nothing, one after another: a process life may leave all of its own at once. */
  private static final Executor ENDS =
      new ThreadPoolExecutor(0, 1, REST_MS, TimeUnit.MILLISECONDS, new LinkedBlockingQueue<>(), EngineThread::new);

  /** The engine's work ends: its page is gone. */
  private static final class Gone extends Error {
    private static final long serialVersionUID = 1;
  }

  /** The engine's, which takes no turns with the app's threads: it has its with the main thread. */
  private static final class EngineThread extends Thread implements Apart {
    EngineThread(Runnable work) {
      super(null, work, "web engine", STACK);
      setDaemon(true);
    }
  }

  private final Object lock = new Object();
  private final Thread main = Thread.currentThread();
  private final Runnable last;
  private ClassLoader loader = main.getContextClassLoader();
  /** The one that works for the page now. */
  private Thread thread;
  private Callable<?> task;
  private Consumer<Object> then;
  private Consumer<Throwable> otherwise;
  private Object result;
  private Throwable failure;
  private boolean working;
  private Callable<?> question;
  private Object answer;
  private boolean answered;
  private boolean suspended;
  private boolean closed;
  private int depth;

  /** @param last runs on an engine's thread after all others */
  public Turns(Runnable last) {
    this.last = last;
  }

  /**
   * Lets the engine do something, and waits, this long in real time at most. What follows comes on the main thread,
   * at once or, where a script stands still for a dialog, later.
   *
   * @return false when the engine is not free
   */
  @SuppressWarnings("unchecked")
  public <T> boolean engine(long ms, Callable<T> theTask, Consumer<T> theThen, Consumer<Throwable> theOtherwise) {
    if (Thread.currentThread() != main || depth > 0 || busy()) {
      return false;
    }
    synchronized (lock) {
      if (closed) {
        return false;
      }
      then = (Consumer<Object>) theThen;
      otherwise = theOtherwise;
      task = theTask;
      working = true;
    }
    THREADS.execute(this::work);
    serve(ms);
    return true;
  }

  /** Whether the engine is at work still, or stands still for a dialog; a late one gets a little time to finish. */
  public boolean busy() {
    if (Thread.currentThread() == main && depth == 0) {
      serve(LATE_MS);
    }
    synchronized (lock) {
      return working;
    }
  }

  /** Whether the engine stands still until a dialog is answered. */
  public boolean suspended() {
    synchronized (lock) {
      return suspended;
    }
  }

  /** On the engine's thread: lets the main thread do something. */
  @SuppressWarnings("unchecked")
  public <T> T main(Callable<T> theQuestion) {
    synchronized (lock) {
      question = theQuestion;
      answered = false;
      lock.notifyAll();
      while (!answered) {
        pause();
      }
      return (T) answer;
    }
  }

  /** On the engine's thread: stands still until the reply is there, and leaves the main thread to the app. */
  public String await(Reply reply) {
    synchronized (lock) {
      suspended = !reply.there;
      lock.notifyAll();
      while (!reply.there) {
        pause();
      }
      suspended = false;
      return reply.text;
    }
  }

  /** What a user answers to a dialog, at some time. */
  public final class Reply {
    private boolean there;
    private String text;

    /** On the main thread. The first answer counts. */
    public void give(String answer) {
      boolean waits;
      synchronized (lock) {
        if (there) {
          return;
        }
        there = true;
        text = answer;
        waits = suspended;
        suspended = false;
        lock.notifyAll();
      }
      if (waits && depth == 0) {
        serve(5000);
      }
    }
  }

  private void pause() {
    if (closed) {
      throw new Gone();
    }
    try {
      lock.wait();
    } catch (InterruptedException e) {
      throw new Gone();
    }
  }

  private void work() {
    Thread here = Thread.currentThread();
    Callable<?> next;
    synchronized (lock) {
      here.setContextClassLoader(loader);
      next = closed ? null : task;
      task = null;
      thread = here;
    }
    Object done = null;
    Throwable error = null;
    boolean gone = next == null;
    try {
      done = gone ? null : next.call();
    } catch (Gone e) {
      gone = true;
    } catch (Throwable e) {
      error = e;
    }
    synchronized (lock) {
      thread = null;
      // Engines set their own, for all that runs in them.
      loader = here.getContextClassLoader();
      gone |= closed;
      if (!gone) {
        result = done;
        failure = error;
        working = false;
        lock.notifyAll();
      }
    }
    if (gone) {
      last.run();
    }
  }

  /** Answers the engine's questions until it is done. */
  private void serve(long ms) {
    long end = System.nanoTime() + ms * 1_000_000;
    while (true) {
      Callable<?> next;
      synchronized (lock) {
        Host.watchdog().rest(true);
        Scheduler.keep(true);
        try {
          while (working && question == null && !suspended && !closed) {
            long left = (end - System.nanoTime()) / 1_000_000;
            if (left <= 0) {
              return;
            }
            lock.wait(left);
          }
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          return;
        } finally {
          Scheduler.keep(false);
          Host.watchdog().rest(false);
        }
        if (question == null || closed) {
          break;
        }
        next = question;
        question = null;
      }
      long from = System.nanoTime();
      Object reply = ask(next);
      end += System.nanoTime() - from;
      synchronized (lock) {
        answer = reply;
        answered = true;
        lock.notifyAll();
      }
    }
    finish();
  }

  /** What the app throws is its crash; the page that it belongs to ends with it. */
  private Object ask(Callable<?> next) {
    depth++;
    try {
      return next.call();
    } catch (Throwable e) {
      close();
      throw Turns.<RuntimeException>as(e);
    } finally {
      depth--;
    }
  }

  @SuppressWarnings("unchecked")
  private static <T extends Throwable> RuntimeException as(Throwable error) throws T {
    throw (T) error;
  }

  private void finish() {
    Consumer<Object> next;
    Consumer<Throwable> failed;
    Object done;
    Throwable error;
    synchronized (lock) {
      if (working || then == null) {
        return;
      }
      next = then;
      failed = otherwise;
      done = result;
      error = failure;
      then = null;
      otherwise = null;
      result = null;
      failure = null;
    }
    if (error == null) {
      next.accept(done);
    } else {
      failed.accept(error);
    }
  }

  /** Ends the engine, now or when its script gives up. */
  public void close() {
    synchronized (lock) {
      if (closed) {
        return;
      }
      closed = true;
      lock.notifyAll();
      if (thread != null) {
        thread.interrupt();
      }
      if (working) {
        // The thread that works for it sees to the rest.
        return;
      }
    }
    ENDS.execute(this::work);
  }
}
