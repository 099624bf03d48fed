package droidtest.app;

import android.app.IApplicationThread;
import android.content.IIntentReceiver;
import android.content.Intent;
import android.content.IntentFilter;
import android.content.pm.PackageManager;
import android.content.pm.ResolveInfo;
import android.os.BatteryManager;
import android.os.Bundle;
import android.os.RemoteException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Broadcasts within the app: to registered receivers, and to those of the manifest; ordered ones one by one. */
final class Broadcasts {
  private static final class Registered {
    final IIntentReceiver receiver;
    final IntentFilter filter;

    Registered(IIntentReceiver receiver, IntentFilter filter) {
      this.receiver = receiver;
      this.filter = filter;
    }
  }

  /** A receiver to come in an ordered broadcast: either registered or from the manifest. */
  private static final class Target {
    final Registered registered;
    final ResolveInfo manifest;
    final int priority;

    Target(Registered registered, ResolveInfo manifest) {
      this.registered = registered;
      this.manifest = manifest;
      priority = registered != null ? registered.filter.getPriority() : manifest.priority;
    }
  }

  private static final class Ordered {
    final Intent intent;
    final ArrayDeque<Target> targets = new ArrayDeque<>();
    final IIntentReceiver last;
    int code;
    String data;
    Bundle extras;

    Ordered(Intent intent, IIntentReceiver last, int code, String data, Bundle extras) {
      this.intent = intent;
      this.last = last;
      this.code = code;
      this.data = data;
      this.extras = extras;
    }
  }

  private final List<Registered> registered = new ArrayList<>();
  private final Map<String, Intent> sticky = new HashMap<>();
  private final ArrayDeque<Ordered> queue = new ArrayDeque<>();
  /** An ordered broadcast was delivered to its receiver, which has not finished. */
  private boolean waiting;

  Broadcasts() {
    Intent battery = new Intent(Intent.ACTION_BATTERY_CHANGED);
    battery.putExtra(BatteryManager.EXTRA_LEVEL, 80).putExtra(BatteryManager.EXTRA_SCALE, 100);
    battery.putExtra(BatteryManager.EXTRA_STATUS, BatteryManager.BATTERY_STATUS_DISCHARGING);
    battery.putExtra(BatteryManager.EXTRA_HEALTH, BatteryManager.BATTERY_HEALTH_GOOD);
    battery.putExtra(BatteryManager.EXTRA_PRESENT, true).putExtra(BatteryManager.EXTRA_PLUGGED, 0);
    battery.putExtra(BatteryManager.EXTRA_VOLTAGE, 4100).putExtra(BatteryManager.EXTRA_TEMPERATURE, 250);
    battery.putExtra(BatteryManager.EXTRA_TECHNOLOGY, "Li-ion");
    sticky.put(battery.getAction(), battery);
  }

  /** The actions that registered receivers wait for. */
  synchronized Set<String> actions() {
    Set<String> actions = new LinkedHashSet<>();
    for (Registered one : registered) {
      for (int i = 0; i < one.filter.countActions(); i++) {
        actions.add(one.filter.getAction(i));
      }
    }
    return actions;
  }

  synchronized Intent register(IIntentReceiver receiver, IntentFilter filter) {
    Intent found = null;
    for (Intent intent : sticky.values()) {
      if (filter != null && filter.matchAction(intent.getAction())) {
        found = found == null ? new Intent(intent) : found;
        if (receiver != null) {
          perform(receiver, new Intent(intent), 0, null, null, false, true);
        }
      }
    }
    if (receiver != null) {
      registered.add(new Registered(receiver, filter));
    }
    return found;
  }

  /** What an earlier sticky broadcast said holds no more. */
  synchronized void unstick(String action) {
    sticky.remove(action);
  }

  synchronized void unregister(IIntentReceiver receiver) {
    registered.removeIf(one -> one.receiver.asBinder() == receiver.asBinder());
  }

