package droidtest.device;

import android.net.LocalServerSocket;
import android.net.LocalSocket;
import android.os.Looper;
import android.os.Process;

/**
 * The agent on a device, started as the shell user by {@code app_process}: reads all windows through the accessibility
 * service, injects input, and serves the tool over one socket until it disconnects.
 */
public final class Main {
  private Main() {}

  public static void main(String[] args) {
    try {
      String socket = option(args, "--socket");
      String token = option(args, "--token");
      String app = option(args, "--package");
      int user = Integer.parseInt(option(args, "--user", "-1"));
      // Before anything of the framework: its handlers belong to the main looper.
      Looper.prepareMainLooper();
      Automation automation = Automation.connect();
      LocalServerSocket server = new LocalServerSocket(socket);
      System.out.println("listening");
      System.out.flush();
      LocalSocket connection = server.accept();
      server.close();
      try {
        new Service(connection.getInputStream(), connection.getOutputStream(), automation, new Front(app, user)).serve(token);
      } finally {
        automation.disconnect();
        connection.close();
      }
      System.exit(0);
    } catch (Throwable failure) {
      failure.printStackTrace(System.out);
      System.out.flush();
      // Handler threads must not keep a failed agent alive: it holds the only UiAutomation.
      Process.killProcess(Process.myPid());
    }
  }

  private static String option(String[] args, String name) {
    String value = option(args, name, null);
    if (value == null) {
      throw new IllegalArgumentException(name + " is missing");
    }
    return value;
  }

  private static String option(String[] args, String name, String absent) {
    for (int i = 0; i + 1 < args.length; i += 2) {
      if (args[i].equals(name)) {
        return args[i + 1];
      }
    }
    return absent;
  }
}
