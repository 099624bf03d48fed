package droidtest.app;

import android.app.IApplicationThread;
import android.app.IServiceConnection;
import android.app.ServiceStartArgs;
import android.content.ComponentName;
import android.content.Context;
import android.content.Intent;
import android.content.pm.PackageManager;
import android.content.pm.ParceledListSlice;
import android.content.pm.ResolveInfo;
import android.content.pm.ServiceInfo;
import android.os.Binder;
import android.os.IBinder;
import android.os.RemoteException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The app's services: created, started, bound and destroyed by the messages that a device's system sends. */
final class Services {
  /** One service of the app that exists now. */
  private static final class Running {
    final IBinder token = new Binder();
    final ServiceInfo info;
    final Map<Intent.FilterComparison, Binding> bindings = new LinkedHashMap<>();
    boolean started;
    int lastStart;

    Running(ServiceInfo info) {
      this.info = info;
    }

    ComponentName name() {
      return new ComponentName(info.packageName, info.name);
    }
  }

  /** All connections that bound with equal intents share what {@code onBind} gave. */
  private static final class Binding {
    final Intent intent;
    final List<IServiceConnection> connections = new ArrayList<>();
    IBinder binder;
    boolean published;
    boolean rebind;

    Binding(Intent intent) {
      this.intent = intent;
    }
  }

  private final SystemServer system;
  private final Map<ComponentName, Running> running = new LinkedHashMap<>();

  Services(SystemServer system) {
    this.system = system;
  }

  /** The services that are there, the oldest first. */
  List<ComponentName> running() {
    return new ArrayList<>(running.keySet());
  }

  /** A message to the app's process. */
  private interface Message {
    void to(IApplicationThread process) throws RemoteException;
  }

  private static void tell(Message message) {
    try {
      message.to(SystemServer.thread().getApplicationThread());
    } catch (RemoteException e) {
      throw new IllegalStateException(e);
    }
  }

  private static ServiceInfo resolve(Intent intent) {
    PackageManager packages = SystemServer.packages();
    try {
      if (intent.getComponent() != null) {
        return SystemServer.own(intent.getComponent().getPackageName())
            ? packages.getServiceInfo(intent.getComponent(), PackageManager.GET_META_DATA)
            : null;
      }
    } catch (PackageManager.NameNotFoundException e) {
      return null;
    }
    ResolveInfo found = packages.resolveService(intent, 0);
    return found == null || !SystemServer.own(found.serviceInfo.packageName) ? null : found.serviceInfo;
  }

  private Running obtain(ServiceInfo info) {
    Running known = running.get(new ComponentName(info.packageName, info.name));
    if (known != null) {
      return known;
    }
    info.applicationInfo = AppProcess.application().getApplicationInfo();
    Running service = new Running(info);
    running.put(service.name(), service);
    tell(process -> process.scheduleCreateService(service.token, info, null, 0));
    return service;
  }

  synchronized ComponentName start(Intent original) {
    Intent intent = SystemServer.copy(original);
    ServiceInfo info = resolve(intent);
    if (info == null) {
      system.recorder.left(intent, "service", false);
      return null;
    }
    Running service = obtain(info);
    service.started = true;
    int id = ++service.lastStart;
    List<ServiceStartArgs> args = new ArrayList<>();
    args.add(new ServiceStartArgs(false, id, 0, intent));
    tell(process -> process.scheduleServiceArgs(service.token, new ParceledListSlice<>(args)));
    return service.name();
  }

  synchronized int stop(Intent intent) {
    ServiceInfo info = resolve(intent);
    Running service = info == null ? null : running.get(new ComponentName(info.packageName, info.name));
    if (service == null) {
      return 0;
    }
    service.started = false;
    dropIfUnused(service);
    return 1;
  }

  synchronized boolean stopSelf(IBinder token, int startId) {
    for (Running service : running.values()) {
      if (service.token == token) {
        if (startId >= 0 && startId != service.lastStart) {
          return false;
        }
        service.started = false;
        dropIfUnused(service);
        return true;
      }
    }
    return false;
  }

  private void dropIfUnused(Running service) {
    if (service.started) {
      return;
    }
    for (Binding binding : service.bindings.values()) {
      if (!binding.connections.isEmpty()) {
        return;
      }
    }
    running.remove(service.name());
    tell(process -> process.scheduleStopService(service.token));
  }

  synchronized int bind(Intent original, IServiceConnection connection, long flags) {
    Intent intent = SystemServer.copy(original);
    ServiceInfo info = resolve(intent);
    if (info == null) {
      system.recorder.left(intent, "service", false);
      return 0;
    }
    boolean create = (flags & Context.BIND_AUTO_CREATE) != 0;
    if (!create && !running.containsKey(new ComponentName(info.packageName, info.name))) {
      return 1;
    }
    Running service = obtain(info);
    Binding binding = service.bindings.computeIfAbsent(new Intent.FilterComparison(intent), key -> new Binding(intent));
    boolean first = binding.connections.isEmpty();
    binding.connections.add(connection);
    if (binding.published) {
      connect(connection, service.name(), binding.binder);
      if (first && binding.rebind) {
        binding.rebind = false;
        tell(process -> process.scheduleBindService(service.token, intent, true, 0, 0));
      }
    } else if (first) {
      tell(process -> process.scheduleBindService(service.token, intent, false, 0, 0));
    }
    return 1;
  }

  synchronized void published(IBinder token, Intent intent, IBinder binder) {
    for (Running service : running.values()) {
      Binding binding = service.bindings.get(new Intent.FilterComparison(intent));
      if (service.token == token && binding != null && !binding.published) {
        binding.published = true;
        binding.binder = binder;
        for (IServiceConnection connection : binding.connections) {
          connect(connection, service.name(), binder);
        }
      }
    }
  }

  private static void connect(IServiceConnection connection, ComponentName name, IBinder binder) {
    try {
      connection.connected(name, binder, false);
    } catch (RemoteException e) {
      throw new IllegalStateException(e);
    }
  }

  synchronized boolean unbind(IServiceConnection connection) {
    for (Running service : new ArrayList<>(running.values())) {
      for (Binding binding : service.bindings.values()) {
        boolean removed = false;
        while (remove(binding.connections, connection)) {
          removed = true;
        }
        if (removed && binding.connections.isEmpty() && binding.published) {
          tell(process -> process.scheduleUnbindService(service.token, binding.intent));
        }
        if (removed) {
          dropIfUnused(service);
        }
      }
    }
    return true;
  }

  private static boolean remove(List<IServiceConnection> connections, IServiceConnection connection) {
    for (int i = 0; i < connections.size(); i++) {
      if (connections.get(i).asBinder() == connection.asBinder()) {
        connections.remove(i);
        return true;
      }
    }
    return false;
  }

  synchronized void unbound(IBinder token, Intent intent, boolean rebind) {
    for (Running service : running.values()) {
      Binding binding = service.bindings.get(new Intent.FilterComparison(intent));
      if (service.token == token && binding != null) {
        binding.rebind = rebind;
      }
    }
  }

  synchronized IBinder peek(Intent intent) {
    ServiceInfo info = resolve(intent);
    Running service = info == null ? null : running.get(new ComponentName(info.packageName, info.name));
    if (service != null) {
      for (Binding binding : service.bindings.values()) {
        if (binding.published) {
          return binding.binder;
        }
      }
    }
    return null;
  }
}
