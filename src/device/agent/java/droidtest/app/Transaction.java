package droidtest.app;

import android.app.ActivityThread;
import android.app.ClientTransactionHandler;
import android.app.IActivityClientController;
import android.app.ResultInfo;
import android.app.servertransaction.ActivityConfigurationChangeItem;
import android.app.servertransaction.ActivityLifecycleItem;
import android.app.servertransaction.ActivityRelaunchItem;
import android.app.servertransaction.ActivityResultItem;
import android.app.servertransaction.ClientTransaction;
import android.app.servertransaction.ClientTransactionItem;
import android.app.servertransaction.DestroyActivityItem;
import android.app.servertransaction.LaunchActivityItem;
import android.app.servertransaction.NewIntentItem;
import android.app.servertransaction.PauseActivityItem;
import android.app.servertransaction.ResumeActivityItem;
import android.app.servertransaction.StopActivityItem;
import android.app.servertransaction.TopResumedActivityChangeItem;
import android.content.res.Configuration;
import android.util.MergedConfiguration;
import com.android.internal.content.ReferrerIntent;
import droidtest.host.Host;
import java.lang.reflect.Executable;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.List;
import org.robolectric.util.ReflectionHelpers;
import org.robolectric.util.ReflectionHelpers.ClassParameter;

/**
 * What the activity manager has an activity do, in the words of the Android version: up to 34 a transaction is for one
 * activity, from 35 on each of its items names its own; up to 35 items come out of {@code obtain}, later out of constructors.
 */
final class Transaction {
  private static final int EACH_NAMES_ITS_OWN = 35;
  private static final int CONSTRUCTORS = 36;
  private static final String ITEMS = "android.app.servertransaction.";
  private static final int SDK = Host.options().sdk();
  /** A process in front. */
  private static final int TOP = 2;

  private final Record record;
  private final ClientTransaction made;

  Transaction(Record record) {
    this.record = record;
    android.app.IApplicationThread client = SystemServer.thread().getApplicationThread();
    made =
        SDK < EACH_NAMES_ITS_OWN
            ? ClientTransaction.obtain(client, record.token)
            : (ClientTransaction) made("ClientTransaction", client);
  }

  /** Starts the activity, with the state it saved. */
  Transaction launch(Configuration config, List<ResultInfo> results, List<ReferrerIntent> intents) {
    int ident = System.identityHashCode(record);
    String app = AppProcess.packageName();
    IActivityClientController controller = SystemServer.clientController();
    Configuration none = new Configuration();
    return then(
        SDK < EACH_NAMES_ITS_OWN
            ? LaunchActivityItem.obtain(
                record.intent, ident, record.info, config, none, 0, app, null, TOP, record.saved, null, results, intents, null,
                true, null, record.token, controller, record.token, false, null)
            : made(
                "LaunchActivityItem", record.token, record.intent, ident, record.info, config, none, 0, app, null, TOP,
                record.saved, null, results, intents, null, true, null, record.token, controller, record.token, false, null,
                null, window()));
  }

  Transaction newIntents(List<ReferrerIntent> intents) {
    return then(
        SDK < EACH_NAMES_ITS_OWN
            ? NewIntentItem.obtain(intents, true)
            : made("NewIntentItem", record.token, intents, true));
  }

  Transaction results(List<ResultInfo> results) {
    return then(
        SDK < EACH_NAMES_ITS_OWN
            ? ActivityResultItem.obtain(results)
            : made("ActivityResultItem", record.token, results));
  }

  Transaction changed(Configuration now) {
    return then(
        SDK < EACH_NAMES_ITS_OWN
            ? ActivityConfigurationChangeItem.obtain(now)
            : made("ActivityConfigurationChangeItem", record.token, now, window()));
  }

  /** Recreates the activity for changes that it does not handle. */
  Transaction relaunch(int changes, Configuration now) {
    MergedConfiguration merged = new MergedConfiguration(now, new Configuration());
    return then(
        SDK < EACH_NAMES_ITS_OWN
            ? ActivityRelaunchItem.obtain(null, null, changes, merged, false)
            : made("ActivityRelaunchItem", record.token, null, null, changes, merged, false, window()));
  }

  Transaction resume() {
    return then(
        SDK < EACH_NAMES_ITS_OWN
            ? ResumeActivityItem.obtain(true, false)
            : made("ResumeActivityItem", record.token, true, false));
  }

  /** @param leaving whether the user does: then the activity hears of it */
  Transaction pause(boolean finished, boolean leaving) {
    return then(
        SDK < EACH_NAMES_ITS_OWN
            ? PauseActivityItem.obtain(finished, leaving, 0, false, false)
            : made("PauseActivityItem", record.token, finished, leaving, false, false));
  }

  /** Whether it is the one that the user works with, since Android 10. */
  Transaction topResumed(boolean top) {
    return then(
        SDK < EACH_NAMES_ITS_OWN
            ? TopResumedActivityChangeItem.obtain(top)
            : made("TopResumedActivityChangeItem", record.token, top));
  }

  Transaction stop() {
    return then(SDK < EACH_NAMES_ITS_OWN ? StopActivityItem.obtain(0) : made("StopActivityItem", record.token));
  }

  Transaction destroy() {
    return then(
        SDK < EACH_NAMES_ITS_OWN
            ? DestroyActivityItem.obtain(true, 0)
            : made("DestroyActivityItem", record.token, true));
  }

  void execute() {
    ActivityThread thread = SystemServer.thread();
    ReflectionHelpers.callInstanceMethod(
        made, "preExecute", ClassParameter.from(ClientTransactionHandler.class, thread));
    Object executor = ReflectionHelpers.callInstanceMethod(thread, "getTransactionExecutor");
    ReflectionHelpers.callInstanceMethod(executor, "execute", ClassParameter.from(ClientTransaction.class, made));
  }

  private Transaction then(Object item) {
    if (SDK >= EACH_NAMES_ITS_OWN) {
      ReflectionHelpers.callInstanceMethod(
          made, "addTransactionItem", ClassParameter.from(ClientTransactionItem.class, item));
    } else if (item instanceof ActivityLifecycleItem state) {
      made.setLifecycleStateRequest(state);
    } else {
      made.addCallback((ClientTransactionItem) item);
    }
    return this;
  }

  private static Object window() {
    try {
      return Class.forName("android.window.ActivityWindowInfo").getDeclaredConstructor().newInstance();
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  /** An item of a version that this code is not compiled against, by what it is made of. */
  private static Object made(String type, Object... of) {
    try {
      Class<?> item = Class.forName(ITEMS + type);
      boolean constructors = SDK >= CONSTRUCTORS;
      for (Executable way : constructors ? item.getDeclaredConstructors() : item.getDeclaredMethods()) {
        if ((constructors || way.getName().equals("obtain")) && takes(way.getParameterTypes(), of)) {
          way.setAccessible(true);
          return way instanceof Constructor<?> make ? make.newInstance(of) : ((Method) way).invoke(null, of);
        }
      }
    } catch (InvocationTargetException e) {
      throw new IllegalStateException(e.getCause());
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
    throw new IllegalStateException("Android " + SDK + " has another " + type);
  }

  private static boolean takes(Class<?>[] types, Object[] values) {
    boolean all = types.length == values.length;
    for (int i = 0; all && i < types.length; i++) {
      Class<?> type = java.lang.invoke.MethodType.methodType(types[i]).wrap().returnType();
      all = values[i] == null ? !types[i].isPrimitive() : type.isInstance(values[i]);
    }
    return all;
  }
}
