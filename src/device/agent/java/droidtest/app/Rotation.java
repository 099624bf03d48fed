package droidtest.app;

import android.app.servertransaction.ActivityConfigurationChangeItem;
import android.app.servertransaction.ActivityRelaunchItem;
import android.app.servertransaction.ClientTransaction;
import android.app.servertransaction.PauseActivityItem;
import android.app.servertransaction.ResumeActivityItem;
import android.app.servertransaction.StopActivityItem;
import android.content.pm.ActivityInfo;
import android.content.res.Configuration;
import android.util.MergedConfiguration;
import android.view.Surface;
import android.view.ViewRootImpl;
import android.view.WindowManagerGlobal;
import java.util.List;
import java.util.Set;
import org.robolectric.RuntimeEnvironment;
import org.robolectric.Shadows;
import org.robolectric.shadow.api.Shadow;
import org.robolectric.shadows.ShadowDisplay;
import org.robolectric.shadows.ShadowViewRootImpl;
import org.robolectric.util.ReflectionHelpers;

/** Turns the screen: the configuration changes, and activities that do not handle that are created anew. */
final class Rotation {
  private static final int CHANGES = ActivityInfo.CONFIG_ORIENTATION | ActivityInfo.CONFIG_SCREEN_SIZE;

  private static final Set<Integer> FREE =
      Set.of(
          ActivityInfo.SCREEN_ORIENTATION_UNSPECIFIED, ActivityInfo.SCREEN_ORIENTATION_USER,
          ActivityInfo.SCREEN_ORIENTATION_SENSOR, ActivityInfo.SCREEN_ORIENTATION_FULL_SENSOR,
          ActivityInfo.SCREEN_ORIENTATION_FULL_USER, ActivityInfo.SCREEN_ORIENTATION_BEHIND);

  private final SystemServer system;
  private int changes;

  Rotation(SystemServer system) {
    this.system = system;
  }

  void turn(int rotation) {
    Record front = system.activities.lifecycle().resumed();
    if (front == null || fixed(front)) {
      return;
    }
    Shadows.shadowOf(ShadowDisplay.getDefaultDisplay()).setRotation(rotation);
    boolean landscape = rotation == Surface.ROTATION_90 || rotation == Surface.ROTATION_270;
    Configuration before = AppProcess.application().getResources().getConfiguration();
    if (landscape == (before.orientation == Configuration.ORIENTATION_LANDSCAPE)) {
      return;
    }
    RuntimeEnvironment.setQualifiers(landscape ? "+land" : "+port");
    Configuration now = new Configuration(android.content.res.Resources.getSystem().getConfiguration());
    // Without a number of its own the framework takes a change for an older one.
    now.seq = ++changes;
    SystemServer.thread().handleConfigurationChanged(now, 0);
    for (Record record : system.activities.all()) {
      if (record.state != Record.State.NEW && record.state != Record.State.DESTROYED && !record.finishing) {
        change(record, now);
      }
    }
    List<ViewRootImpl> roots = ReflectionHelpers.getField(WindowManagerGlobal.getInstance(), "mRoots");
    for (ViewRootImpl root : roots) {
      // As the window manager does: windows that were there before get their new size.
      ((ShadowViewRootImpl) Shadow.extract(root)).callDispatchResized();
    }
  }

  private static boolean fixed(Record record) {
    return !FREE.contains(record.orientation);
  }

  private static void change(Record record, Configuration now) {
    ClientTransaction transaction =
        ClientTransaction.obtain(SystemServer.thread().getApplicationThread(), record.token);
    if ((record.info.getRealConfigChanged() & CHANGES) == CHANGES) {
      transaction.addCallback(ActivityConfigurationChangeItem.obtain(now));
    } else {
      transaction.addCallback(
          ActivityRelaunchItem.obtain(null, null, CHANGES, new MergedConfiguration(now, new Configuration()), false));
      if (record.state == Record.State.RESUMED) {
        transaction.setLifecycleStateRequest(ResumeActivityItem.obtain(true, false));
      } else if (record.state == Record.State.PAUSED) {
        transaction.setLifecycleStateRequest(PauseActivityItem.obtain());
      } else {
        transaction.setLifecycleStateRequest(StopActivityItem.obtain(0));
      }
    }
    Lifecycle.execute(transaction);
  }
}
