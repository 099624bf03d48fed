package droidtest.host;

import java.io.IOException;
import java.util.Map;

/**
 * What both sides of the sandbox share: this package is loaded once, by the JVM's loader, and is never instrumented,
 * while {@code droidtest.app} and {@code droidtest.gui} live inside Robolectric's sandbox with the framework.
 */
public final class Host {
  private static volatile boolean ended;
  private static Options options;
  private static Wire wire;
  private static Watchdog watchdog;
  private static Map<String, Object> pending;
  private static boolean quit;

  private Host() {}

  static void init(Options theOptions, Wire theWire) {
    options = theOptions;
    wire = theWire;
    watchdog = new Watchdog(theWire);
  }

  public static Options options() {
    return options;
  }

  public static Wire wire() {
    return wire;
  }

  public static Watchdog watchdog() {
    return watchdog;
  }

  /** The {@code start} request that the next life has to answer. */
  public static Map<String, Object> pending() {
    return pending;
  }

  public static void pend(Map<String, Object> request) {
    pending = request;
  }

  /** The tool is done, or gone. */
  public static void quit() {
    quit = true;
  }

  /** Whether a process life has ended, so that failures now belong to its teardown. */
  static boolean ended() {
    return ended;
  }

  public static void ended(boolean whether) {
    ended = whether;
  }

  public static boolean quitting() {
    return quit;
  }

  /** Answers a request that cannot be performed. */
  public static void refuse(Object id, String code, String message) throws IOException {
    StringBuilder out = new StringBuilder("{\"id\":").append(id).append(",\"error\":{\"code\":\"").append(code);
    out.append("\",\"message\":");
    Json.text(out, message);
    wire.send(out.append("}}"));
  }

  public static void confirm(Object id) throws IOException {
    wire.send("{\"id\":" + id + ",\"ok\":true}");
  }

  /** Appends the newly hit probes to an observation. */
  public static void reportProbes(StringBuilder out) {
    Probes.report(out);
  }

  /** Forgets the probes that were hit since the last observation. */
  public static void undoProbes() {
    Probes.undo();
  }

  /** Forgets all probes that were hit. */
  public static void forgetProbes() {
    Probes.forget();
  }

  /** Writes JaCoCo's file with what all lives of this process hit. */
  public static void writeExec(String path) throws IOException {
    try (java.io.OutputStream out = new java.io.BufferedOutputStream(new java.io.FileOutputStream(path))) {
      Probes.writeExec(out);
    }
  }
}
