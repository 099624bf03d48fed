package droidtest.app;

import android.content.Context;
import android.hardware.Sensor;
import android.hardware.SensorEvent;
import android.hardware.SensorEventListener;
import android.hardware.SensorManager;
import android.location.GpsStatus;
import android.location.Location;
import android.location.LocationManager;
import android.os.Build;
import android.os.SystemClock;
import android.telephony.PhoneStateListener;
import android.telephony.TelephonyCallback;
import android.telephony.TelephonyManager;
import com.google.common.collect.Multimap;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.WeakHashMap;
import org.robolectric.Shadows;
import org.robolectric.shadows.SensorEventBuilder;
import org.robolectric.shadows.ShadowLocationManager;
import org.robolectric.shadows.ShadowSensor;
import org.robolectric.shadows.ShadowSensorManager;
import org.robolectric.shadows.ShadowTelephonyManager;
import org.robolectric.util.ReflectionHelpers;

/** The device's sensors and location, and the app's listeners. */
final class Senses {
  /** What a plain phone has. */
  private static final int[] SENSORS = {
    Sensor.TYPE_ACCELEROMETER, Sensor.TYPE_MAGNETIC_FIELD, Sensor.TYPE_GYROSCOPE, Sensor.TYPE_LIGHT,
    Sensor.TYPE_PROXIMITY, Sensor.TYPE_GRAVITY, Sensor.TYPE_LINEAR_ACCELERATION, Sensor.TYPE_ROTATION_VECTOR, 3
  };
  private static final String[] PROVIDERS = {LocationManager.GPS_PROVIDER, LocationManager.NETWORK_PROVIDER};

  /** Each context of the app has separate managers, and each manager its listeners. */
  static final Set<ShadowLocationManager> PLACES = Collections.newSetFromMap(new WeakHashMap<>());
  static final Set<ShadowTelephonyManager> PHONES = Collections.newSetFromMap(new WeakHashMap<>());

  private Senses() {}

  /** The process life is over. */
  static void forget() {
    PLACES.clear();
    PHONES.clear();
    Alert.forget();
    Audio.forget();
  }

  /** Puts the sensors in and switches the location on. */
  static void install() {
    ShadowSensorManager sensors = Shadows.shadowOf(service(SensorManager.class));
    for (int type : SENSORS) {
      sensors.addSensor(Hardware.described(ShadowSensor.newInstance(type)));
    }
    ShadowLocationManager location = Shadows.shadowOf(service(LocationManager.class));
    location.setLocationEnabled(true);
    for (String provider : PROVIDERS) {
      location.setProviderEnabled(provider, true);
    }
  }

  private static <T> T service(Class<T> type) {
    Context context = AppProcess.application();
    return context.getSystemService(type);
  }

  /** @param values the sensor's type, then its values */
  static void feel(List<?> values) {
    int type = (int) number(values, 0, Sensor.TYPE_ACCELEROMETER);
    float[] felt = new float[Math.max(3, values.size() - 1)];
    for (int i = 1; i < values.size(); i++) {
      felt[i - 1] = (float) number(values, i, 0);
    }
    for (Map.Entry<SensorEventListener, Sensor> entry : listeners()) {
      if (entry.getValue().getType() == type) {
        SensorEvent event =
            SensorEventBuilder.newBuilder()
                .setSensor(entry.getValue())
                .setTimestamp(SystemClock.elapsedRealtimeNanos())
                .setValues(felt)
                .build();
        entry.getKey().onSensorChanged(event);
      }
    }
  }

  /** @param values latitude, longitude, accuracy in metres */
  static void locate(List<?> values) {
    for (String provider : PROVIDERS) {
      Location here = new Location(provider);
      here.setLatitude(number(values, 0, 0));
      here.setLongitude(number(values, 1, 0));
      here.setAccuracy((float) number(values, 2, 10));
      here.setTime(droidtest.host.box.Clock.currentTimeMillis());
      here.setElapsedRealtimeNanos(SystemClock.elapsedRealtimeNanos());
      for (ShadowLocationManager place : new ArrayList<>(PLACES)) {
        place.simulateLocation(here);
      }
    }
    double latitude = number(values, 0, 0);
    double longitude = number(values, 1, 0);
    for (ShadowLocationManager place : new ArrayList<>(PLACES)) {
      place.simulateGnssStatusFirstFix(1000);
      for (GpsStatus.Listener listener : place.getGpsStatusListeners()) {
        listener.onGpsStatusChanged(GpsStatus.GPS_EVENT_FIRST_FIX);
      }
      place.simulateNmeaMessage(sentence(latitude, longitude), droidtest.host.box.Clock.currentTimeMillis());
    }
    Alert.locate(latitude, longitude);
  }

