package droidtest.device;

import android.accessibilityservice.AccessibilityServiceInfo;
import android.accessibilityservice.IAccessibilityServiceClient;
import android.accessibilityservice.IAccessibilityServiceConnection;
import android.app.ActivityManager;
import android.app.ActivityTaskManager;
import android.app.IActivityTaskManager;
import android.app.UiAutomation;
import android.content.ComponentName;
import android.content.Context;
import android.os.Binder;
import android.os.Handler;
import android.os.Looper;
import android.view.InputDevice;
import android.view.InputEvent;
import android.view.KeyEvent;
import android.view.MotionEvent;
import android.view.View;
import android.view.ViewRootImpl;
import android.view.WindowManager;
import android.view.WindowManagerGlobal;
import android.view.accessibility.AccessibilityEvent;
import android.view.accessibility.AccessibilityNodeInfo;
import android.view.accessibility.AccessibilityWindowInfo;
import android.view.accessibility.IAccessibilityManager;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.FutureTask;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.shadows.ShadowServiceManager;
import org.robolectric.shadows.ShadowUiAutomation;
import org.robolectric.util.ReflectionHelpers;

/**
 * What the system's process does between an accessibility client and an app: hands questions about nodes to the
 * window's {@code AccessibilityInteractionController}, and events to the client. Client and app are Android's code.
 */
final class SystemSide {
  /** What the window's coordinates are multiplied with: nothing. */
  private static final float[] AS_IS = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  private static final int WINDOW = 7;
  private static final int CONNECTION = 11;

  private static IActivityTaskManager tasks;

  private final ComponentName front;
  private AccessibilityServiceInfo info = new AccessibilityServiceInfo();
  /** Guarded by {@code this}: the agent ends its connection while the app still reports changes. */
  private IAccessibilityServiceClient client;

  SystemSide(ComponentName front) {
    this.front = front;
  }

  void install() {
    IAccessibilityManager manager =
        proxy(
            IAccessibilityManager.class,
            (name, arguments) -> {
              if (name.equals("registerUiTestAutomationService")) {
                info = (AccessibilityServiceInfo) arguments[2];
                connect((IAccessibilityServiceClient) arguments[1]);
              } else if (name.equals("unregisterUiTestAutomationService")) {
                disconnect();
              }
              return null;
            });
    ShadowServiceManager.addBinderService(Context.ACCESSIBILITY_SERVICE, IAccessibilityManager.class, manager);
    tasks = proxy(IActivityTaskManager.class, (name, arguments) -> name.equals("getTasks") ? tasks() : null);
  }

  /** What the window manager tells a window that is seen; Robolectric's does not. */
  static void show(View decor) {
    Object attached = ReflectionHelpers.getField(decor, "mAttachInfo");
    ReflectionHelpers.setField(attached, "mWindowVisibility", View.VISIBLE);
    decor.dispatchWindowVisibilityChanged(View.VISIBLE);
  }

  private synchronized void connect(IAccessibilityServiceClient connected) throws Exception {
    client = connected;
    client.init(connection(), CONNECTION, new Binder());
  }

  /** Android's client ends its thread right after this call. A later event would find the thread gone. */
  private synchronized void disconnect() {
    client = null;
  }

  synchronized void tell(AccessibilityEvent event) throws Exception {
    if (client != null) {
      client.onAccessibilityEvent(event, true);
    }
  }

  private List<ActivityManager.RunningTaskInfo> tasks() {
    ActivityManager.RunningTaskInfo task = new ActivityManager.RunningTaskInfo();
    task.topActivity = front;
    return Collections.singletonList(task);
  }

  private IAccessibilityServiceConnection connection() {
    return proxy(
        IAccessibilityServiceConnection.class,
        (name, a) -> {
          switch (name) {
            case "getServiceInfo":
              return info;
            case "setServiceInfo":
              info = (AccessibilityServiceInfo) a[0];
              return null;
            case "getWindows":
              return windows();
            case "findAccessibilityNodeInfoByAccessibilityId":
              boolean found = controller(
                  (int) a[0],
                  "findAccessibilityNodeInfoByAccessibilityIdClientThread",
                  a[1], null, a[2], a[3], (int) a[4] | asked(), -1, a[5], null, AS_IS, a[6]);
              return found ? new String[] {front.getPackageName()} : null;
            case "performAccessibilityAction":
              return controller(
                  (int) a[0],
                  "performAccessibilityActionClientThread", a[1], a[2], a[3], a[4], a[5], asked(), -1, a[6]);
            default:
              return null;
          }
        });
  }

