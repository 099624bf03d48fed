package droidtest.host.box;

import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.UUID;

/** Randomness that follows from the session's seed. */
public final class Chance {
  private static Random seeds = new Random(1);
  private static Random numbers = new Random(2);

  private Chance() {}

  /** Starts over, as each process life does. */
  public static synchronized void seed(long seed) {
    seeds = new Random(seed);
    numbers = new Random(seeds.nextLong());
  }

  /** The seed for a generator that the app did not seed. */
  public static synchronized long nextSeed() {
    return seeds.nextLong();
  }

  public static synchronized double random() {
    return numbers.nextDouble();
  }

  static synchronized long number() {
    return numbers.nextLong();
  }

  /** What a source of entropy gives. */
  public static synchronized void bytes(byte[] bytes) {
    numbers.nextBytes(bytes);
  }

  public static void shuffle(List<?> list) {
    Collections.shuffle(list, new Random(nextSeed()));
  }

  public static synchronized UUID uuid() {
    long high = numbers.nextLong() & ~0xf000L | 0x4000L;
    long low = numbers.nextLong() & 0x3fffffffffffffffL | 0x8000000000000000L;
    return new UUID(high, low);
  }
}
