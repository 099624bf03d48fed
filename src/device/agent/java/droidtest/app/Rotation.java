package droidtest.app;

import android.content.pm.ActivityInfo;
import android.content.res.Configuration;
import android.content.res.Resources;
import android.util.DisplayMetrics;
import android.view.Display;
import android.view.DisplayInfo;
import android.view.Surface;
import android.view.ViewRootImpl;
import android.view.WindowManagerGlobal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.robolectric.RuntimeEnvironment;
import org.robolectric.Shadows;
import org.robolectric.android.Bootstrap;
import org.robolectric.shadow.api.Shadow;
import org.robolectric.shadows.ShadowDisplay;
import org.robolectric.shadows.ShadowDisplayManager;
import org.robolectric.shadows.ShadowViewRootImpl;
import org.robolectric.util.ReflectionHelpers;
import org.robolectric.util.ReflectionHelpers.ClassParameter;

/**
 * Turns the screen, as the user or the front activity wants it: the configuration changes, and activities that do not
 * handle that are created again.
 */
final class Rotation {
  private static final int CHANGES = ActivityInfo.CONFIG_ORIENTATION | ActivityInfo.CONFIG_SCREEN_SIZE;

  private static final int SIZES =
      ActivityInfo.CONFIG_SCREEN_SIZE | ActivityInfo.CONFIG_SMALLEST_SCREEN_SIZE | ActivityInfo.CONFIG_SCREEN_LAYOUT;
  /** A foldable phone, in dp: closed, and open. */
  private static final int[] CLOSED = {411, 891};
  private static final int[] OPEN = {673, 841};
  /** From this shorter side on, a screen counts as large, in dp. */
  private static final int LARGE_DP = 600;

  private static final Set<Integer> LANDSCAPE =
      Set.of(
          ActivityInfo.SCREEN_ORIENTATION_LANDSCAPE, ActivityInfo.SCREEN_ORIENTATION_SENSOR_LANDSCAPE,
          ActivityInfo.SCREEN_ORIENTATION_REVERSE_LANDSCAPE, ActivityInfo.SCREEN_ORIENTATION_USER_LANDSCAPE);
  private static final Set<Integer> PORTRAIT =
      Set.of(
          ActivityInfo.SCREEN_ORIENTATION_PORTRAIT, ActivityInfo.SCREEN_ORIENTATION_SENSOR_PORTRAIT,
          ActivityInfo.SCREEN_ORIENTATION_REVERSE_PORTRAIT, ActivityInfo.SCREEN_ORIENTATION_USER_PORTRAIT);
  private static final Set<Integer> AS_IT_IS =
      Set.of(ActivityInfo.SCREEN_ORIENTATION_LOCKED, ActivityInfo.SCREEN_ORIENTATION_NOSENSOR);

  private final SystemServer system;
  /** Whether the device lies when it is not turned. */
  private final boolean lies;
  /** The screen's original shorter and longer side, in dp. */
  private final int[] size;
  private boolean resized;
  /** How the user holds it. */
  private int held = Surface.ROTATION_0;
  private int changes;

  Rotation(SystemServer system) {
    this.system = system;
    Configuration first = Resources.getSystem().getConfiguration();
    lies = landscape(first);
    size = new int[] {Math.min(first.screenWidthDp, first.screenHeightDp), Math.max(first.screenWidthDp, first.screenHeightDp)};
  }

  /** A foldable is opened or closed: the screen has its other size, or the first one again. */
  void resize() {
    resized = !resized;
    boolean large = size[0] >= LARGE_DP;
    int[] now = !resized ? size : large ? CLOSED : OPEN;
    boolean lie = lying();
    String kind = now[0] >= 720 && now[1] >= 960 ? "xlarge" : now[0] >= 480 && now[1] >= 640 ? "large" : "normal";
    // As Android counts: long from five thirds on.
    String shape = now[1] * 3 >= now[0] * 5 ? "long" : "notlong";
    String qualifiers =
        String.format(
            Locale.ROOT, "+sw%ddp-w%ddp-h%ddp-%s-%s-%s", now[0], now[lie ? 1 : 0], now[lie ? 0 : 1], kind, shape,
            lie ? "land" : "port");
    configure(qualifiers, Resources.getSystem().getConfiguration().fontScale, SIZES);
    fit();
  }

  /** As the window manager does: windows that were there before get their new size. */
  private static void fit() {
    List<ViewRootImpl> roots = ReflectionHelpers.getField(WindowManagerGlobal.getInstance(), "mRoots");
    for (ViewRootImpl root : new ArrayList<>(roots)) {
      ((ShadowViewRootImpl) Shadow.extract(root)).callDispatchResized();
    }
  }

  /** The user turns the device. */
  void turn(int rotation) {
    Record front = system.activities.lifecycle().resumed();
    if (front == null) {
      return;
    }
    held = rotation;
    stand(wanted(front), true);
  }

  /** Rotates the screen as the foreground activity requires; true if something had to be recreated. */
  boolean follow(Record front) {
    boolean turned = stand(wanted(front), false);
    if (front.state == Record.State.NEW || front.landscape == lying()) {
      return turned;
    }
    change(front, configuration(), CHANGES);
    return true;
  }

