package droidtest.app;

import android.content.Intent;
import droidtest.host.Json;
import droidtest.host.Scrub;
import droidtest.host.box.Traces;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Collects the parts of the next observation besides the page. */
final class Recorder {
  /** The most entries of each kind in one observation; what comes after them is left out. */
  private static final int LIMIT = 500;
  /** The same for toasts; Android 14 itself keeps five of an app waiting. */
  private static final int TOASTS = 50;

  private final List<Object> log = new ArrayList<>();
  private final List<String> visited = new ArrayList<>();
  private final List<Object> left = new ArrayList<>();
  private final List<String> toasts = new ArrayList<>();
  private final Map<String, String> environment = new LinkedHashMap<>();
  private final Set<String> toldRules = new LinkedHashSet<>();
  private String exit;
  private boolean finished;

  /** The stack trace of the throwable is an entry of its own, since entries are cut. */
  synchronized void log(int priority, String tag, String message, Throwable error) {
    // Android's log takes a line without a tag, and a throwable without a message.
    if (error == null || message != null) {
      add(priority, tag, message == null ? "" : message);
    }
    if (error != null) {
      add(priority, tag, Traces.getStackTraceString(error));
    }
  }

  private void add(int priority, String tag, String text) {
    if (log.size() < LIMIT) {
      log.add(List.of(priority, tag == null ? "" : tag, Scrub.text(text)));
    }
  }

  synchronized void visited(String activity) {
    if (visited.size() < LIMIT) {
      visited.add(activity);
    }
  }

  synchronized void toast(CharSequence text) {
    if (toasts.size() < TOASTS) {
      toasts.add(String.valueOf(text));
    }
  }

  /** Something would have left the app; true if it is the first since the last observation. */
  synchronized boolean left(Intent intent, String kind, boolean forResult) {
    boolean first = left.isEmpty();
    if (left.size() >= LIMIT) {
      return first;
    }
    Map<String, Object> entry = new LinkedHashMap<>();
    entry.put("action", intent.getAction());
    entry.put("data", intent.getDataString());
    entry.put("component", intent.getComponent() == null ? null : intent.getComponent().flattenToString());
    entry.put("for_result", forResult);
    entry.put("kind", kind);
    left.add(entry);
    return first;
  }

  /** A limit of the environment was hit; each is reported once per process. */
  synchronized void environment(String rule, String detail) {
    if (toldRules.size() < LIMIT && toldRules.add(rule + detail)) {
      environment.put(detail, rule);
    }
  }

  synchronized void exit(String how) {
    if (exit == null) {
      exit = how;
    }
  }

  /** The last activity has gone; the process lives on. */
  synchronized void finished() {
    finished = true;
  }

  synchronized String exit() {
    return exit;
  }

  /** Appends the fields and forgets them. */
  synchronized void drain(StringBuilder out) {
    field(out, "log", log);
    field(out, "visited", visited);
    field(out, "left", left);
    field(out, "toasts", toasts);
    List<Object> env = new ArrayList<>();
    for (Map.Entry<String, String> entry : environment.entrySet()) {
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("rule", entry.getValue());
      one.put("detail", entry.getKey());
      env.add(one);
    }
    environment.clear();
    field(out, "env", env);
    out.append(",\"exit\":");
    Json.write(out, exit == null && finished ? "finished" : exit);
    finished = false;
  }

  private static void field(StringBuilder out, String name, List<?> list) {
    out.append(",\"").append(name).append("\":");
    Json.write(out, list);
    list.clear();
  }
}
