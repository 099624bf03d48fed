package droidtest.app;

import droidtest.gui.Page;
import droidtest.gui.Screen;
import droidtest.host.Host;
import droidtest.host.Json;
import java.util.Map;
import org.robolectric.shadows.ShadowContentResolver;
import org.robolectric.shadows.ShadowLog;

/** Writes what the tool gets to see after a step. */
final class Observation {
  private static final ShadowContentResolver NOTIFIED = new ShadowContentResolver();
  /**
   * Tags and beginnings of messages that an app's process does not log on Android. There the canvas is of hardware, the
   * system delivers broadcasts itself and parses packages in its own process, and traces are not checked.
   */
  private static final Map<String, String> NOT_OF_APPS =
      Map.of(
          "RippleDrawable", "The RippleDrawable.STYLE_PATTERNED animation is not supported",
          "LoadedApk", "performReceive() called targeting raw IIntentReceiver",
          "PackageParser", "",
          "ShadowTrace", "");

  private Observation() {}

  static void write(
      StringBuilder out,
      SystemServer system,
      Screen screen,
      Page page,
      Places places,
      Crash crash,
      boolean alive,
      boolean full) {
    out.append("\"alive\":").append(alive).append(",\"activity\":");
    Record front = system.activities.lifecycle().resumed();
    if (front == null) {
      front = system.outside.asking();
    }
    Json.write(out, front == null ? null : front.component().getClassName());
    out.append(",\"place\":");
    boolean changed = alive && page.read(screen);
    Json.write(out, alive ? places.of(system.activities.lifecycle().resumed()) : null);
    out.append(",\"pane\":");
    Json.write(out, !alive ? null : page.pane() != null ? page.pane() : places.pane());
    out.append(",\"rotation\":").append(screen.rotation());
    out.append(",\"screen\":[").append(screen.width()).append(',').append(screen.height()).append(']');
    if (!alive || changed || full) {
      out.append(",\"unchanged\":false,\"page\":[");
      out.append(alive ? page.json() : "").append(']');
    } else {
      out.append(",\"unchanged\":true");
    }
    out.append(",\"redrawn\":").append(alive && page.redrawn()).append(",\"crash\":");
    if (crash == null) {
      out.append("null");
    } else {
      crash.write(out);
    }
    out.append(',');
    Host.reportProbes(out);
    logs(system);
    system.recorder.drain(out);
    out.append(",\"listens\":{\"receivers\":");
    Json.write(out, system.broadcasts.actions());
    Senses.write(out);
    out.append('}');
  }

  private static void logs(SystemServer system) {
    for (ShadowLog.LogItem item : ShadowLog.getLogs()) {
      String prefix = NOT_OF_APPS.get(item.tag == null ? "" : item.tag);
      if (prefix == null || item.msg == null || !item.msg.startsWith(prefix)) {
        system.recorder.log(item.type, item.tag, item.msg, item.throwable);
      }
    }
    ShadowLog.clear();
    // Otherwise it is kept forever, together with the observer that must not be notified.
    NOTIFIED.getNotifiedUris().clear();
  }
}
