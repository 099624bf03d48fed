package droidtest.sched;

/**
 * Identity hashes come in rounds. The JVM counts them (a flag), and Java draws some for its caches, at moments that
 * depend on the collector. Whatever continues to the next round makes what was not done twice alike before take no part in
 * what follows.
 */
public final class Hashes {
  /** Where much happens: a step, a step of an activity's lifecycle. */
  public static final int ROUND = 1 << 12;
  /** Where it happens often: a message of the main looper, a thread's turn. */
  public static final int SHORT = 1 << 8;

  private Hashes() {}

  /** @param round a power of two, the next multiple of which is the next hash's */
  public static void next(int round) {
    int last = System.identityHashCode(new Object());
    for (int i = 0; i < 2 * round && last % round != 0; i++) {
      int next = System.identityHashCode(new Object());
      if (i < 3 && (next < last || next - last > ROUND)) {
        // A JVM that does not count them.
        return;
      }
      last = next;
    }
  }
}
