package droidtest.app;

import android.app.PendingIntent;
import android.content.Intent;
import android.location.Location;
import android.location.LocationManager;
import android.os.SystemClock;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/** A place that the app wants to be alerted of when the device comes near it or leaves it. */
final class Alert {
  private static final List<Alert> ALL = new ArrayList<>();

  private final double latitude;
  private final double longitude;
  private final float radius;
  private final long until;
  private final PendingIntent intent;
  private boolean near;

  private Alert(double latitude, double longitude, float radius, long until, PendingIntent intent) {
    this.latitude = latitude;
    this.longitude = longitude;
    this.radius = radius;
    this.until = until;
    this.intent = intent;
  }

  /** @param lasts milliseconds, -1 for ever */
  static void add(double latitude, double longitude, float radius, long lasts, PendingIntent intent) {
    if (!Double.isFinite(latitude) || !Double.isFinite(longitude)) {
      return;
    }
    long now = SystemClock.elapsedRealtime();
    long until = lasts < 0 || lasts > Long.MAX_VALUE - now ? Long.MAX_VALUE : now + lasts;
    ALL.add(new Alert(latitude, longitude, radius, until, intent));
  }

  static void remove(PendingIntent intent) {
    ALL.removeIf(alert -> alert.intent.equals(intent));
  }

  /** The process life is over. */
  static void forget() {
    ALL.clear();
  }

  /** The device is here now. */
  static void locate(double latitude, double longitude) {
    expire();
    for (Alert alert : new ArrayList<>(ALL)) {
      float[] metres = new float[1];
      Location.distanceBetween(latitude, longitude, alert.latitude, alert.longitude, metres);
      boolean near = metres[0] <= alert.radius;
      if (near != alert.near) {
        alert.near = near;
        Intent news = new Intent().putExtra(LocationManager.KEY_PROXIMITY_ENTERING, near);
        try {
          alert.intent.send(AppProcess.application(), 0, news);
        } catch (PendingIntent.CanceledException e) {
          ALL.remove(alert);
        }
      }
    }
  }

  private static void expire() {
    ALL.removeIf(alert -> alert.until < SystemClock.elapsedRealtime());
  }

  /** Appends the places, as the protocol has them. */
  static void write(StringBuilder out) {
    expire();
    TreeSet<String> places = new TreeSet<>();
    for (Alert alert : ALL) {
      places.add("[" + alert.latitude + "," + alert.longitude + "]");
    }
    out.append(",\"places\":[").append(String.join(",", places)).append(']');
  }
}
