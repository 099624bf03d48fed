package org.droidtest.probe;

import android.app.Activity;
import android.appwidget.AppWidgetManager;
import android.content.BroadcastReceiver;
import android.content.Context;
import android.content.Intent;
import android.content.IntentFilter;
import android.content.SharedPreferences;
import android.hardware.Sensor;
import android.hardware.SensorEvent;
import android.hardware.SensorEventListener;
import android.hardware.SensorManager;
import android.location.Location;
import android.location.LocationListener;
import android.location.LocationManager;
import android.net.NetworkInfo;
import android.net.Uri;
import android.net.wifi.WifiManager;
import android.os.Bundle;
import android.os.Environment;
import android.provider.Telephony;
import android.telephony.PhoneStateListener;
import android.telephony.SmsMessage;
import android.telephony.TelephonyManager;
import android.view.KeyEvent;
import java.util.Arrays;

/** What comes from outside: sensors, the place, calls, ordered and sticky broadcasts; and an own crash handler. */
@SuppressWarnings("deprecation")
public final class SensesActivity extends Screen {
    private static final String ORDERED = "org.droidtest.probe.ORDERED";

    private final SensorEventListener sensor =
            new SensorEventListener() {
                @Override
                public void onSensorChanged(SensorEvent event) {
                    result("felt " + event.values[0] + " " + event.values[1] + " " + event.values[2]);
                }

                @Override
                public void onAccuracyChanged(Sensor which, int accuracy) {}
            };
    private final LocationListener location =
            new LocationListener() {
                @Override
                public void onLocationChanged(Location here) {
                    result("at " + here.getLatitude() + " " + here.getLongitude());
                }

                @Override
                public void onStatusChanged(String provider, int status, Bundle extras) {}

                @Override
                public void onProviderEnabled(String provider) {}

                @Override
                public void onProviderDisabled(String provider) {}
            };
    private final BroadcastReceiver announced =
            new BroadcastReceiver() {
                @Override
                public void onReceive(Context context, Intent intent) {
                    result("heard of " + news(intent));
                }
            };
    private final PhoneStateListener phone =
            new PhoneStateListener() {
                @Override
                public void onCallStateChanged(int state, String number) {
                    result("call " + state + " of " + number);
                }
            };

    @Override
    void fill() {
        text(R.id.label, "handled " + handled().getInt("count", 0));
        button(R.id.listen_sensor, this::listenSensor);
        button(R.id.listen_location, this::listenLocation);
        button(R.id.listen_phone, () -> listenPhone(PhoneStateListener.LISTEN_CALL_STATE));
        button(R.id.listen_none, this::listenNone);
        button(R.id.announcements, this::announcements);
        button(R.id.ordered, this::ordered);
        button(R.id.sticky, this::sticky);
        button(
                R.id.intent_service,
                () -> startService(new Intent(this, ProbeIntentService.class).putExtra("number", 7)));
        button(
                R.id.alias,
                () -> startActivity(new Intent().setClassName(this, "org.droidtest.probe.AliasActivity")));
        button(R.id.handler_crash, this::crashHandled);
    }

    private SharedPreferences handled() {
        return getSharedPreferences("handled", MODE_PRIVATE);
    }

    /** What only Android may send, with what it puts in. */
    private void announcements() {
        IntentFilter packages = new IntentFilter(Intent.ACTION_PACKAGE_ADDED);
        packages.addDataScheme("package");
        IntentFilter others = new IntentFilter(WifiManager.NETWORK_STATE_CHANGED_ACTION);
        others.addAction(Telephony.Sms.Intents.SMS_RECEIVED_ACTION);
        others.addAction(Intent.ACTION_MEDIA_BUTTON);
        others.addAction(AppWidgetManager.ACTION_APPWIDGET_UPDATE);
        IntentFilter card = new IntentFilter(Intent.ACTION_MEDIA_MOUNTED);
        card.addAction(Intent.ACTION_MEDIA_UNMOUNTED);
        card.addAction(Intent.ACTION_MEDIA_SCANNER_FINISHED);
        card.addDataScheme("file");
        for (IntentFilter filter : new IntentFilter[] {packages, others, card}) {
            getApplicationContext().registerReceiver(announced, filter);
        }
        result("waiting for news");
    }

