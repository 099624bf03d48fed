package droidtest.host.box;

import droidtest.sched.Hashes;
import java.lang.reflect.Field;
import java.security.SecureRandomSpi;
import java.security.Security;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Java's sources of chance, which no bytecode of the app's leads to {@link Chance}: they follow from the seed too. */
public final class Generators {
  private Generators() {}

  /** Starts over; the caller becomes the first thread. */
  public static void seed(long seed) {
    try {
      // What a thread's generator starts with is taken from here at its first use.
      counter(ThreadLocalRandom.class, "seeder").set(mix(seed));
      counter(SplittableRandom.class, "defaultGen").set(mix(seed + 1));
      counter(java.util.Random.class, "seedUniquifier").set(mix(seed + 3));
      // The caller may have one already, which a life before has used.
      ThreadLocalRandom.current();
      Field own = Thread.class.getDeclaredField("threadLocalRandomSeed");
      own.setAccessible(true);
      own.setLong(Thread.currentThread(), mix(seed + 2));
    } catch (ReflectiveOperationException e) {
      // A Java that keeps them elsewhere keeps its own randomness.
      System.err.println("Java's generators are not seeded: " + e);
    }
    Hashes.next(Hashes.ROUND);
  }

  private static AtomicLong counter(Class<?> of, String name) throws ReflectiveOperationException {
    Field field = of.getDeclaredField(name);
    field.setAccessible(true);
    return (AtomicLong) field.get(null);
  }

  private static long mix(long value) {
    return new java.util.Random(value).nextLong();
  }

  /** Takes the place of the machine's sources of entropy; a network that is open keeps them for its keys. */
  public static void secure() {
    Security.removeProvider(Seeded.NAME);
    Security.insertProviderAt(new Seeded(), 1);
  }

  /** The provider that an app finds first when it names none. */
  private static final class Seeded extends java.security.Provider {
    private static final String NAME = "SeededRandom";
    private static final long serialVersionUID = 1;

    Seeded() {
      super(NAME, "1.0", "Entropy that follows from a seed");
      for (String algorithm : new String[] {"SHA1PRNG", "NativePRNG", "DRBG", "NativePRNGNonBlocking"}) {
        putService(
            new Service(this, "SecureRandom", algorithm, Bytes.class.getName(), null, null) {
              @Override
              public Object newInstance(Object parameter) {
                return new Bytes();
              }
            });
      }
    }
  }

  /** Bytes that follow from the session's seed. */
  private static final class Bytes extends SecureRandomSpi {
    private static final long serialVersionUID = 1;

    @Override
    protected void engineSetSeed(byte[] seed) {
      // As on Android, a seed adds to what is there and takes nothing away.
    }

    @Override
    protected void engineNextBytes(byte[] bytes) {
      Chance.bytes(bytes);
    }

    @Override
    protected byte[] engineGenerateSeed(int count) {
      byte[] bytes = new byte[count];
      Chance.bytes(bytes);
      return bytes;
    }
  }
}
