package droidtest.app;

import android.content.Intent;
import android.os.SystemClock;
import droidtest.gui.Frames;
import droidtest.gui.Page;
import droidtest.gui.Screen;
import droidtest.gui.WebFrame;
import droidtest.host.Host;
import droidtest.host.Json;
import droidtest.host.Main;
import droidtest.host.MissingNatives;
import droidtest.host.Options;
import droidtest.host.box.Chance;
import droidtest.host.box.Clock;
import droidtest.host.box.FileLocks;
import droidtest.host.box.Generators;
import droidtest.host.box.Paths;
import droidtest.host.box.Process;
import droidtest.host.box.ProcessExit;
import droidtest.host.box.Threads;
import droidtest.host.net.Replay;
import droidtest.sched.Collected;
import droidtest.sched.Hashes;
import droidtest.sched.Instability;
import droidtest.sched.Referents;
import droidtest.sched.Scheduler;
import droidtest.sched.Silence;
import java.io.EOFException;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import org.robolectric.shadows.ShadowProcess;

/** One process life of the app: from {@code start} to the next {@code start}, serving requests on the main thread. */
final class Life {
  /** Half seconds that a launch waits for the first page with anything to touch. */
  private static final int SPLASH_ROUNDS = 8;
  /** Virtual time for a start. */
  private static final long LAUNCH_MS = 1000;
  /** The number of the app's process. */
  private static final int PID = 4242;

  private final SystemServer system = SystemServer.renew();
  private final Page page = new Page();
  private final Places places = new Places();
  private final Screen screen = new Screen();
  private final Settle settle;
  private final VirtualTime time = new VirtualTime();
  private final Actions actions = new Actions(system, screen, page, this::settle);
  private volatile Crash crash;
  private boolean settled = true;

  Life() {
    settle = new Settle(new Frames(screen)::draw);
  }

  /** Gives the app's code its surroundings for this life. */
  private void surround() {
    Options options = Host.options();
    Paths.configure(options.device(), options.packageName(), options.appData(), options.sharedStorage());
    Json.show(Paths::shown);
    Collected.close();
    Chance.seed(options.seed());
    Generators.seed(options.seed());
    if (!options.networkOpen()) {
      Generators.secure();
    }
    Replay.begin();
    MissingNatives.forget();
    FileLocks.release();
    // The host's number is another in every run, and texts show it.
    ShadowProcess.setPid(PID);
    Clock.use(time);
    Referents.keep(true);
    Scheduler.begin(time);
    // Threads of the previous life may have run until now: their coverage is not this life's.
    Host.undoProbes();
    Thread.setDefaultUncaughtExceptionHandler(this::uncaught);
    Threads.reset(this::uncaught);
    Process.listen(
        new Process.Listener() {
          @Override
          public void exited(String how) {
            // The handler of a crash ends the process: that is not a separate exit.
            if (crash == null) {
              system.recorder.exit(how);
            }
          }

          @Override
          public void limit(String rule, String detail) {
            system.recorder.environment(rule, detail);
          }
        });
  }

  void run() throws IOException {
    Map<String, Object> request = Host.pending();
    Host.pend(null);
    Properties properties = (Properties) System.getProperties().clone();
    Set<ThreadLocal<?>> locals = ThreadLocals.present();
    surround();
    try {
      start(request);
      while (!Host.quitting() && Host.pending() == null) {
        Collected.open();
        Referents.tidy();
        Map<String, Object> next = Host.wire().receive();
        Collected.close();
        // Coverage by the app's finalizers depends on the garbage collector, not on a step.
        Host.undoProbes();
        serve(next);
      }
    } catch (EOFException e) {
      Host.quit();
    } catch (VirtualMachineError e) {
      Main.fatal(e, AppProcess.loader());
    } finally {
      Thread.setDefaultUncaughtExceptionHandler(null);
      Clock.use(null);
      Silence.end();
      Scheduler.end();
      Referents.keep(false);
      // Threads that run after the end of their process are ignored.
      Host.undoProbes();
      WebFrame.end();
      // What the app made of the properties ends with its process.
      System.setProperties(properties);
      Thread.currentThread().setContextClassLoader(Life.class.getClassLoader());
      SystemServer.end();
      ThreadLocals.keepOnly(locals);
    }
    Host.ended(true);
  }