  /** The fix as a receiver says it: NMEA 0183's sentence GGA, at noon, of eight satellites. */
  private static String sentence(double latitude, double longitude) {
    String fix =
        String.format(
            Locale.ROOT,
            "GPGGA,120000,%s,%s,%s,%s,1,08,0.9,0.0,M,0.0,M,,",
            minutes(latitude, 2),
            latitude < 0 ? "S" : "N",
            minutes(longitude, 3),
            longitude < 0 ? "W" : "E");
    int sum = 0;
    for (int i = 0; i < fix.length(); i++) {
      sum ^= fix.charAt(i);
    }
    return String.format(Locale.ROOT, "$%s*%02X\r\n", fix, sum);
  }

  /** Degrees and minutes; in whole parts of ten thousand, so that no minute is 60. */
  private static String minutes(double degrees, int digits) {
    long parts = Math.round(Math.abs(degrees) * 600_000);
    return String.format(
        Locale.ROOT, "%0" + digits + "d%02d.%04d", parts / 600_000, parts % 600_000 / 10_000, parts % 10_000);
  }

  /**
   * The state of the phone's calls changes.
   *
   * @param state IDLE, RINGING or OFFHOOK
   * @param number the caller's, of a phone that rings
   */
  static void call(String state, String number) {
    int to =
        state.equals(TelephonyManager.EXTRA_STATE_RINGING)
            ? TelephonyManager.CALL_STATE_RINGING
            : state.equals(TelephonyManager.EXTRA_STATE_OFFHOOK)
                ? TelephonyManager.CALL_STATE_OFFHOOK
                : TelephonyManager.CALL_STATE_IDLE;
    Audio.call(to == TelephonyManager.CALL_STATE_IDLE);
    boolean rings = to == TelephonyManager.CALL_STATE_RINGING;
    for (ShadowTelephonyManager phone : new ArrayList<>(PHONES)) {
      // Its own `setCallState` gives listeners null where Android gives an empty number.
      ReflectionHelpers.setField(phone, "callState", to);
      ReflectionHelpers.setField(phone, "incomingPhoneNumber", rings ? number : null);
      Map<PhoneStateListener, Integer> listening = ReflectionHelpers.getField(phone, "phoneStateRegistrations");
      for (Map.Entry<PhoneStateListener, Integer> entry : new ArrayList<>(listening.entrySet())) {
        if ((entry.getValue() & PhoneStateListener.LISTEN_CALL_STATE) != 0) {
          entry.getKey().onCallStateChanged(to, rings ? number : "");
        }
      }
      List<?> callbacks = ReflectionHelpers.getField(phone, "telephonyCallbackRegistrations");
      for (Object callback : new ArrayList<>(callbacks)) {
        if (Build.VERSION.SDK_INT >= Build.VERSION_CODES.S && callback instanceof TelephonyCallback.CallStateListener) {
          ((TelephonyCallback.CallStateListener) callback).onCallStateChanged(to);
        }
      }
    }
  }

  private static double number(List<?> values, int index, double otherwise) {
    return index < values.size() && values.get(index) instanceof Number
        ? ((Number) values.get(index)).doubleValue()
        : otherwise;
  }

  private static List<Map.Entry<SensorEventListener, Sensor>> listeners() {
    Multimap<SensorEventListener, Sensor> all =
        ReflectionHelpers.getStaticField(ShadowSensorManager.class, "listeners");
    return new ArrayList<>(all.entries());
  }

  /** Appends what the app listens to, as the protocol has it. */
  static void write(StringBuilder out) {
    if (AppProcess.application() == null) {
      out.append(",\"location\":false,\"sensors\":[],\"telephony\":false,\"places\":[],\"audio_focus\":false,\"media_keys\":false");
      return;
    }
    TreeSet<Integer> sensors = new TreeSet<>();
    for (Map.Entry<SensorEventListener, Sensor> entry : listeners()) {
      sensors.add(entry.getValue().getType());
    }
    boolean located = false;
    for (ShadowLocationManager place : PLACES) {
      located |= !place.getLocationUpdateListeners().isEmpty();
      located |= !place.getLocationUpdatePendingIntents().isEmpty();
      located |= !place.getGpsStatusListeners().isEmpty();
      for (String transports : new String[] {"gnssStatusTransports", "nmeaMessageTransports"}) {
        Collection<?> listening = ReflectionHelpers.getField(place, transports);
        located |= !listening.isEmpty();
      }
    }
    out.append(",\"location\":").append(located);
    out.append(",\"sensors\":").append(sensors);
    boolean called = false;
    for (ShadowTelephonyManager phone : PHONES) {
      Map<?, ?> listening = ReflectionHelpers.getField(phone, "phoneStateRegistrations");
      List<?> callbacks = ReflectionHelpers.getField(phone, "telephonyCallbackRegistrations");
      called |= !listening.isEmpty() || !callbacks.isEmpty();
    }
    out.append(",\"telephony\":").append(called);
    Alert.write(out);
    Audio.write(out);
  }
}
