package droidtest.sched;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.lang.ref.Reference;
import java.lang.ref.SoftReference;
import java.lang.ref.WeakReference;
import java.util.Arrays;

/**
 * Keeps what the app refers to weakly until a fixed place. The collector runs at no fixed moment, and an app sees what it
 * removed: AndroidX calls each iterator that is still in a {@code WeakHashMap}, for one. So what a reference of the
 * app's was made for stays in reach, and every few steps the main thread lets go of it, collects, and keeps what is left.
 */
public final class Referents {
  /** A collection takes a quarter of a second; in between, pages that the app has left stay in memory. */
  private static final int STEPS = 128;
  /** Many more references than an app makes in so many steps. */
  private static final int MANY = 1 << 19;
  /** The share of the heap that has to stay free, in percent. */
  private static final long FREE = 20;
  /** Steps until a heap that a collection left full is looked at again: a collection of it takes a second. */
  private static final int FULL_STEPS = 16;
  private static final VarHandle REFERENT;
  /** What a collection has found and is not in its queues yet: in the JVM's list, or on its way. */
  private static final MethodHandle PENDING;
  private static final VarHandle ON_THE_WAY;
  private static final Object PENDING_LOCK;
  /** How long that may take. */
  private static final long LIMIT_MS = 2000;

  static {
    try {
      MethodHandles.Lookup references = MethodHandles.privateLookupIn(Reference.class, MethodHandles.lookup());
      REFERENT = references.findVarHandle(Reference.class, "referent", Object.class);
      PENDING = references.findStatic(Reference.class, "hasReferencePendingList", MethodType.methodType(boolean.class));
      ON_THE_WAY = references.findStaticVarHandle(Reference.class, "processPendingActive", boolean.class);
      PENDING_LOCK = references.findStaticVarHandle(Reference.class, "processPendingLock", Object.class).get();
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** A reference that was made, itself referred to weakly. */
  private static final class Made extends WeakReference<Reference<?>> {
    final boolean soft;

    Made(Reference<?> reference) {
      super(reference);
      soft = reference instanceof SoftReference;
    }
  }

  private static final Object LOCK = new Object();
  private static Made[] made = new Made[4096];
  /** What each was made for, or null while the collector may have it. */
  private static Object[] kept = new Object[4096];
  private static int count;
  private static int steps;
  private static int untilLook;
  private static volatile boolean keeps;

  private Referents() {}

  /** At the end of {@code Reference}'s constructor. */
  public static void made(Reference<?> reference, Object referent) {
    if (!keeps || referent == null || reference instanceof Made
        || !(reference instanceof WeakReference || reference instanceof SoftReference)
        || Members.of(Thread.currentThread()) == null) {
      return;
    }
    Made entry = new Made(reference);
    synchronized (LOCK) {
      if (count == made.length) {
        made = Arrays.copyOf(made, 2 * count);
        kept = Arrays.copyOf(kept, 2 * count);
      }
      made[count] = entry;
      kept[count++] = referent;
    }
  }

  /** A process life starts, or is over. */
  public static void keep(boolean does) {
    synchronized (LOCK) {
      keeps = does;
      untilLook = 0;
      count = 0;
      made = new Made[4096];
      kept = new Object[4096];
    }
  }

  /** On the main thread after each step; collects every few of them. */
  public static void tidy() {
    untilLook = Math.max(0, untilLook - 1);
    boolean full = untilLook == 0 && full();
    if (full) {
      // How much garbage there is differs from run to run; what is in use does not.
      System.gc();
      full = full();
    }
    if (++steps < STEPS && count < MANY && !full) {
      return;
    }
    steps = 0;
    synchronized (LOCK) {
      for (int i = 0; i < count; i++) {
        if (full || !made[i].soft) {
          kept[i] = null;
        }
      }
    }
    System.gc();
    queued();
    untilLook = full && full() ? FULL_STEPS : 0;
    synchronized (LOCK) {
      int left = 0;
      for (int i = 0; i < count; i++) {
        Reference<?> reference = made[i].get();
        Object referent = reference == null ? null : REFERENT.get(reference);
        if (referent != null) {
          made[left] = made[i];
          kept[left++] = referent;
        }
      }
      Arrays.fill(made, left, count, null);
      Arrays.fill(kept, left, count, null);
      count = left;
    }
  }

  private static boolean full() {
    Runtime java = Runtime.getRuntime();
    return java.maxMemory() - java.totalMemory() + java.freeMemory() < java.maxMemory() / 100 * FREE;
  }

  /** In real time: a wait of Java's would move the virtual clock. */
  private static void queued() {
    long end = System.nanoTime() + LIMIT_MS * 1_000_000;
    synchronized (LOCK) {
      try {
        while (pending() && System.nanoTime() < end) {
          LOCK.wait(1);
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static boolean pending() {
    synchronized (PENDING_LOCK) {
      try {
        return (boolean) PENDING.invokeExact() || (boolean) ON_THE_WAY.getVolatile();
      } catch (Throwable e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
