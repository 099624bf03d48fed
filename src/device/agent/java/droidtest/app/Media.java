package droidtest.app;

import android.media.MediaPlayer;
import org.robolectric.shadows.ShadowMediaPlayer;
import org.robolectric.shadows.ShadowMediaPlayer.MediaInfo;
import org.robolectric.shadows.util.DataSource;
import org.robolectric.util.ReflectionHelpers;

/**
 * What the media player plays: there is no decoder, so every file and resource is half a minute long, in virtual time.
 * A stream ends in the error that a device without a network reports.
 */
final class Media {
  private static final int LENGTH_MS = 30_000;
  private static final int PREPARATION_MS = 50;

  private Media() {}

  /** Robolectric's player refuses every source that was not registered. */
  static void supply() {
    ShadowMediaPlayer.setMediaInfoProvider(Media::of);
  }

  private static MediaInfo of(DataSource source) {
    MediaInfo info = new MediaInfo(LENGTH_MS, PREPARATION_MS);
    String name = ReflectionHelpers.getField(source, "dataSource");
    if (name != null && name.matches("(https?|rtsp|mms)://.*")) {
      info.scheduleErrorAtOffset(0, MediaPlayer.MEDIA_ERROR_UNKNOWN, MediaPlayer.MEDIA_ERROR_IO);
    }
    return info;
  }
}
