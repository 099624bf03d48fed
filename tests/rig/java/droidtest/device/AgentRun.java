package droidtest.device;

import android.app.Activity;
import android.content.ComponentName;
import android.content.Context;
import android.os.Looper;
import android.view.accessibility.AccessibilityEvent;
import android.view.accessibility.AccessibilityManager;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.robolectric.Robolectric;
import org.robolectric.RobolectricTestRunner;
import org.robolectric.RuntimeEnvironment;
import org.robolectric.Shadows;
import org.robolectric.annotation.Config;
import org.robolectric.shadows.ShadowAccessibilityManager;
import org.robolectric.shadows.ShadowDisplay;

/**
 * The agent for devices, run for once: its own Java over a real screen of the framework's, served to the tool over a
 * port. The main thread is the app's; the agent has another one, as it has another process on a device.
 */
@RunWith(RobolectricTestRunner.class)
@Config(
    sdk = 34,
    qualifiers = "w411dp-h891dp-port-mdpi",
    shadows = {SystemSide.RealWindows.class, SystemSide.Injection.class, SystemSide.Tasks.class})
public final class AgentRun {
  @Test
  public void serve() throws Throwable {
    String token = System.getProperty("droidtest.token");
    String app = System.getProperty("droidtest.package");
    ShadowAccessibilityManager events =
        Shadows.shadowOf((AccessibilityManager) RuntimeEnvironment.getApplication().getSystemService(Context.ACCESSIBILITY_SERVICE));
    events.setEnabled(true);
    Activity activity = Robolectric.buildActivity(FormActivity.class).setup().get();
    SystemSide.show(activity.getWindow().getDecorView());
    SystemSide system = new SystemSide(new ComponentName(app, activity.getClass().getName()));
    system.install();
    Throwable[] failure = {null};
    ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    Thread agent =
        new Thread(
            () -> {
              try {
                Automation automation = Automation.connect();
                System.out.println("listening " + server.getLocalPort());
                System.out.flush();
                try (Socket socket = server.accept()) {
                  new Service(socket.getInputStream(), socket.getOutputStream(), automation, new Front(app, -1)).serve(token);
                } finally {
                  automation.disconnect();
                }
              } catch (Throwable thrown) {
                failure[0] = thrown;
              }
            },
            "agent");
    agent.start();
    int reported = 0;
    int turned = 0;
    while (agent.isAlive()) {
      // The framework's clock continues as ours does: views report changes by delayed messages.
      Shadows.shadowOf(Looper.getMainLooper()).idleFor(Duration.ofMillis(2));
      List<AccessibilityEvent> sent = events.getSentAccessibilityEvents();
      for (; reported < sent.size(); reported++) {
        system.tell(sent.get(reported));
      }
      // The screen turns when the box is ticked: a turn is the window manager's, not the agent's to do.
      android.widget.CheckBox box = activity.findViewById(android.R.id.checkbox);
      int wanted = box.isChecked() ? 1 : 0;
      if (wanted != turned) {
        turned = wanted;
        Shadows.shadowOf(ShadowDisplay.getDefaultDisplay()).setRotation(turned);
      }
      Thread.sleep(2);
    }
    if (failure[0] != null) {
      throw failure[0];
    }
  }
}
