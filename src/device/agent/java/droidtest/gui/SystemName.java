package droidtest.gui;

import android.app.AlertDialog;
import android.view.View;
import android.view.ViewGroup;

/**
 * The resource-id of a view in a window of the system. Another app's buttons have ids of that app, by which traces and
 * reports tell an answer from outside from a button of the app under test.
 */
public final class SystemName {
  public static final String ALLOW = "com.android.permissioncontroller:id/permission_allow_button";
  public static final String DENY = "com.android.permissioncontroller:id/permission_deny_button";
  public static final String ANSWER = "droidtest.outside:id/answer";
  public static final String CANCEL = "droidtest.outside:id/cancel";

  /** A key of no package: Android takes those of an app only, whose first byte is 2 or more. */
  private static final int KEY = 0x02000001;

  final String id;

  private SystemName(String id) {
    this.id = id;
  }

  /** Names a view; none is not an error: a dialog may lack the button. */
  public static void put(View view, String id) {
    if (view != null) {
      view.setTag(KEY, new SystemName(id));
    }
  }

  /** Names the rows of a dialog's list as they come. */
  public static void putRows(AlertDialog dialog, String id) {
    if (dialog.getListView() == null) {
      return;
    }
    dialog.getListView().setOnHierarchyChangeListener(
        new ViewGroup.OnHierarchyChangeListener() {
          @Override
          public void onChildViewAdded(View parent, View child) {
            put(child, id);
          }

          @Override
          public void onChildViewRemoved(View parent, View child) {
            // It keeps its name.
          }
        });
  }

  static String of(View view) {
    Object name = view.getTag(KEY);
    return name instanceof SystemName ? ((SystemName) name).id : null;
  }
}
