package droidtest.host.box;

import droidtest.host.Host;
import droidtest.host.net.Replay;
import droidtest.sched.Silence;
import java.io.IOException;
import java.net.UnknownHostException;
import java.net.InetAddress;
import java.util.List;

/** What an app could do to its process, and to others, if it were one of the machine. */
public final class Process {
  /** Hears what the app tried. */
  public interface Listener {
    void exited(String how);

    void limit(String rule, String detail);
  }

  /** How a process ended that the system has ended, since its main thread was blocked. */
  private static final String NOT_RESPONDING = "not-responding";

  private static volatile Listener listener;
  private static volatile Runnable network = () -> {};

  private Process() {}

  public static void listen(Listener theListener) {
    listener = theListener;
  }

  /** @param check throws where the thread that asks must not use the network */
  public static void onNetwork(Runnable check) {
    network = check;
  }

  /** Called before the network is used. */
  public static void network() {
    network.run();
  }

  /** The app has reached a limit of the device. */
  public static void limit(String rule, String detail) {
    Listener now = listener;
    if (now != null) {
      now.limit(rule, detail);
    }
  }

  public static void exit(int code) {
    end("System.exit(" + code + ")");
  }

  public static void exit(Runtime runtime, int code) {
    exit(code);
  }

  /** An app may kill its process only. */
  public static void kill(int pid) {
    end("Process.killProcess");
  }

  private static void end(String how) {
    throw ended(how);
  }

  /** The system ends the app since its main thread does not respond. */
  public static ProcessExit unresponsive() {
    return ended(NOT_RESPONDING);
  }

  private static ProcessExit ended(String how) {
    Listener now = listener;
    if (now != null) {
      now.exited(how);
    }
    return new ProcessExit(how);
  }

  public static java.lang.Process exec(Runtime runtime, String command) throws IOException {
    return refuse(command);
  }

  public static java.lang.Process exec(Runtime runtime, String[] command) throws IOException {
    return refuse(command.length == 0 ? "" : command[0]);
  }

  public static java.lang.Process exec(Runtime runtime, String command, String[] environment) throws IOException {
    return refuse(command);
  }

  public static java.lang.Process exec(Runtime runtime, String[] command, String[] environment) throws IOException {
    return exec(runtime, command);
  }

  public static java.lang.Process exec(Runtime runtime, String command, String[] environment, java.io.File folder)
      throws IOException {
    return refuse(command);
  }

  public static java.lang.Process exec(Runtime runtime, String[] command, String[] environment, java.io.File folder)
      throws IOException {
    return exec(runtime, command);
  }

  public static java.lang.Process start(ProcessBuilder builder) throws IOException {
    List<String> command = builder.command();
    return refuse(command.isEmpty() ? "" : command.get(0));
  }

  private static java.lang.Process refuse(String command) throws IOException {
    String program = command.trim().split("\\s+")[0];
    limit("child-process", program);
    throw new IOException("Cannot run program \"" + program + "\": error=13, Permission denied");
  }

  /** What an app takes for the system's loader knows the app's classes too. */
  public static ClassLoader classLoader() {
    ClassLoader loader = Thread.currentThread().getContextClassLoader();
    return loader != null ? loader : Process.class.getClassLoader();
  }

  public static void loadLibrary(String name) {
    if (Natives.replaces(name)) {
      return;
    }
    missing("lib" + name + ".so");
  }

  public static void load(String path) {
    missing(path.substring(path.lastIndexOf('/') + 1));
  }

  public static void loadLibrary(Runtime runtime, String name) {
    loadLibrary(name);
  }

  public static void load(Runtime runtime, String path) {
    load(path);
  }

  /** The error where a method that loads a library is called by reflection or a handle. */
  static UnsatisfiedLinkError noLibrary() {
    limit("native-library", "a library that is loaded by reflection");
    return new UnsatisfiedLinkError("dalvik.system.PathClassLoader couldn't find the library");
  }

  private static void missing(String file) {
    limit("native-library", file);
    throw new UnsatisfiedLinkError("dalvik.system.PathClassLoader couldn't find \"" + file + "\"");
  }

  public static InetAddress resolve(String host) throws UnknownHostException {
    return resolveAll(host)[0];
  }

  public static InetAddress[] resolveAll(String host) throws UnknownHostException {
    boolean literal = host == null || host.isEmpty() || host.matches("[0-9.]+|.*:.*") || host.equals("localhost");
    if (!literal) {
      network();
    }
    if (Host.options().networkOpen() && !Online.lost()) {
      return InetAddress.getAllByName(host);
    }
    if (Replay.on() && !(literal && Online.lost()) && (!literal || Replay.knows(host))) {
      return Replay.resolve(host);
    }
    if (literal) {
      return InetAddress.getAllByName(host == null || host.equals("localhost") ? "127.0.0.1" : host);
    }
    Silence.lookUp(host);
    throw new UnknownHostException("Unable to resolve host \"" + host + "\": No address associated with hostname");
  }

  /** NIO's channels do not go through the sockets of a device with a network. */
  static void channel() {
    if (Online.connected()) {
      limit("network-channels", "the app uses a channel of java.nio (Ktor's CIO engine, Netty), and the device connects java.net.Socket only");
    }
  }

  /** Whether {@link #noChannel} made this: on a phone without a network the call succeeds, so the app is not to blame. */
  public static boolean isWithoutChannel(Throwable error) {
    StackTraceElement[] stack = error.getStackTrace();
    return stack.length > 0 && stack[0].getClassName().equals(Process.class.getName()) && stack[0].getMethodName().equals("noChannel");
  }

  public static IOException noChannel() {
    limit("network-channels", "the app opens a channel of java.nio that is no SocketChannel, which the device does not have");
    return new java.net.SocketException("socket failed: EACCES (Permission denied)");
  }
}
