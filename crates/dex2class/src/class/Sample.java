import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Compiled by the tests of the reader: most kinds of instructions, frames and tables. */
public class Sample<T extends Comparable<T>> implements Runnable {
  private static final long LARGE = 0x123456789abcL;
  private final List<T> items = new ArrayList<>();
  private volatile int state;

  enum Color {
    RED,
    GREEN
  }

  record Pair(int first, double second) {}

  public synchronized void run() {
    for (int i = 0; i < 1000; i++) {
      state += i;
    }
  }

  T largest(List<? extends T> more, boolean strict) throws Exception {
    T best = null;
    List<T> all = new ArrayList<>(items);
    all.addAll(more);
    try {
      for (T each : all) {
        if (best == null || each.compareTo(best) > 0) {
          best = each;
        }
      }
      if (strict && best == null) {
        throw new IllegalStateException("nothing in " + all + ", " + state);
      }
    } catch (ClassCastException | ArithmeticException e) {
      state = -1;
    } finally {
      synchronized (this) {
        state++;
      }
    }
    return best;
  }

  static int sizes(Color color, String text, int number) {
    int[][][] cube = new int[2][3][];
    long[] longs = {LARGE, 1L, Long.MIN_VALUE};
    switch (number) {
      case 1:
      case 2:
        return cube[1].length;
      case 3:
        return (int) (longs[0] % 7);
      case 1_000_000:
        return 40_000;
      default:
        break;
    }
    switch (text) {
      case "one":
        return 1;
      case "two":
        return (short) text.length();
      default:
        Supplier<Pair> pair = () -> new Pair(number > 0 ? 1 : 2, 2.5);
        Object made = new Pair(color == Color.RED ? pair.get().first() : 4, Math.sqrt(number) + 1.5f);
        return made instanceof Pair other && other.second() > 3 ? 5 : made.hashCode();
    }
  }
}