  private void start(Map<String, Object> request) throws IOException {
    Object id = request.get("id");
    boolean returns = "restore".equals(request.get("how"));
    if (Boolean.TRUE.equals(request.get("forget"))) {
      Host.forgetProbes();
    }
    if (!returns) {
      Silence.choose(Boolean.TRUE.equals(request.get("unanswered")));
    }
    Silence.begin();
    if (Silence.chosen()) {
      system.recorder.environment(
          "network-unanswered",
          "the app ended at its start where it found no network: it runs on a network where nobody answers");
    }
    AppProcess.prepareFiles(!returns && !"relaunch".equals(request.get("how")));
    guarded(
        () -> {
          AppInstrumentation instrumentation = new AppInstrumentation(system);
          AppProcess.bind(instrumentation);
          if (returns && Survivors.restore(system)) {
            settle(LAUNCH_MS);
          } else {
            tapIcon((Map<?, ?>) request.get("extras"));
          }
          // A splash screen offers nothing; a person waits until it is gone.
          for (int i = 0; i < SPLASH_ROUNDS && alive() && !offers(); i++) {
            settle(500);
          }
          if (system.activities.lifecycle().empty()) {
            system.recorder.exit("finished");
          }
        });
    answer(id, true);
  }

  private void serve(Map<String, Object> request) throws IOException {
    Object id = request.get("id");
    String cmd = String.valueOf(request.get("cmd"));
    switch (cmd) {
      case "start":
        Host.pend(request);
        return;
      case "quit":
        Host.confirm(id);
        Host.quit();
        return;
      case "exec":
        Host.writeExec((String) request.get("path"));
        Host.confirm(id);
        return;
      case "observe":
        answer(id, Boolean.TRUE.equals(request.get("full")));
        return;
      case "services":
        StringBuilder out = new StringBuilder("{\"id\":").append(id).append(",\"services\":");
        Json.write(out, ServiceTable.rows());
        Host.wire().send(out.append('}'));
        return;
      case "natives":
        StringBuilder natives = new StringBuilder("{\"id\":").append(id).append(",\"natives\":");
        Json.write(natives, NativeTable.rows((List<?>) request.get("classes")));
        Host.wire().send(natives.append('}'));
        return;
      case "screenshot":
        capture(id, (String) request.get("path"));
        return;
      case "step":
        step(id, request);
        return;
      default:
        Host.refuse(id, "bad-request", "unknown cmd " + cmd);
    }
  }

  /** The app's code draws; what it throws into a picture that only we take is not its crash. */
  private void capture(Object id, String path) throws IOException {
    try {
      screen.capture(path);
    } catch (RuntimeException | LinkageError | StackOverflowError e) {
      Host.refuse(id, "no-picture", "the app fails to draw itself: " + e);
      return;
    }
    Host.confirm(id);
  }

  @SuppressWarnings("unchecked")
  private void step(Object id, Map<String, Object> request) throws IOException {
    if (!alive()) {
      Host.refuse(id, "not-alive", "the app has ended: start it again");
      return;
    }
    if (Faults.endsProcess(((Map<?, ?>) request.get("action")).get("name"))) {
      die(id, (Map<?, ?>) request.get("action"));
      return;
    }
    Object ms = request.get("settle_ms");
    String[] stale = {null};
    guarded(
        () -> {
          stale[0] = actions.perform((Map<String, Object>) request.get("action"));
          if (stale[0] == null) {
            settle(ms == null ? 300 : ((Number) ms).longValue());
            comeBack();
          }
        });
    if (stale[0] != null) {
      Host.refuse(id, stale[0].startsWith("bad") ? "bad-request" : "stale-widget", stale[0]);
      return;
    }
    answer(id, false);
  }

