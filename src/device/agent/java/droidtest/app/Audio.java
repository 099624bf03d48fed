package droidtest.app;

import android.app.PendingIntent;
import android.content.ComponentName;
import android.content.Context;
import android.content.Intent;
import android.media.AudioManager;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.Set;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.shadows.ShadowAudioManager;

/** Who holds the audio focus, and who gets the media buttons. */
public final class Audio {
  private static final Set<AudioManager.OnAudioFocusChangeListener> FOCUS = new LinkedHashSet<>();
  /** Components and pending intents. */
  private static final Set<Object> RECEIVERS = new LinkedHashSet<>();

  private static boolean lost;

  private Audio() {}

  /** The process life is over. */
  static void forget() {
    FOCUS.clear();
    RECEIVERS.clear();
    lost = false;
  }

  /** A call takes the focus while it lasts. */
  static void call(boolean idle) {
    if (lost == !idle) {
      return;
    }
    lost = !idle;
    int change = lost ? AudioManager.AUDIOFOCUS_LOSS_TRANSIENT : AudioManager.AUDIOFOCUS_GAIN;
    for (AudioManager.OnAudioFocusChangeListener listener : new ArrayList<>(FOCUS)) {
      listener.onAudioFocusChange(change);
    }
  }

  /** A media button goes to the receiver that was registered last. */
  static boolean press(Intent button) {
    Object receiver = null;
    for (Object registered : RECEIVERS) {
      receiver = registered;
    }
    if (receiver instanceof PendingIntent) {
      try {
        ((PendingIntent) receiver).send(AppProcess.application(), 0, button);
      } catch (PendingIntent.CanceledException e) {
        RECEIVERS.remove(receiver);
      }
    } else if (receiver != null) {
      AppProcess.application().sendBroadcast(new Intent(button).setComponent((ComponentName) receiver));
    }
    return receiver != null;
  }

  /** Appends what the app has registered for, as the protocol has it. */
  static void write(StringBuilder out) {
    out.append(",\"audio_focus\":").append(!FOCUS.isEmpty());
    out.append(",\"media_keys\":").append(!RECEIVERS.isEmpty());
  }

  private static void focus(AudioManager.OnAudioFocusChangeListener listener, boolean wanted) {
    if (listener != null && wanted) {
      FOCUS.add(listener);
    } else {
      FOCUS.remove(listener);
    }
  }

  /** Also one that was registered before is the last one now. */
  private static void receive(Object receiver) {
    RECEIVERS.remove(receiver);
    RECEIVERS.add(receiver);
  }

  /** Known by those who deliver calls and media buttons. */
  @Implements(AudioManager.class)
  public static class OfAudioManager extends ShadowAudioManager {
    @Override
    @Implementation
    protected int requestAudioFocus(AudioManager.OnAudioFocusChangeListener listener, int stream, int duration) {
      focus(listener, true);
      return super.requestAudioFocus(listener, stream, duration);
    }

    @Override
    @Implementation
    protected int requestAudioFocus(android.media.AudioFocusRequest request) {
      focus(request.getOnAudioFocusChangeListener(), true);
      return super.requestAudioFocus(request);
    }

    @Override
    @Implementation
    protected int abandonAudioFocus(AudioManager.OnAudioFocusChangeListener listener) {
      focus(listener, false);
      return super.abandonAudioFocus(listener);
    }

    @Override
    @Implementation
    protected int abandonAudioFocusRequest(android.media.AudioFocusRequest request) {
      focus(request.getOnAudioFocusChangeListener(), false);
      return super.abandonAudioFocusRequest(request);
    }

    @Implementation
    protected void registerMediaButtonEventReceiver(ComponentName receiver) {
      receive(receiver);
    }

    @Implementation
    protected void registerMediaButtonEventReceiver(PendingIntent receiver) {
      receive(receiver);
    }

    @Implementation
    protected void unregisterMediaButtonEventReceiver(ComponentName receiver) {
      RECEIVERS.remove(receiver);
    }

    @Implementation
    protected void unregisterMediaButtonEventReceiver(PendingIntent receiver) {
      RECEIVERS.remove(receiver);
    }
  }
}
