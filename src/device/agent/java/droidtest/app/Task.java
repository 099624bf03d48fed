package droidtest.app;

import java.util.ArrayList;
import java.util.List;

/** One stack of activities; the top one is last. */
final class Task {
  final int id;
  final String affinity;
  final List<Record> records = new ArrayList<>();

  Task(int id, String affinity) {
    this.id = id;
    this.affinity = affinity;
  }

  Record top() {
    for (int i = records.size() - 1; i >= 0; i--) {
      if (!records.get(i).finishing) {
        return records.get(i);
      }
    }
    return null;
  }

  Record root() {
    for (Record record : records) {
      if (!record.finishing) {
        return record;
      }
    }
    return null;
  }
}