  /** The system ends the process in the background; the next life answers. */
  private void die(Object id, Map<?, ?> fault) throws IOException {
    guarded(
        () -> {
          system.activities.lifecycle().stopAll();
          Survivors.keep(system);
          Faults.beforeTheEnd(fault.get("name"));
        });
    if (alive()) {
      Host.pend(Map.of("id", id, "cmd", "start", "how", "restore"));
    } else {
      answer(id, false);
    }
  }

  private void tapIcon(Map<?, ?> extras) {
    Intent launcher = AppProcess.launcher();
    Extras.put(launcher, extras);
    system.activities.start(launcher, null, null, null, -1);
    settle(LAUNCH_MS);
  }

  /**
   * The last activity has gone and the user is at home; the process lives on, as on a device, and its icon is tapped
   * again. An app that shows nothing then has no activity that stays.
   */
  private void comeBack() {
    if (!alive() || !system.activities.lifecycle().empty()) {
      return;
    }
    system.recorder.finished();
    tapIcon(null);
    if (system.activities.lifecycle().empty()) {
      system.recorder.exit("finished");
    }
  }

  private interface Body {
    void run() throws Exception;
  }

  /** Runs app code: what it throws on the main thread is its crash. */
  private void guarded(Body body) {
    Host.watchdog().begin(AppProcess::loader);
    Hashes.next(Hashes.ROUND);
    time.beginStep();
    try {
      body.run();
    } catch (ProcessExit e) {
      system.recorder.exit(e.getMessage());
    } catch (StackOverflowError e) {
      crash("main", e);
    } catch (VirtualMachineError e) {
      Main.fatal(e, AppProcess.loader());
    } catch (Throwable e) {
      crash("main", e);
    } finally {
      Host.watchdog().end();
    }
  }

  private void uncaught(Thread thread, Throwable error) {
    if (!(error instanceof ThreadDeath)) {
      crash(thread.getName(), error);
    }
  }

  private void crash(String thread, Throwable error) {
    synchronized (this) {
      if (crash != null) {
        return;
      }
      crash = new Crash(thread, error, AppProcess.loader());
    }
    Thread.UncaughtExceptionHandler own = Threads.own();
    if (own != null) {
      try {
        // Crash reporters write down what they show at the next start.
        own.uncaughtException(Thread.currentThread(), crash.error());
      } catch (Throwable e) {
        // As on a device, exceptions of the handler are not reported.
        return;
      }
    }
  }

  private boolean offers() {
    page.read(screen);
    return page.offers();
  }

  private boolean alive() {
    return crash == null && system.recorder.exit() == null;
  }

  private void settle(long ms) {
    settled = settle.run(ms);
    screen.focus();
  }

  private void answer(Object id, boolean full) throws IOException {
    String unstable = Instability.reason();
    if (unstable != null) {
      system.recorder.environment("unstable", unstable + ": this session need not repeat with the same seed");
    }
    StringBuilder out = new StringBuilder(16_384);
    out.append("{\"id\":").append(id).append(",\"obs\":{");
    Observation.write(out, system, screen, page, places, crash, alive(), full);
    out.append(",\"virtual_ms\":").append(SystemClock.uptimeMillis());
    out.append(",\"blocked_ms\":").append(time.blocked());
    out.append(",\"anr\":");
    if (time.anrStack() == null) {
      out.append("null");
    } else {
      out.append("{\"ms\":").append(time.blocked()).append(",\"virtual\":true,\"stack\":");
      Json.text(out, time.anrStack());
      if (time.missing() != null) {
        out.append(",\"environment\":\"framework-stub\",\"detail\":");
        Json.text(out, time.missing() + " is never answered");
      }
      out.append('}');
    }
    out.append(",\"settled\":").append(settled).append("}}");
    Host.wire().send(out);
  }
}
