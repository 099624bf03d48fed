package droidtest.app;

import android.app.PendingIntent;
import android.content.Intent;
import java.util.Arrays;
import org.robolectric.shadows.ShadowPendingIntent;

/** Sends what the app has passed out for later: alarms, notifications. */
final class PendingIntents {
  private PendingIntents() {}

  static void send(ShadowPendingIntent pending, int code, Intent fillIn) {
    SystemServer system = SystemServer.current();
    if (system == null) {
      return;
    }
    Intent[] intents = pending.getSavedIntents();
    if (fillIn != null && (pending.getFlags() & PendingIntent.FLAG_IMMUTABLE) == 0) {
      intents = Arrays.copyOf(intents, intents.length);
      Intent filled = new Intent(intents[intents.length - 1]);
      filled.fillIn(fillIn, pending.getFlags());
      intents[intents.length - 1] = filled;
    }
    for (Intent intent : intents) {
      if (pending.isBroadcast()) {
        system.broadcasts.send(intent, null, null, code, null, null, false, false);
      } else if (pending.isActivity()) {
        // From outside the app there is no task to start it in.
        system.activities.start(new Intent(intent).addFlags(Intent.FLAG_ACTIVITY_NEW_TASK), null, null, null, -1);
      } else {
        system.services.start(intent);
      }
    }
  }
}
