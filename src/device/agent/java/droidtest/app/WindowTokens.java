package droidtest.app;

import android.os.IBinder;
import android.view.Display;
import android.view.View;
import android.view.ViewGroup;
import android.view.ViewRootImpl;
import android.view.Window;
import android.view.WindowManager;
import android.view.WindowManagerGlobal;
import java.util.List;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.annotation.RealObject;
import org.robolectric.shadow.api.Shadow;
import org.robolectric.shadows.ShadowWindowManagerGlobal;
import org.robolectric.util.ReflectionHelpers;
import org.robolectric.util.ReflectionHelpers.ClassParameter;

/**
 * Lets nobody add a window to what is not there, as the window manager does: a dialog of an activity that was destroyed,
 * or of the application; a popup at a view that is no longer shown.
 */
@Implements(value = WindowManagerGlobal.class, isInAndroidSdk = false)
public class WindowTokens extends ShadowWindowManagerGlobal {
  @RealObject private WindowManagerGlobal manager;

  @Implementation
  protected void addView(View view, ViewGroup.LayoutParams given, Display display, Window parent, int user) {
    SystemServer system = SystemServer.current();
    if (system != null && given instanceof WindowManager.LayoutParams) {
      WindowManager.LayoutParams params = new WindowManager.LayoutParams();
      params.copyFrom((WindowManager.LayoutParams) given);
      if (parent != null) {
        ReflectionHelpers.callInstanceMethod(
            Window.class,
            parent,
            "adjustLayoutParamsForSubWindow",
            ClassParameter.from(WindowManager.LayoutParams.class, params));
      }
      if (!known(system, params)) {
        throw new WindowManager.BadTokenException(
            "Unable to add window -- token " + params.token + " is not valid; is your activity running?");
      }
    }
    Shadow.directlyOn(
        manager,
        WindowManagerGlobal.class,
        "addView",
        ClassParameter.from(View.class, view),
        ClassParameter.from(ViewGroup.LayoutParams.class, given),
        ClassParameter.from(Display.class, display),
        ClassParameter.from(Window.class, parent),
        ClassParameter.from(int.class, user));
  }

  private boolean known(SystemServer system, WindowManager.LayoutParams params) {
    int type = params.type;
    if (type <= WindowManager.LayoutParams.LAST_APPLICATION_WINDOW) {
      Record record = system.activities.byToken(params.token);
      return record != null && record.state != Record.State.DESTROYED;
    }
    if (type > WindowManager.LayoutParams.LAST_SUB_WINDOW) {
      return true;
    }
    return params.token != null && hasWindow(params.token);
  }

  private boolean hasWindow(IBinder token) {
    List<ViewRootImpl> roots = ReflectionHelpers.getField(manager, "mRoots");
    for (ViewRootImpl root : roots) {
      View view = root.getView();
      if (view != null && view.getWindowToken() == token) {
        return true;
      }
    }
    return false;
  }
}
