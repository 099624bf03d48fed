package droidtest.tool;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/** Work on many things at once, on as many threads as there are processors, at most four. */
final class Workers {
  /** The translator follows long methods by recursion. */
  private static final long STACK_BYTES = 64L << 20;
  private static final int MOST = 4;

  private Workers() {}

  /** Does {@code work} on each item; what one of them throws first ends it all and is thrown here. */
  static <T> void each(List<T> items, Consumer<T> work) {
    AtomicInteger next = new AtomicInteger();
    AtomicReference<Throwable> failure = new AtomicReference<>();
    List<Thread> threads = new ArrayList<>();
    for (int i = Math.min(MOST, Runtime.getRuntime().availableProcessors()); i > 0; i--) {
      Thread thread =
          new Thread(
              null,
              () -> {
                try {
                  for (int at = next.getAndIncrement(); at < items.size(); at = next.getAndIncrement()) {
                    work.accept(items.get(at));
                  }
                } catch (Throwable e) {
                  failure.compareAndSet(null, e);
                  next.set(items.size());
                }
              },
              "worker-" + i,
              STACK_BYTES);
      thread.setDaemon(true);
      threads.add(thread);
      thread.start();
    }
    for (Thread thread : threads) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
    Throwable thrown = failure.get();
    if (thrown instanceof Error) {
      throw (Error) thrown;
    }
    if (thrown != null) {
      throw (RuntimeException) thrown;
    }
  }
}