  /** As {@code AbstractAccessibilityServiceConnection} makes fetch flags of a service's own. */
  private int asked() {
    boolean all = (info.flags & AccessibilityServiceInfo.FLAG_INCLUDE_NOT_IMPORTANT_VIEWS) != 0;
    boolean ids = (info.flags & AccessibilityServiceInfo.FLAG_REPORT_VIEW_IDS) != 0;
    return (all ? AccessibilityNodeInfo.FLAG_SERVICE_REQUESTS_INCLUDE_NOT_IMPORTANT_VIEWS : 0)
        | (ids ? AccessibilityNodeInfo.FLAG_SERVICE_REQUESTS_REPORT_VIEW_IDS : 0);
  }

  private AccessibilityWindowInfo.WindowListSparseArray windows() {
    List<ViewRootImpl> roots = roots();
    List<AccessibilityWindowInfo> list = new ArrayList<>();
    // From the top down, as Android sorts them.
    for (int i = roots.size() - 1; i >= 0; i--) {
      AccessibilityWindowInfo window = AccessibilityWindowInfo.obtain();
      boolean front = i == roots.size() - 1;
      int type = ReflectionHelpers.<WindowManager.LayoutParams>getField(roots.get(i), "mWindowAttributes").type;
      window.setId(WINDOW + i);
      window.setType(
          type >= WindowManager.LayoutParams.FIRST_SYSTEM_WINDOW
              ? AccessibilityWindowInfo.TYPE_SYSTEM
              : AccessibilityWindowInfo.TYPE_APPLICATION);
      window.setActive(front);
      window.setFocused(front);
      window.setConnectionId(CONNECTION);
      list.add(window);
    }
    AccessibilityWindowInfo.WindowListSparseArray all = new AccessibilityWindowInfo.WindowListSparseArray();
    all.put(0, list);
    return all;
  }

  private static List<ViewRootImpl> roots() {
    return ReflectionHelpers.getField(WindowManagerGlobal.getInstance(), "mRoots");
  }

  /** The window in front. */
  private static ViewRootImpl window() {
    List<ViewRootImpl> roots = roots();
    return roots.get(roots.size() - 1);
  }

  /** Whether the window is there to be asked: the app's thread may be closing it. */
  private static boolean controller(int id, String method, Object... arguments) {
    List<ViewRootImpl> roots = roots();
    boolean known = id >= WINDOW && id < WINDOW + roots.size();
    Object controller;
    try {
      controller = (known ? roots.get(id - WINDOW) : window()).getAccessibilityInteractionController();
    } catch (IllegalStateException withoutView) {
      return false;
    }
    for (java.lang.reflect.Method each : controller.getClass().getMethods()) {
      if (each.getName().equals(method)) {
        try {
          each.invoke(controller, arguments);
          return true;
        } catch (ReflectiveOperationException failure) {
          throw new IllegalStateException(failure);
        }
      }
    }
    throw new IllegalStateException(method + " is gone");
  }

  private interface Answer {
    Object of(String method, Object[] arguments) throws Exception;
  }

  @SuppressWarnings("unchecked")
  private static <T> T proxy(Class<T> type, Answer answer) {
    return (T)
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              switch (method.getName()) {
                case "hashCode":
                  return System.identityHashCode(proxy);
                case "equals":
                  return proxy == arguments[0];
                case "toString":
                  return type.getSimpleName();
                case "asBinder":
                  Binder binder = new Binder();
                  binder.attachInterface((android.os.IInterface) proxy, type.getName());
                  return binder;
                default:
                  Object given = answer.of(method.getName(), arguments);
                  return given == null ? ReflectionHelpers.defaultValueForType(method.getReturnType().getName()) : given;
              }
            });
  }

  /** Android's windows instead of Robolectric's stand-in for them, which knows no connection to ask. */
  @Implements(AccessibilityWindowInfo.class)
  public static final class RealWindows {}

  /** Input goes to the window that has the focus, on the app's thread, and is waited for. */
  @Implements(UiAutomation.class)
  public static final class Injection {
    @Implementation
    protected boolean injectInputEvent(InputEvent event, boolean sync) throws Exception {
      FutureTask<Boolean> done = new FutureTask<>(() -> deliver(event));
      new Handler(Looper.getMainLooper()).post(done);
      return done.get();
    }

    private static boolean deliver(InputEvent event) {
      View view = window().getView();
      if (event instanceof KeyEvent) {
        return view.dispatchKeyEvent((KeyEvent) event);
      }
      if (event.isFromSource(InputDevice.SOURCE_TRACKBALL)) {
        return view.dispatchTrackballEvent((MotionEvent) event);
      }
      return ShadowUiAutomation.injectInputEvent(event);
    }
  }

  /** The service that knows what is in front. */
  @Implements(ActivityTaskManager.class)
  public static final class Tasks {
    @Implementation
    protected static IActivityTaskManager getService() {
      // The app's start asks too, before there is anything in front.
      return tasks == null ? ReflectionHelpers.createDeepProxy(IActivityTaskManager.class) : tasks;
    }
  }
}