    private String news(Intent intent) {
        switch (intent.getAction()) {
            case Intent.ACTION_PACKAGE_ADDED:
                return intent.getData().getSchemeSpecificPart();
            case WifiManager.NETWORK_STATE_CHANGED_ACTION:
                NetworkInfo network = intent.getParcelableExtra(WifiManager.EXTRA_NETWORK_INFO);
                return "wifi " + network.getDetailedState();
            case Intent.ACTION_MEDIA_BUTTON:
                KeyEvent key = intent.getParcelableExtra(Intent.EXTRA_KEY_EVENT);
                return "key " + key.getKeyCode() + " " + (key.getAction() == KeyEvent.ACTION_UP);
            case Intent.ACTION_MEDIA_MOUNTED:
            case Intent.ACTION_MEDIA_UNMOUNTED:
            case Intent.ACTION_MEDIA_SCANNER_FINISHED:
                Uri card = Uri.fromFile(Environment.getExternalStorageDirectory());
                return intent.getAction().replaceFirst(".*MEDIA_", "") + " " + card.equals(intent.getData());
            case AppWidgetManager.ACTION_APPWIDGET_UPDATE:
                return "widgets " + Arrays.toString(intent.getIntArrayExtra(AppWidgetManager.EXTRA_APPWIDGET_IDS));
            default:
                SmsMessage message = Telephony.Sms.Intents.getMessagesFromIntent(intent)[0];
                return message.getMessageBody() + " by " + message.getOriginatingAddress();
        }
    }

    private void listenSensor() {
        SensorManager sensors = getSystemService(SensorManager.class);
        Sensor which = sensors.getDefaultSensor(Sensor.TYPE_ACCELEROMETER);
        result("listening " + sensors.registerListener(sensor, which, SensorManager.SENSOR_DELAY_NORMAL));
    }

    private void listenLocation() {
        getSystemService(LocationManager.class)
                .requestLocationUpdates(LocationManager.GPS_PROVIDER, 0, 0, location);
        result("waiting for the place");
    }

    private void listenPhone(int what) {
        getSystemService(TelephonyManager.class).listen(phone, what);
    }

    private void listenNone() {
        getSystemService(SensorManager.class).unregisterListener(sensor);
        getSystemService(LocationManager.class).removeUpdates(location);
        listenPhone(PhoneStateListener.LISTEN_NONE);
    }

    /** The first adds one, the second two, and the last tells. */
    private void ordered() {
        for (int order = 1; order <= 2; order++) {
            IntentFilter filter = new IntentFilter(ORDERED);
            filter.setPriority(10 - order);
            registerReceiver(adding(order), filter, Context.RECEIVER_NOT_EXPORTED);
        }
        BroadcastReceiver last =
                new BroadcastReceiver() {
                    @Override
                    public void onReceive(Context context, Intent intent) {
                        result("ordered ended with " + getResultCode() + " " + getResultData());
                    }
                };
        Intent intent = new Intent(ORDERED).setPackage(getPackageName());
        sendOrderedBroadcast(intent, null, last, null, Activity.RESULT_FIRST_USER, "0", null);
    }

    private static BroadcastReceiver adding(int order) {
        return new BroadcastReceiver() {
            @Override
            public void onReceive(Context context, Intent intent) {
                setResultCode(getResultCode() + order);
                setResultData(getResultData() + order);
            }
        };
    }

    private void sticky() {
        Intent battery = registerReceiver(null, new IntentFilter(Intent.ACTION_BATTERY_CHANGED));
        result("battery " + (battery == null ? "unknown" : battery.getIntExtra("level", -1)));
    }

    /** Sets a handler of its own, as crash reporters do: it notes the crash and hands it on. */
    private void crashHandled() {
        Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
        SharedPreferences handled = handled();
        Thread.setDefaultUncaughtExceptionHandler(
                (thread, error) -> {
                    handled.edit().putInt("count", handled.getInt("count", 0) + 1).commit();
                    before.uncaughtException(thread, error);
                });
        throw new IllegalStateException("thrown with a handler");
    }
}
