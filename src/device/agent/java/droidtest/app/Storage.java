package droidtest.app;

import android.app.usage.StorageStatsManager;
import android.os.storage.StorageManager;
import droidtest.host.box.Space;
import java.io.File;
import java.io.IOException;
import java.util.UUID;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.shadows.ShadowStatFs;
import org.robolectric.shadows.ShadowStorageManager;
import org.robolectric.shadows.ShadowStorageStatsManager;

/** The one storage of the device, as each part of Android reports it. */
@Implements(StorageManager.class)
public class Storage extends ShadowStorageManager {
  private static final int BLOCK = 4096;

  /** Leaves nearly nothing, or half of it. */
  static void fill(boolean nearlyFull) {
    Space.fill(nearlyFull);
    int left = (int) (Space.left() / BLOCK);
    ShadowStatFs.registerStats("/", (int) (Space.TOTAL / BLOCK), left, left);
  }

  @Implementation
  protected UUID getUuidForPath(File path) {
    return StorageManager.UUID_DEFAULT;
  }

  @Implementation
  protected long getAllocatableBytes(UUID storage) {
    return Space.left();
  }

  @Implementation
  protected long getAllocatableBytes(UUID storage, int flags) {
    return Space.left();
  }

  @Implementation
  protected void allocateBytes(UUID storage, long bytes) throws IOException {
    allocateBytes(storage, bytes, 0);
  }

  @Implementation
  protected void allocateBytes(UUID storage, long bytes, int flags) throws IOException {
    if (bytes > Space.left()) {
      throw new IOException("Failed to allocate " + bytes + " because only " + Space.left() + " allocatable");
    }
  }

  /** What it says of the room. */
  @Implements(StorageStatsManager.class)
  public static class Stats extends ShadowStorageStatsManager {
    @Override
    @Implementation
    protected long getFreeBytes(UUID storage) {
      return Space.left();
    }

    @Override
    @Implementation
    protected long getTotalBytes(UUID storage) {
      return Space.TOTAL;
    }
  }
}