  synchronized void send(
      Intent original, String type, IIntentReceiver last, int code, String data, Bundle extras, boolean ordered,
      boolean isSticky) {
    Intent intent = SystemServer.copy(original);
    if (type != null && intent.getType() == null) {
      intent.setDataAndType(intent.getData(), type);
    }
    if (isSticky) {
      sticky.put(intent.getAction(), new Intent(intent));
    }
    List<Target> targets = targets(intent);
    if (ordered || last != null) {
      targets.sort(Comparator.comparingInt((Target target) -> target.priority).reversed());
      Ordered one = new Ordered(intent, last, code, data, extras);
      one.targets.addAll(targets);
      queue.add(one);
      next();
      return;
    }
    for (Target target : targets) {
      if (target.registered != null) {
        perform(target.registered.receiver, new Intent(intent), code, data, extras, false, false);
      } else {
        deliver(target.manifest, intent, code, data, extras, false);
      }
    }
  }

  private List<Target> targets(Intent intent) {
    List<Target> targets = new ArrayList<>();
    String type = intent.getType();
    boolean explicit = intent.getComponent() != null;
    boolean mine = intent.getPackage() == null || SystemServer.own(intent.getPackage());
    if (!explicit && mine) {
      for (Registered one : registered) {
        int match =
            one.filter.match(intent.getAction(), type, intent.getScheme(), intent.getData(), intent.getCategories(), "droidtest");
        if (match >= 0) {
          targets.add(new Target(one, null));
        }
      }
    }
    if ((intent.getFlags() & Intent.FLAG_RECEIVER_REGISTERED_ONLY) != 0) {
      return targets;
    }
    PackageManager packages = SystemServer.packages();
    for (ResolveInfo info : packages.queryBroadcastReceivers(intent, 0)) {
      if (SystemServer.own(info.activityInfo.packageName)) {
        targets.add(new Target(null, info));
      }
    }
    return targets;
  }

  /** Gives the ordered broadcast in work to its next receiver. */
  private void next() {
    while (!waiting && !queue.isEmpty()) {
      Ordered one = queue.peek();
      Target target = one.targets.poll();
      if (target == null) {
        queue.poll();
        if (one.last != null) {
          perform(one.last, one.intent, one.code, one.data, one.extras, false, false);
        }
        continue;
      }
      waiting = true;
      if (target.registered != null) {
        perform(target.registered.receiver, new Intent(one.intent), one.code, one.data, one.extras, true, false);
      } else {
        deliver(target.manifest, one.intent, one.code, one.data, one.extras, true);
      }
    }
  }

  /** A receiver reports that it has finished; only ordered broadcasts wait for that. */
  synchronized void finished(int code, String data, Bundle extras, boolean abort) {
    if (!waiting || queue.isEmpty()) {
      return;
    }
    waiting = false;
    Ordered one = queue.peek();
    one.code = code;
    one.data = data;
    one.extras = extras;
    if (abort) {
      one.targets.clear();
    }
    next();
  }

  private void perform(
      IIntentReceiver receiver, Intent intent, int code, String data, Bundle extras, boolean ordered, boolean isSticky) {
    try {
      receiver.performReceive(intent, code, data, extras, ordered, isSticky, 0);
    } catch (RemoteException e) {
      throw new IllegalStateException(e);
    }
  }

  private void deliver(ResolveInfo info, Intent original, int code, String data, Bundle extras, boolean ordered) {
    Intent intent = new Intent(original);
    intent.setComponent(new android.content.ComponentName(info.activityInfo.packageName, info.activityInfo.name));
    info.activityInfo.applicationInfo = AppProcess.application().getApplicationInfo();
    try {
      IApplicationThread process = SystemServer.thread().getApplicationThread();
      process.scheduleReceiver(
          intent, info.activityInfo, null, code, data, extras, ordered, false, 0, 0, android.os.Process.myUid(),
          AppProcess.packageName());
    } catch (RemoteException e) {
      throw new IllegalStateException(e);
    }
  }
}
