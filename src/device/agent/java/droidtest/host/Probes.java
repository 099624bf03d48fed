package droidtest.host;

import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import org.jacoco.core.data.ExecutionData;
import org.jacoco.core.data.ExecutionDataWriter;
import org.jacoco.core.data.SessionInfo;

/**
 * The probe arrays of all app classes, by JaCoCo's class id. They live outside every app class loader: a class loaded
 * again by the next process life finds its old array, so coverage is the union over all lives.
 */
public final class Probes {
  private static final ConcurrentHashMap<Long, Entry> BY_ID = new ConcurrentHashMap<>();
  private static final List<Entry> ALL = new ArrayList<>();

  private Probes() {}

  private static final class Entry {
    final long id;
    final int index;
    final String name;
    final boolean[] probes;
    /** What has been reported already. */
    final boolean[] seen;

    Entry(long id, int index, String name, int count) {
      this.id = id;
      this.index = index;
      this.name = name;
      probes = new boolean[count];
      seen = new boolean[count];
    }
  }

  /** Called by instrumented classes when they are initialised. */
  public static boolean[] of(long id, String name, int count) {
    Entry entry = BY_ID.get(id);
    return (entry != null ? entry : add(id, name, count)).probes;
  }

  /** For probes that the app was built with; they are not read. */
  public static boolean[] ignored(long id, String name, int count) {
    return new boolean[count];
  }

  private static Entry add(long id, String name, int count) {
    synchronized (ALL) {
      Entry entry = BY_ID.get(id);
      if (entry == null) {
        entry = new Entry(id, ALL.size(), name, count);
        ALL.add(entry);
        BY_ID.put(id, entry);
      }
      return entry;
    }
  }

  /** Appends {@code "probes":[..],"classes":[..]}: what was hit since the last call. */
  static void report(StringBuilder out) {
    StringBuilder classes = new StringBuilder();
    out.append("\"probes\":[");
    boolean any = false;
    synchronized (ALL) {
      for (int i = 0; i < ALL.size(); i++) {
        Entry entry = ALL.get(i);
        int at = Arrays.mismatch(entry.probes, entry.seen);
        if (at < 0) {
          continue;
        }
        if (firstTime(entry.seen)) {
          classes.append(classes.length() == 0 ? "[" : ",[").append(entry.index).append(',');
          Json.text(classes, entry.name);
          classes.append(',').append(entry.probes.length).append(']');
        }
        out.append(any ? ",[" : "[").append(entry.index);
        any = true;
        for (; at < entry.seen.length; at++) {
          if (entry.probes[at] && !entry.seen[at]) {
            entry.seen[at] = true;
            out.append(',').append(at);
          }
        }
        out.append(']');
      }
    }
    out.append("],\"classes\":[").append(classes).append(']');
  }

  /** Takes back what was hit since the last report. */
  static void undo() {
    synchronized (ALL) {
      for (Entry entry : ALL) {
        System.arraycopy(entry.seen, 0, entry.probes, 0, entry.seen.length);
      }
    }
  }

  /** Forgets what was hit by all lives so far. */
  static void forget() {
    synchronized (ALL) {
      for (Entry entry : ALL) {
        Arrays.fill(entry.probes, false);
        Arrays.fill(entry.seen, false);
      }
    }
  }

  private static boolean firstTime(boolean[] seen) {
    for (boolean hit : seen) {
      if (hit) {
        return false;
      }
    }
    return true;
  }

  /** Writes JaCoCo's file format. */
  static void writeExec(OutputStream out) throws IOException {
    ExecutionDataWriter writer = new ExecutionDataWriter(out);
    long now = System.currentTimeMillis();
    writer.visitSessionInfo(new SessionInfo("droidtest", now, now));
    synchronized (ALL) {
      for (Entry entry : ALL) {
        ExecutionData data = new ExecutionData(entry.id, entry.name, entry.probes.clone());
        if (data.hasHits()) {
          writer.visitClassExecution(data);
        }
      }
    }
    writer.flush();
  }
}
