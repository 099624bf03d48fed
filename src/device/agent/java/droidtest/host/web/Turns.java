package droidtest.host.web;

import droidtest.host.Host;
import droidtest.sched.Scheduler;
import java.util.concurrent.Callable;
import java.util.function.Consumer;

/**
 * The main thread and an engine's thread, of which one works at a time: what a page does is in the same order in every
 * run. While the engine works, the main thread does only what the engine asks it for.
 */
public final class Turns {
  /** How long the main thread looks after an engine that was late already. */
  private static final long LATE_MS = 200;

  /** The engine's work ends: its page is gone. */
  private static final class Gone extends Error {
    private static final long serialVersionUID = 1;
  }

  private final Object lock = new Object();
  private final Thread main = Thread.currentThread();
  private final Runnable last;
  private ClassLoader loader = main.getContextClassLoader();
  /** The one that works for the page now. */
  private EngineThread thread;
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

  /** @param last runs on an engine's thread when it has done all others */
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
    EngineThread worker = EngineThread.take();
    worker.add(() -> work(worker));
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

  private void work(EngineThread here) {
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
      // An interruption was the page's, not the next one's.
      Thread.interrupted();
      // Engines set their own, for all that runs in them.
      loader = here.getContextClassLoader();
      gone |= closed;
      // The main thread finds it free when it goes on.
      here.free();
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
    EngineThread.later(
        () -> {
          Thread.currentThread().setContextClassLoader(loader);
          last.run();
        });
  }

  /** Ends the threads of a process life, after the engines that are closed. */
  public static void end() {
    EngineThread.end();
  }
}
