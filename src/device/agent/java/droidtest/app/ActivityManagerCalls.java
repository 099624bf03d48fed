package droidtest.app;

import android.app.IServiceConnection;
import android.content.IIntentReceiver;
import android.content.Intent;
import android.content.IntentFilter;
import android.content.pm.PackageManager;
import android.os.Bundle;
import android.os.IBinder;
import android.os.RemoteCallback;

/** Calls of the app's process to the activity manager; see {@link Binders} for how calls get here. */
final class ActivityManagerCalls {
  private static final ActivityManagerCalls INSTANCE = new ActivityManagerCalls();

  private ActivityManagerCalls() {}

  static ActivityManagerCalls current() {
    return INSTANCE;
  }

  private static SystemServer system() {
    return SystemServer.current();
  }

  Object startService(Object[] args) {
    return system().services.start((Intent) args[1]);
  }

  Object stopService(Object[] args) {
    return system().services.stop((Intent) args[1]);
  }

  Object stopServiceToken(Object[] args) {
    return system().services.stopSelf((IBinder) args[1], (int) args[2]);
  }

  Object bindService(Object[] args) {
    return system().services.bind((Intent) args[2], (IServiceConnection) args[4], flags(args[5]));
  }

  Object bindServiceInstance(Object[] args) {
    return bindService(args);
  }

  private static long flags(Object flags) {
    return ((Number) flags).longValue();
  }

  Object unbindService(Object[] args) {
    return system().services.unbind((IServiceConnection) args[0]);
  }

  Object publishService(Object[] args) {
    system().services.published((IBinder) args[0], (Intent) args[1], (IBinder) args[2]);
    return null;
  }

  Object unbindFinished(Object[] args) {
    system().services.unbound((IBinder) args[0], (Intent) args[1], (boolean) args[2]);
    return null;
  }

  /** (caller, package, feature, receiverId, receiver, filter, permission, user, flags). */
  Object registerReceiverWithFeature(Object[] args) {
    return system().broadcasts.register(
        Binders.first(args, IIntentReceiver.class), Binders.first(args, IntentFilter.class));
  }

  Object registerReceiver(Object[] args) {
    return registerReceiverWithFeature(args);
  }

  Object unregisterReceiver(Object[] args) {
    system().broadcasts.unregister((IIntentReceiver) args[0]);
    return null;
  }

  /** (caller, feature, intent, type, resultTo, code, data, extras, .., serialized, sticky, user). */
  Object broadcastIntentWithFeature(Object[] args) {
    system().broadcasts.send(
        (Intent) args[2], (String) args[3], (IIntentReceiver) args[4], (int) args[5], (String) args[6],
        (Bundle) args[7], (boolean) args[args.length - 3], (boolean) args[args.length - 2]);
    return 0;
  }

  Object finishReceiver(Object[] args) {
    system().broadcasts.finished((int) args[1], (String) args[2], (Bundle) args[3], (boolean) args[4]);
    return null;
  }

  Object getContentProvider(Object[] args) {
    return system().providers.get((String) args[2]);
  }

  /** Asked where the app itself cannot open the provider, and waited for: of what it may not read it learns no type. */
  Object getMimeTypeFilterAsync(Object[] args) {
    Binders.first(args, RemoteCallback.class).sendResult(new Bundle());
    return null;
  }

  Object getProviderMimeTypeAsync(Object[] args) {
    return getMimeTypeFilterAsync(args);
  }

  Object checkPermission(Object[] args) {
    return AppProcess.permissions() == null || AppProcess.permissions().granted((String) args[0])
        ? PackageManager.PERMISSION_GRANTED
        : PackageManager.PERMISSION_DENIED;
  }

  Object checkPermissionForDevice(Object[] args) {
    return checkPermission(args);
  }

  Object checkUriPermission(Object[] args) {
    return PackageManager.PERMISSION_GRANTED;
  }

  Object isUserRunning(Object[] args) {
    return true;
  }

  Object getCurrentUserId(Object[] args) {
    return 0;
  }

  Object peekService(Object[] args) {
    return system().services.peek((Intent) args[0]);
  }

  Object refContentProvider(Object[] args) {
    return true;
  }
}
