package droidtest.device;

import android.accessibilityservice.AccessibilityServiceInfo;
import android.app.UiAutomation;
import android.graphics.Rect;
import android.os.HandlerThread;
import android.view.InputEvent;
import android.view.accessibility.AccessibilityEvent;
import android.view.accessibility.AccessibilityWindowInfo;
import java.util.ArrayList;
import java.util.List;

/** The accessibility service's client: windows, events, injection. Android has one at a time. */
final class Automation {
  /** {@code UiAutomation.FLAG_DONT_SUPPRESS_ACCESSIBILITY_SERVICES}. */
  private static final int KEEP_OTHER_SERVICES = 1;
  /** How long the screen must have been quiet to be at rest. */
  private static final long QUIET_MS = 80;

  private final UiAutomation automation;
  private final List<String> toasts = new ArrayList<>();
  private volatile long lastChange;
  private volatile String lastWindowClass = "";

  private Automation(UiAutomation automation) {
    this.automation = automation;
  }

  static Automation connect() throws ReflectiveOperationException {
    HandlerThread thread = new HandlerThread("droidtest-accessibility");
    thread.start();
    Object connection = Hidden.CONNECTION.make();
    UiAutomation automation = (UiAutomation) Hidden.AUTOMATION.make(thread.getLooper(), connection);
    try {
      Hidden.CONNECT_FLAGS.call(automation, KEEP_OTHER_SERVICES);
    } catch (NoSuchMethodException absent) {
      // Before Android 7, and on what calls itself newer without it.
      Hidden.CONNECT.call(automation);
    }
    Automation result = new Automation(automation);
    AccessibilityServiceInfo info = automation.getServiceInfo();
    info.flags |=
        AccessibilityServiceInfo.FLAG_RETRIEVE_INTERACTIVE_WINDOWS
            | AccessibilityServiceInfo.FLAG_REPORT_VIEW_IDS
            | AccessibilityServiceInfo.FLAG_INCLUDE_NOT_IMPORTANT_VIEWS;
    automation.setServiceInfo(info);
    automation.setOnAccessibilityEventListener(result::heard);
    return result;
  }

  void disconnect() {
    try {
      Hidden.DISCONNECT.call(automation);
    } catch (ReflectiveOperationException | RuntimeException gone) {
      // The process ends now, and with it the connection.
    }
  }

  private void heard(AccessibilityEvent event) {
    switch (event.getEventType()) {
      case AccessibilityEvent.TYPE_WINDOW_STATE_CHANGED:
        lastWindowClass = String.valueOf(event.getClassName());
        lastChange = now();
        break;
      case AccessibilityEvent.TYPE_WINDOW_CONTENT_CHANGED:
      case AccessibilityEvent.TYPE_WINDOWS_CHANGED:
      case AccessibilityEvent.TYPE_VIEW_SCROLLED:
        lastChange = now();
        break;
      case AccessibilityEvent.TYPE_NOTIFICATION_STATE_CHANGED:
        if (String.valueOf(event.getClassName()).contains("Toast") && !event.getText().isEmpty()) {
          synchronized (toasts) {
            toasts.add(String.valueOf(event.getText().get(0)));
          }
        }
        break;
      default:
        break;
    }
  }

  /** Waits until the screen is stable; false if the deadline came first. */
  boolean settle(long atLeast, long deadline) {
    long start = now();
    while (true) {
      long now = now();
      long since = Math.max(lastChange, start);
      if (now - since >= Math.min(QUIET_MS, atLeast)) {
        return true;
      }
      if (now - start >= deadline) {
        return false;
      }
      try {
        Thread.sleep(5);
      } catch (InterruptedException ended) {
        return false;
      }
    }
  }

  /** Milliseconds of a monotonic clock, independent of a host that controls the framework's. */
  private static long now() {
    return System.nanoTime() / 1_000_000;
  }

  /** Does the keyboard take touches at this place of the screen? */
  boolean hasKeyboardAt(int x, int y) {
    Rect bounds = new Rect();
    for (AccessibilityWindowInfo window : windows()) {
      window.getBoundsInScreen(bounds);
      if (window.getType() == AccessibilityWindowInfo.TYPE_INPUT_METHOD && bounds.contains(x, y)) {
        return true;
      }
    }
    return false;
  }

  /**
   * The windows as they are now. A change of a text is reported up to 100 ms late, and until then the client's cache says
   * what was there before: it is emptied first, which setting the service's info does on every level.
   */
  List<AccessibilityWindowInfo> windows() {
    automation.setServiceInfo(automation.getServiceInfo());
    return automation.getWindows();
  }

  android.view.accessibility.AccessibilityNodeInfo activeRoot() {
    return automation.getRootInActiveWindow();
  }

  boolean inject(InputEvent event) {
    return automation.injectInputEvent(event, true);
  }

  /** The class named by the last window that came to the front: an activity's, a dialog's. */
  String lastWindowClass() {
    return lastWindowClass;
  }

  List<String> takeToasts() {
    synchronized (toasts) {
      List<String> taken = new ArrayList<>(toasts);
      toasts.clear();
      return taken;
    }
  }
}
