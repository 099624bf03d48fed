package droidtest.sched;

import java.util.ArrayList;
import java.util.List;

/** Members that wait, in the order in which they started to. The scheduler's lock guards it. */
final class Blocked {
  private final ArrayList<Member> members = new ArrayList<>();

  void add(Member member) {
    members.add(member);
  }

  void remove(Member member) {
    members.remove(member);
  }

  List<Member> all() {
    return List.copyOf(members);
  }

  /** When the first timed wait ends, in virtual nanoseconds; {@link Member#NEVER} where there is none. */
  long earliest() {
    long first = Member.NEVER;
    for (int i = 0; i < members.size(); i++) {
      first = Math.min(first, members.get(i).deadline);
    }
    return first;
  }

  /** Whose time came first of those whose time has come, or null. */
  Member due(long now) {
    Member first = null;
    for (int i = 0; i < members.size(); i++) {
      Member member = members.get(i);
      if (member.deadline <= now && (first == null || member.deadline < first.deadline)) {
        first = member;
      }
    }
    return first;
  }

  /** Who waits for this object longest, or null. */
  Member waitingFor(Object monitor) {
    for (int i = 0; i < members.size(); i++) {
      if (members.get(i).monitor == monitor) {
        return members.get(i);
      }
    }
    return null;
  }
}
