package droidtest.host;

import droidtest.host.box.CutSocket;
import droidtest.host.box.Chance;
import droidtest.host.box.Clock;
import droidtest.host.box.Generators;
import droidtest.host.net.Replay;
import droidtest.host.net.ReplaySocket;
import droidtest.sched.Disk;
import java.io.EOFException;
import java.io.IOException;
import java.util.Map;
import org.junit.runner.notification.Failure;
import org.junit.runner.notification.RunListener;
import org.junit.runner.notification.RunNotifier;

/** The device process: connects to the tool and runs one process life of the app after another. */
public final class Main {
  private Main() {}

  public static void main(String[] args) {
    try {
      Options options = Options.parse(args);
      Wire wire = options.inherited() ? Wire.inherited() : Wire.connect(options.port());
      if (options.leashed()) {
        leash();
      }
      if (options.networkOpen()) {
        LossyNetwork.install();
      } else if (options.replay() != null) {
        NoNetwork.install(ReplaySocket::new);
        Replay.install(options.replay());
      } else {
        NoNetwork.install(CutSocket::new);
      }
      Host.init(options, wire);
      HeapOwners.prepare();
      Clock.startAt(options.start());
      Disk.below(options.device(), options.appData(), options.sharedStorage());
      StringBuilder hello = new StringBuilder("{\"notice\":\"hello\",\"protocol\":1,\"token\":");
      Json.text(hello, options.token());
      hello.append(",\"sdk\":").append(options.sdk()).append(",\"pid\":").append(ProcessHandle.current().pid()).append('}');
      wire.send(hello);
      serve(wire);
      SandboxLoader.link();
    } catch (EOFException e) {
      Runtime.getRuntime().halt(0);
    } catch (Throwable e) {
      fatal(e);
    }
    Runtime.getRuntime().halt(0);
  }

  /** A tool that was killed closes our standard input; an app that spins forever must not outlive it. */
  private static void leash() {
    java.io.InputStream in = System.in;
    System.setIn(java.io.InputStream.nullInputStream());
    Thread thread =
        new Thread(
            () -> {
              try {
                while (in.read() >= 0) {}
              } catch (IOException e) {
                // As good as its end.
              }
              Runtime.getRuntime().halt(0);
            },
            "droidtest leash");
    thread.setDaemon(true);
    thread.start();
  }

  /** Between lives: only {@code start} and {@code quit} can be served; the runner's thread serves the rest. */
  private static void serve(Wire wire) throws Exception {
    while (!Host.quitting()) {
      if (Host.pending() == null) {
        Map<String, Object> request = wire.receive();
        if ("start".equals(request.get("cmd"))) {
          Host.pend(request);
        } else if ("quit".equals(request.get("cmd"))) {
          Host.confirm(request.get("id"));
          return;
        } else if ("exec".equals(request.get("cmd"))) {
          Host.writeExec((String) request.get("path"));
          Host.confirm(request.get("id"));
        } else {
          Host.refuse(request.get("id"), "not-alive", "the app is not started");
        }
        continue;
      }
      Map<String, Object> request = Host.pending();
      Throwable failure = live();
      if (Host.pending() == request) {
        // The life did not reach its request: the framework itself did not start.
        Host.pend(null);
        if (failure != null) {
          failure.printStackTrace();
        }
        Host.refuse(request.get("id"), "launch-failed", String.valueOf(failure));
      } else if (failure != null && Host.ended()) {
        // Only the teardown failed: the app has already ended.
        failure.printStackTrace();
      } else if (failure != null) {
        throw new IllegalStateException("the life ended in an error", failure);
      }
    }
  }

  private static Throwable live() throws Exception {
    Host.ended(false);
    Throwable[] failure = {null};
    RunNotifier notifier = new RunNotifier();
    notifier.addListener(
        new RunListener() {
          @Override
          public void testFailure(Failure result) {
            failure[0] = result.getException();
          }
        });
    // Random choices of the framework at its start are the same in every life, too.
    Chance.seed(Host.options().seed());
    Generators.seed(Host.options().seed());
    new DeviceRunner(Class.forName("droidtest.app.Session")).run(notifier);
    return failure[0];
  }

  private static void fatal(Throwable e) {
    fatal(e, null);
  }

  /**
   * Reports to the tool why this process ends, if possible.
   *
   * @param loader the app's, null if there is none yet
   */
  public static void fatal(Throwable e, AppClassLoader loader) {
    String owners = e instanceof OutOfMemoryError ? HeapOwners.describe(loader) : null;
    e.printStackTrace();
    try {
      StringBuilder out = new StringBuilder("{\"notice\":\"fatal\",\"text\":");
      java.io.StringWriter text = new java.io.StringWriter();
      e.printStackTrace(new java.io.PrintWriter(text));
      if (owners != null) {
        text.append(owners);
      }
      Json.text(out, text.toString());
      if (Host.wire() != null) {
        Host.wire().send(out.append('}'));
      }
    } catch (IOException gone) {
      // Nobody is left to tell.
    }
    Runtime.getRuntime().halt(70);
  }
}
