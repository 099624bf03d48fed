package droidtest.app;

import android.app.Activity;
import android.app.ActivityThread;
import android.app.Fragment;
import android.content.res.Resources;
import android.view.View;
import android.view.ViewGroup;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Where the user is within an activity: the destination of its navigation graph, else its fragments, else the title of a
 * pane. What a shrinker renames is not requested by name: AndroidX ties fragments to their views by a tag whose id is a
 * resource, and {@link Destinations} goes by what objects say of themselves.
 */
final class Places {
  /** Views looked at, and the longest name of a place. */
  private static final int VIEWS = 3000;
  private static final int LENGTH = 200;

  private final Destinations destinations = new Destinations();
  private Activity activity;
  private int fragmentTag;
  private int navigationTag;
  private int left;
  /** The destination that a view's navigation graph is at. */
  private String graph;
  private String pane;

  /** The destination or the fragments, or null if unknown. */
  String of(Record front) {
    Activity shown = front == null ? null : ActivityThread.currentActivityThread().getActivity(front.token);
    pane = null;
    try {
      if (shown != activity) {
        activity = shown;
        destinations.begin(shown);
      }
      if (shown == null) {
        return null;
      }
      Resources resources = shown.getResources();
      fragmentTag = resources.getIdentifier("fragment_container_view_tag", "id", shown.getPackageName());
      navigationTag = resources.getIdentifier("nav_controller_view_tag", "id", shown.getPackageName());
      String place = destinations.current();
      if (place == null) {
        place = shown();
      }
      return place == null || place.length() <= LENGTH ? place : place.substring(0, LENGTH);
    } catch (RuntimeException | LinkageError | StackOverflowError e) {
      // This query does not occur on a phone: an exception of the app is not a crash.
      return null;
    }
  }

  /** The title of the pane on top among the views, as {@link #of} last saw them. */
  String pane() {
    return pane;
  }

  private String shown() {
    Set<String> fragments = new LinkedHashSet<>();
    graph = null;
    libraries(call(activity, "getSupportFragmentManager"), fragments);
    platform(activity.getFragmentManager().getFragments(), fragments);
    List<String> panes = new ArrayList<>();
    left = VIEWS;
    View root = activity.getWindow().peekDecorView();
    if (root != null) {
      walk(root, fragments, panes);
    }
    if (graph != null) {
      return graph;
    }
    pane = panes.isEmpty() ? null : panes.get(panes.size() - 1);
    return fragments.isEmpty() ? null : String.join(" + ", fragments);
  }

  private static void platform(List<Fragment> all, Set<String> names) {
    for (Fragment one : all) {
      if (one != null && one.isResumed() && one.isVisible()) {
        name(one, names);
        platform(one.getChildFragmentManager().getFragments(), names);
      }
    }
  }

  /** AndroidX's fragments, and those of the library before it; none if a shrinker has renamed it. */
  private static void libraries(Object manager, Set<String> names) {
    Object all = call(manager, "getFragments");
    if (!(all instanceof List)) {
      return;
    }
    for (Object one : (List<?>) all) {
      if (one != null && Boolean.TRUE.equals(call(one, "isResumed")) && Boolean.TRUE.equals(call(one, "isVisible"))) {
        name(one, names);
        libraries(call(one, "getChildFragmentManager"), names);
      }
    }
  }

  /** A destination's route, else the name of its id. */
  private String destination(Object destination) {
    Object route = call(destination, "getRoute");
    if (route instanceof String) {
      return (String) route;
    }
    Object id = call(destination, "getId");
    try {
      return id instanceof Integer ? activity.getResources().getResourceEntryName((Integer) id) : null;
    } catch (Resources.NotFoundException e) {
      return null;
    }
  }

  private static Object call(Object of, String getter) {
    try {
      if (of == null) {
        return null;
      }
      Method method = of.getClass().getMethod(getter);
      // The class may be internal to the library, and the method declared in a public one.
      method.setAccessible(true);
      return method.invoke(of);
    } catch (ReflectiveOperationException | RuntimeException e) {
      return null;
    }
  }

  private void walk(View view, Set<String> fragments, List<String> panes) {
    if (view.getVisibility() != View.VISIBLE || view.getWidth() == 0 || view.getHeight() == 0 || --left < 0) {
      return;
    }
    Object fragment = fragmentTag == 0 ? null : view.getTag(fragmentTag);
    if (fragment != null) {
      name(fragment, fragments);
    }
    Object navigation = navigationTag == 0 ? null : view.getTag(navigationTag);
    if (navigation != null && graph == null) {
      graph = destination(call(navigation, "getCurrentDestination"));
    }
    CharSequence pane = view.getAccessibilityPaneTitle();
    if (pane != null && pane.length() > 0) {
      panes.add(pane.toString());
    }
    if (view instanceof ViewGroup) {
      ViewGroup group = (ViewGroup) view;
      for (int i = 0; i < group.getChildCount(); i++) {
        View child = group.getChildAt(i);
        if (child != null) {
          walk(child, fragments, panes);
        }
      }
    }
  }

  /** A renamed class says nothing, and a library's own (the host of a graph, a map) holds others. */
  private static void name(Object fragment, Set<String> names) {
    String name = fragment.getClass().getName();
    String simple = name.substring(name.lastIndexOf('.') + 1);
    boolean library = name.startsWith("androidx.") || name.startsWith("android.") || name.startsWith("com.google.android.");
    if (simple.length() > 3 && !library) {
      names.add(simple.substring(simple.lastIndexOf('$') + 1));
    }
  }
}
