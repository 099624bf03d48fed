package droidtest.host.box;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The native code of trivial AndroidX libraries, in Java: {@code androidx.graphics.path} (what is used of it from API 34
 * on; the rest replaces the framework's path iterator on older versions) and the counter that DataStore shares
 * between processes. The translator gives the app's native methods of these names and shapes a body that calls here.
 */
public final class Natives {
  private static final Set<String> REPLACED = Set.of("androidx.graphics.path", "datastore_shared_counter");

  /** Skia halves a conic at most so many times. */
  private static final int MOST_HALVINGS = 5;

  private static final Map<Long, AtomicInteger> COUNTERS = new ConcurrentHashMap<>();
  private static final AtomicLong NEXT_ADDRESS = new AtomicLong(0x1000);

  private Natives() {}

  /** Whether this library needs no loading, since its native methods are written in Java here. */
  static boolean replaces(String library) {
    return REPLACED.contains(library);
  }

  /**
   * Quadratic curves close to a conic: a point to start with, then two points a curve.
   *
   * @param conic three points from {@code offset} on
   * @return how many curves there are, or would be where they do not fit
   */
  public static int internalConicToQuadratics(float[] conic, int offset, float[] quadratics, float weight, float tolerance) {
    int halvings = halvings(conic, offset, weight, tolerance);
    int count = 1 << halvings;
    if (2 + 4 * count > quadratics.length) {
      return count;
    }
    quadratics[0] = conic[offset];
    quadratics[1] = conic[offset + 1];
    float[] points = new float[6];
    System.arraycopy(conic, offset, points, 0, 6);
    halve(points, weight, halvings, quadratics, 2);
    return count;
  }

  private static int halvings(float[] p, int at, float weight, float tolerance) {
    if (tolerance <= 0) {
      return 0;
    }
    float a = weight - 1;
    float k = a / (4 * (2 + a));
    float x = k * (p[at] - 2 * p[at + 2] + p[at + 4]);
    float y = k * (p[at + 1] - 2 * p[at + 3] + p[at + 5]);
    float error = (float) Math.sqrt(x * x + y * y);
    int count = 0;
    while (count < MOST_HALVINGS && error > tolerance) {
      error *= 0.25f;
      count++;
    }
    return count;
  }

  /** @return where the next points go */
  private static int halve(float[] p, float weight, int halvings, float[] out, int at) {
    if (halvings == 0) {
      System.arraycopy(p, 2, out, at, 4);
      return at + 4;
    }
    float scale = 1 / (1 + weight);
    float half = (float) Math.sqrt(0.5f + weight * 0.5f);
    float[] first = new float[6];
    float[] second = new float[6];
    for (int axis = 0; axis < 2; axis++) {
      float pull = weight * p[2 + axis];
      float middle = (p[axis] + 2 * pull + p[4 + axis]) * scale * 0.5f;
      first[axis] = p[axis];
      first[2 + axis] = (p[axis] + pull) * scale;
      first[4 + axis] = middle;
      second[axis] = middle;
      second[2 + axis] = (pull + p[4 + axis]) * scale;
      second[4 + axis] = p[4 + axis];
    }
    return halve(second, half, halvings - 1, out, halve(first, half, halvings - 1, out, at));
  }

  /** The counter's file holds nothing next to the counter. */
  public static int nativeTruncateFile(int descriptor) {
    return 0;
  }

  /** One process has the device to itself, so the counter is shared within it. */
  public static long nativeCreateSharedCounter(int descriptor) {
    long address = NEXT_ADDRESS.getAndAdd(Integer.BYTES);
    COUNTERS.put(address, new AtomicInteger());
    return address;
  }

  public static int nativeGetCounterValue(long address) {
    return counter(address).get();
  }

  public static int nativeIncrementAndGetCounterValue(long address) {
    return counter(address).incrementAndGet();
  }

  private static AtomicInteger counter(long address) {
    return COUNTERS.computeIfAbsent(address, unknown -> new AtomicInteger());
  }
}
