package org.droidtest.probe;

import android.app.PendingIntent;
import android.content.BroadcastReceiver;
import android.content.Context;
import android.content.Intent;
import android.content.IntentFilter;
import android.location.GnssStatus;
import android.location.Location;
import android.location.LocationManager;
import android.location.OnNmeaMessageListener;
import android.media.AudioFocusRequest;
import android.media.AudioManager;
import android.view.KeyEvent;

/** What an app registers for beside listeners of positions, sensors and calls: one button for each. */
@SuppressWarnings("deprecation")
public final class RegisteredActivity extends Screen {
    private static final String NEAR = "org.droidtest.probe.NEAR";
    private static final String BUTTON = "org.droidtest.probe.BUTTON";
    private static final String OTHER = "org.droidtest.probe.OTHER";
    private static final String MOVED = "org.droidtest.probe.MOVED";

    private final AudioManager.OnAudioFocusChangeListener focus = change -> result("focus " + change);
    private final OnNmeaMessageListener sentences = (sentence, at) -> result("said " + sentence.trim());
    private final GnssStatus.Callback satellites =
            new GnssStatus.Callback() {
                @Override
                public void onFirstFix(int took) {
                    result("first fix");
                }
            };
    private final BroadcastReceiver receiver =
            new BroadcastReceiver() {
                @Override
                public void onReceive(Context context, Intent intent) {
                    if (NEAR.equals(intent.getAction())) {
                        result("near " + intent.getBooleanExtra(LocationManager.KEY_PROXIMITY_ENTERING, false));
                    } else if (MOVED.equals(intent.getAction())) {
                        Location here = intent.getParcelableExtra(LocationManager.KEY_LOCATION_CHANGED);
                        result("moved to " + here.getLatitude());
                    } else if (OTHER.equals(intent.getAction())) {
                        result("the other receiver");
                    } else {
                        KeyEvent key = intent.getParcelableExtra(Intent.EXTRA_KEY_EVENT);
                        result("button " + key.getKeyCode());
                    }
                }
            };

    @Override
    void fill() {
        IntentFilter all = new IntentFilter(NEAR);
        all.addAction(BUTTON);
        all.addAction(OTHER);
        all.addAction(MOVED);
        registerReceiver(receiver, all, Context.RECEIVER_NOT_EXPORTED);
        AudioManager audio = getSystemService(AudioManager.class);
        LocationManager location = getSystemService(LocationManager.class);
        button(
                R.id.hear_focus,
                () ->
                        result(
                                "focus asked "
                                        + audio.requestAudioFocus(
                                                focus, AudioManager.STREAM_MUSIC, AudioManager.AUDIOFOCUS_GAIN)));
        button(R.id.hear_sentences, () -> location.addNmeaListener(sentences, main));
        button(R.id.hear_satellites, () -> location.registerGnssStatusCallback(satellites, main));
        button(R.id.hear_place, () -> location.addProximityAlert(52.5, 13.25, 100, -1, pending(NEAR)));
        button(R.id.hear_button, () -> audio.registerMediaButtonEventReceiver(pending(BUTTON)));
        button(
                R.id.hear_request,
                () ->
                        result(
                                "focus asked "
                                        + audio.requestAudioFocus(
                                                new AudioFocusRequest.Builder(AudioManager.AUDIOFOCUS_GAIN)
                                                        .setOnAudioFocusChangeListener(focus)
                                                        .build())));
        button(
                R.id.hear_moves,
                () -> location.requestLocationUpdates(LocationManager.GPS_PROVIDER, 0, 0, pending(MOVED)));
        button(
                R.id.hear_once,
                () -> {
                    location.addProximityAlert(Double.NaN, 13.25, 100, -1, pending(NEAR));
                    location.addProximityAlert(
                            52.5, 13.25, 100, Long.MAX_VALUE, pending(NEAR, PendingIntent.FLAG_ONE_SHOT));
                });
        button(
                R.id.hear_again,
                () -> {
                    audio.registerMediaButtonEventReceiver(pending(BUTTON));
                    audio.registerMediaButtonEventReceiver(pending(OTHER));
                    audio.registerMediaButtonEventReceiver(pending(BUTTON));
                });
        button(
                R.id.hear_none,
                () -> {
                    audio.abandonAudioFocus(focus);
                    audio.unregisterMediaButtonEventReceiver(pending(BUTTON));
                    location.removeNmeaListener(sentences);
                    location.unregisterGnssStatusCallback(satellites);
                    location.removeProximityAlert(pending(NEAR));
                    result("nothing is heard");
                });
    }

    private PendingIntent pending(String action) {
        return pending(action, 0);
    }

    private PendingIntent pending(String action, int more) {
        Intent intent = new Intent(action).setPackage(getPackageName());
        return PendingIntent.getBroadcast(this, 0, intent, PendingIntent.FLAG_MUTABLE | more);
    }

    @Override
    protected void onDestroy() {
        unregisterReceiver(receiver);
        super.onDestroy();
    }
}
