package droidtest.sched;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/** The managed threads by their number: a map would ask a thread for its hash, and an app can override the number's getter. */
final class Members {
  private static final VarHandle NUMBER;

  static {
    try {
      NUMBER = MethodHandles.privateLookupIn(Thread.class, MethodHandles.lookup()).findVarHandle(Thread.class, "tid", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private static volatile Member[] all = new Member[256];

  private Members() {}

  private static int number(Thread thread) {
    return (int) (long) NUMBER.get(thread);
  }

  /** The member that this thread is, or null. */
  static Member of(Thread thread) {
    Member[] now = all;
    int number = number(thread);
    return number < now.length ? now[number] : null;
  }

  /** Under the scheduler's lock: whether one may run without the token. */
  static boolean anyLoose() {
    for (Member member : all) {
      if (member != null && member.state == Member.State.LOOSE) {
        return true;
      }
    }
    return false;
  }

  /** Under the scheduler's lock. */
  static void put(Thread thread, Member member) {
    int number = number(thread);
    if (number < all.length) {
      all[number] = member;
    } else {
      Member[] more = Arrays.copyOf(all, Math.max(number + 1, 2 * all.length));
      more[number] = member;
      all = more;
    }
  }
}
