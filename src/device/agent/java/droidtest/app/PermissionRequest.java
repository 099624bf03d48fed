package droidtest.app;

import android.app.Activity;
import android.app.AlertDialog;
import android.app.ResultInfo;
import android.content.Context;
import android.content.Intent;
import android.content.pm.PackageManager;
import android.view.ContextThemeWrapper;
import android.view.WindowManager;
import droidtest.gui.SystemName;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One call of {@code requestPermissions}: the system's dialogs, one for each group, and the result. The dialogs are
 * windows of the system, not of the activity, so they outlast its being made again.
 */
final class PermissionRequest {
  private static final String ACTION = "android.content.pm.action.REQUEST_PERMISSIONS";
  private static final String NAMES = "android.content.pm.extra.REQUEST_PERMISSIONS_NAMES";
  private static final String RESULTS = "android.content.pm.extra.REQUEST_PERMISSIONS_RESULTS";

  private final SystemServer system;
  private final Record record;
  private final String who;
  private final int code;
  private final String[] names;

  private PermissionRequest(SystemServer system, Record record, String who, int code, String[] names) {
    this.system = system;
    this.record = record;
    this.who = who;
    this.code = code;
    this.names = names;
  }

  /** Takes an activity's start that is such a request in truth; false when it is not. */
  static boolean take(SystemServer system, Intent intent, Record source, String who, int code) {
    String[] names = intent.getStringArrayExtra(NAMES);
    if (!ACTION.equals(intent.getAction()) || source == null || names == null) {
      return false;
    }
    PermissionRequest request = new PermissionRequest(system, source, who, code, names);
    system.handler.post(() -> request.ask(request.groups()));
    return true;
  }

  private List<Map.Entry<String, List<String>>> groups() {
    Map<String, List<String>> groups = new LinkedHashMap<>();
    for (String name : names) {
      String group = Permissions.group(name);
      if (AppProcess.permissions().askable(name) && !AppProcess.permissions().deniedForGood(group)) {
        groups.computeIfAbsent(group, key -> new ArrayList<>()).add(name);
      }
    }
    return new ArrayList<>(groups.entrySet());
  }

  /** Asks for the first group, then for the others. */
  private void ask(List<Map.Entry<String, List<String>>> groups) {
    if (groups.isEmpty()) {
      answer();
      return;
    }
    Map.Entry<String, List<String>> group = groups.remove(0);
    Context context = new ContextThemeWrapper(AppProcess.application(), android.R.style.Theme_Material_Light_Dialog_Alert);
    CharSequence app = AppProcess.application().getApplicationInfo().loadLabel(SystemServer.packages());
    AlertDialog dialog =
        new AlertDialog.Builder(context)
            .setMessage("Allow " + app + " to access " + group.getKey() + "?")
            .setPositiveButton("Allow", (d, which) -> grant(group.getValue()))
            .setNegativeButton("Deny", (d, which) -> AppProcess.permissions().deny(group.getKey()))
            .setOnDismissListener(d -> ask(groups))
            .create();
    dialog.setCanceledOnTouchOutside(false);
    dialog.getWindow().setType(WindowManager.LayoutParams.TYPE_APPLICATION_OVERLAY);
    dialog.show();
    SystemName.put(dialog.getButton(AlertDialog.BUTTON_POSITIVE), SystemName.ALLOW);
    SystemName.put(dialog.getButton(AlertDialog.BUTTON_NEGATIVE), SystemName.DENY);
  }

  private static void grant(List<String> names) {
    try {
      for (String name : names) {
        AppProcess.permissions().grant(name);
      }
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private void answer() {
    int[] results = new int[names.length];
    for (int i = 0; i < names.length; i++) {
      boolean granted = AppProcess.permissions().granted(names[i]);
      results[i] = granted ? PackageManager.PERMISSION_GRANTED : PackageManager.PERMISSION_DENIED;
    }
    Intent data = new Intent(ACTION).putExtra(NAMES, names).putExtra(RESULTS, results);
    record.results.add(new ResultInfo(who, code, Activity.RESULT_OK, data));
    system.activities.lifecycle().schedule();
  }
}
