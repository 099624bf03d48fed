package droidtest.app;

import android.content.Context;
import android.media.SoundPool;
import android.net.DhcpInfo;
import android.net.wifi.WifiManager;
import android.os.Handler;
import android.os.Looper;
import java.io.FileDescriptor;
import java.util.concurrent.atomic.AtomicInteger;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.annotation.RealObject;
import org.robolectric.shadows.ShadowSoundPool;
import org.robolectric.shadows.ShadowWifiManager;
import org.robolectric.util.ReflectionHelpers;

/** Small parts of the phone that answer where Robolectric's do not. */
public final class Gadgets {
  private static final int LOAD_MS = 50;

  private Gadgets() {}

  /** Loads every sound, and reports it. */
  @Implements(SoundPool.class)
  public static class OfSoundPool extends ShadowSoundPool {
    @RealObject private SoundPool pool;
    private volatile boolean released;

    @Override
    @Implementation
    protected int load(String path, int priority) {
      return loaded(super.load(path, priority));
    }

    @Override
    @Implementation
    protected int load(Context context, int resource, int priority) {
      return loaded(super.load(context, resource, priority));
    }

    /** Behind the ways to load that Robolectric leaves alone. */
    @Implementation
    protected int _load(FileDescriptor file, long from, long length, int priority) {
      return loaded(ReflectionHelpers.<AtomicInteger>getField(this, "soundIds").getAndIncrement());
    }

    @Implementation
    protected boolean unload(int sound) {
      return true;
    }

    @Implementation
    protected void native_release() {
      released = true;
    }

    private int loaded(int sound) {
      new Handler(Looper.getMainLooper())
          .postDelayed(
              () -> {
                SoundPool.OnLoadCompleteListener listener = ReflectionHelpers.getField(this, "listener");
                if (listener != null && !released) {
                  listener.onLoadComplete(pool, sound, 0);
                }
              },
              LOAD_MS);
      return sound;
    }
  }

  /** Has no address, as a device without a network, but says that. */
  @Implements(WifiManager.class)
  public static class OfWifiManager extends ShadowWifiManager {
    @Override
    @Implementation
    protected DhcpInfo getDhcpInfo() {
      DhcpInfo info = super.getDhcpInfo();
      return info == null ? new DhcpInfo() : info;
    }
  }
}