  /** Something else of the configuration changes: activities that do not handle that are created again. */
  void configure(String qualifiers, float fontScale, int what) {
    if (qualifiers != null) {
      qualify(qualifiers);
    }
    Resources all = Resources.getSystem();
    if (all.getConfiguration().fontScale != fontScale) {
      Configuration scaled = new Configuration(all.getConfiguration());
      scaled.fontScale = fontScale;
      DisplayMetrics metrics = new DisplayMetrics();
      metrics.setTo(all.getDisplayMetrics());
      metrics.scaledDensity = metrics.density * fontScale;
      update(scaled, metrics);
    }
    Configuration now = configuration();
    now.seq = ++changes;
    SystemServer.thread().handleConfigurationChanged(now, 0);
    for (Record record : system.activities.all()) {
      boolean there = record.state != Record.State.NEW && record.state != Record.State.DESTROYED;
      if (there && !record.finishing) {
        change(record, now, what);
      }
    }
  }

  /** What an activity that is launched now starts with. */
  boolean lying() {
    return landscape(AppProcess.application().getResources().getConfiguration());
  }

  private int wanted(Record record) {
    int now = ShadowDisplay.getDefaultDisplay().getRotation();
    if (AS_IT_IS.contains(record.orientation)) {
      return now;
    }
    boolean fixed = LANDSCAPE.contains(record.orientation) || PORTRAIT.contains(record.orientation);
    boolean lie = LANDSCAPE.contains(record.orientation);
    if (!fixed || lies(held) == lie) {
      return held;
    }
    return lies == lie ? Surface.ROTATION_0 : Surface.ROTATION_90;
  }

  private boolean lies(int rotation) {
    return lies != (rotation == Surface.ROTATION_90 || rotation == Surface.ROTATION_270);
  }

  private boolean stand(int rotation, boolean user) {
    Display display = ShadowDisplay.getDefaultDisplay();
    // Each call notifies the display's listeners, and this one runs at every lifecycle step.
    if (display.getRotation() != rotation) {
      Shadows.shadowOf(display).setRotation(rotation);
    }
    boolean landscape = lies(rotation);
    if (landscape == lying()) {
      return false;
    }
    qualify(landscape ? "+land" : "+port");
    Configuration now = configuration();
    // Without a separate number the framework takes a change for an older one.
    now.seq = ++changes;
    SystemServer.thread().handleConfigurationChanged(now, 0);
    for (Record record : system.activities.all()) {
      // Those that nobody sees follow when they come back, if the screen still stands so then; so with one that an
      // activity covers for which the screen turns.
      boolean seen = record.state == Record.State.RESUMED || user && record.state == Record.State.PAUSED;
      if (seen && !record.finishing) {
        change(record, now, CHANGES);
      }
    }
    fit();
    return true;
  }

  /** As {@code RuntimeEnvironment.setQualifiers}, which waits until the main thread is idle: an app may repost tasks forever. */
  private static void qualify(String qualifiers) {
    DisplayInfo turned =
        ReflectionHelpers.callStaticMethod(
            ShadowDisplayManager.class,
            "createDisplayInfo",
            ClassParameter.from(String.class, qualifiers),
            ClassParameter.from(Integer.class, Display.DEFAULT_DISPLAY));
    Object displays = ReflectionHelpers.callStaticMethod(ShadowDisplayManager.class, "getShadowDisplayManagerGlobal");
    ReflectionHelpers.callInstanceMethod(
        displays,
        "changeDisplay",
        ClassParameter.from(int.class, Display.DEFAULT_DISPLAY),
        ClassParameter.from(DisplayInfo.class, turned));
    Resources system = Resources.getSystem();
    Configuration configuration = new Configuration(system.getConfiguration());
    DisplayMetrics metrics = new DisplayMetrics();
    metrics.setTo(system.getDisplayMetrics());
    Bootstrap.applyQualifiers(qualifiers, RuntimeEnvironment.getApiLevel(), configuration, metrics);
    update(configuration, metrics);
  }

  private static void update(Configuration configuration, DisplayMetrics metrics) {
    ReflectionHelpers.callStaticMethod(
        RuntimeEnvironment.class,
        "updateConfiguration",
        ClassParameter.from(Configuration.class, configuration),
        ClassParameter.from(DisplayMetrics.class, metrics));
  }

  private Configuration configuration() {
    Configuration now = new Configuration(Resources.getSystem().getConfiguration());
    now.seq = changes;
    return now;
  }

  private static boolean landscape(Configuration configuration) {
    return configuration.orientation == Configuration.ORIENTATION_LANDSCAPE;
  }

  private static void change(Record record, Configuration now, int what) {
    record.landscape = landscape(now);
    Transaction transaction = new Transaction(record);
    if ((record.info.getRealConfigChanged() & what) == what) {
      transaction.changed(now);
    } else {
      transaction.relaunch(what, now);
      if (record.state == Record.State.RESUMED) {
        transaction.resume();
      } else if (record.state == Record.State.PAUSED) {
        transaction.pause(false, false);
      } else {
        transaction.stop();
      }
    }
    transaction.execute();
  }
}
