package droidtest.app;

import android.Manifest;
import android.app.Activity;
import android.app.PendingIntent;
import android.content.pm.PackageManager;
import android.os.Handler;
import android.os.Looper;
import android.telephony.SmsManager;
import com.android.internal.telephony.ISms;
import java.util.ArrayList;
import java.util.List;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.shadows.ShadowSmsManager;

/** A phone that can send messages: each is sent and delivered immediately, and the caller is notified. */
@Implements(SmsManager.class)
public final class Sms extends ShadowSmsManager {
  /** The first SIM card's. */
  private static final int SUBSCRIPTION = 1;

  @Implementation
  protected static ISms getISmsService() {
    return Binders.proxy(ISms.class, Calls.class, Calls::new);
  }

  /** What newer versions ask first, whatever the app wants. */
  @Implementation
  protected static ISms getISmsServiceOrThrow() {
    return getISmsService();
  }

  @Override
  @Implementation
  protected void sendTextMessage(String to, String center, String text, PendingIntent sent, PendingIntent delivered) {
    allow();
    super.sendTextMessage(to, center, text, sent, delivered);
    tell(sent, delivered);
  }

  @Override
  @Implementation(minSdk = 30)
  protected void sendTextMessage(
      String to, String center, String text, PendingIntent sent, PendingIntent delivered, long id) {
    allow();
    super.sendTextMessage(to, center, text, sent, delivered, id);
    tell(sent, delivered);
  }

  @Override
  @Implementation
  protected void sendMultipartTextMessage(
      String to, String center, ArrayList<String> parts, ArrayList<PendingIntent> sent, ArrayList<PendingIntent> delivered) {
    allow();
    super.sendMultipartTextMessage(to, center, parts, sent, delivered);
    for (int part = 0; part < parts.size(); part++) {
      tell(at(sent, part), at(delivered, part));
    }
  }

  @Override
  @Implementation
  protected void sendDataMessage(
      String to, String center, short port, byte[] data, PendingIntent sent, PendingIntent delivered) {
    allow();
    super.sendDataMessage(to, center, port, data, sent, delivered);
    tell(sent, delivered);
  }

  private static void allow() {
    if (AppProcess.application().checkSelfPermission(Manifest.permission.SEND_SMS) != PackageManager.PERMISSION_GRANTED) {
      throw new SecurityException("Sending SMS message: the app does not have " + Manifest.permission.SEND_SMS);
    }
  }

  private static PendingIntent at(List<PendingIntent> intents, int part) {
    return intents != null && part < intents.size() ? intents.get(part) : null;
  }

  private static void tell(PendingIntent... intents) {
    for (PendingIntent intent : intents) {
      if (intent != null) {
        new Handler(Looper.getMainLooper()).post(() -> send(intent));
      }
    }
  }

  private static void send(PendingIntent intent) {
    try {
      intent.send(Activity.RESULT_OK);
    } catch (PendingIntent.CanceledException e) {
      // Nobody wants to hear of it any more.
    }
  }

  /** What the service says of itself. */
  static final class Calls {
    Object getPreferredSmsSubscription(Object[] args) {
      return SUBSCRIPTION;
    }

    Object isSmsSimPickActivityNeeded(Object[] args) {
      return false;
    }
  }
}
