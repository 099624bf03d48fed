package droidtest.app;

import android.content.Context;
import android.content.pm.PackageInfo;
import android.hardware.Sensor;
import android.media.MediaCodecInfo;
import android.media.MediaFormat;
import android.provider.Settings;
import droidtest.host.box.Clock;
import org.robolectric.Shadows;
import org.robolectric.shadows.MediaCodecInfoBuilder;
import org.robolectric.shadows.ShadowMediaCodecList;
import org.robolectric.util.ReflectionHelpers;
import org.robolectric.util.ReflectionHelpers.ClassParameter;

/** What a phone reports about itself: names, lists and dates that are null or empty on no phone. */
final class Hardware {
  private static final long DAY_MS = 86_400_000;
  private static final int PERIOD_US = 10_000;
  /** Name, media type, encoder. */
  private static final String[][] CODECS = {
    {"c2.android.avc.decoder", "video/avc", ""}, {"c2.android.hevc.decoder", "video/hevc", ""},
    {"c2.android.vp8.decoder", "video/x-vnd.on2.vp8", ""}, {"c2.android.vp9.decoder", "video/x-vnd.on2.vp9", ""},
    {"c2.android.aac.decoder", "audio/mp4a-latm", ""}, {"c2.android.mp3.decoder", "audio/mpeg", ""},
    {"c2.android.opus.decoder", "audio/opus", ""}, {"c2.android.vorbis.decoder", "audio/vorbis", ""},
    {"c2.android.flac.decoder", "audio/flac", ""}, {"c2.android.avc.encoder", "video/avc", "encoder"},
    {"c2.android.aac.encoder", "audio/mp4a-latm", "encoder"},
  };

  private Hardware() {}

  static void install() {
    Context context = AppProcess.application();
    codecs();
    for (String kind : new String[] {"ringtone", "notification_sound", "alarm_alert"}) {
      if (Settings.System.getString(context.getContentResolver(), kind) == null) {
        Settings.System.putString(context.getContentResolver(), kind, "content://media/internal/audio/media/10");
      }
    }
    Shadows.shadowOf(context.getPackageManager()).setInstallSourceInfo(AppProcess.packageName(), null, null);
  }

  private static void codecs() {
    ShadowMediaCodecList.reset();
    for (String[] codec : CODECS) {
      boolean encoder = !codec[2].isEmpty();
      MediaFormat format =
          codec[1].startsWith("video")
              ? MediaFormat.createVideoFormat(codec[1], 1920, 1080)
              : MediaFormat.createAudioFormat(codec[1], 44_100, 2);
      MediaCodecInfoBuilder.CodecCapabilitiesBuilder capabilities =
          MediaCodecInfoBuilder.CodecCapabilitiesBuilder.newBuilder().setMediaFormat(format).setIsEncoder(encoder);
      if (codec[1].startsWith("video")) {
        capabilities.setColorFormats(new int[] {MediaCodecInfo.CodecCapabilities.COLOR_FormatYUV420Flexible});
      }
      MediaCodecInfo.CodecProfileLevel level = new MediaCodecInfo.CodecProfileLevel();
      level.profile = 1;
      level.level = 1;
      capabilities.setProfileLevels(new MediaCodecInfo.CodecProfileLevel[] {level});
      ShadowMediaCodecList.addCodec(
          MediaCodecInfoBuilder.newBuilder()
              .setName(codec[0])
              .setIsEncoder(encoder)
              .setIsSoftwareOnly(true)
              .setCapabilities(capabilities.build())
              .build());
    }
  }

  /** A sensor with all that its maker says of it. */
  static Sensor described(Sensor sensor) {
    int type = sensor.getType();
    ReflectionHelpers.setField(sensor, "mVendor", "AOSP");
    ReflectionHelpers.setField(sensor, "mVersion", 1);
    ReflectionHelpers.setField(sensor, "mResolution", 0.01f);
    ReflectionHelpers.setField(sensor, "mPower", 0.2f);
    ReflectionHelpers.setField(sensor, "mMinDelay", type == Sensor.TYPE_LIGHT || type == Sensor.TYPE_PROXIMITY ? 0 : PERIOD_US);
    ReflectionHelpers.callInstanceMethod(sensor, "setType", ClassParameter.from(int.class, type));
    String known = sensor.getStringType();
    ReflectionHelpers.setField(sensor, "mStringType", known == null ? "android.sensor." + type : known);
    String name = sensor.getStringType();
    ReflectionHelpers.setField(sensor, "mName", "Goldfish " + name.substring(name.lastIndexOf('.') + 1));
    return sensor;
  }

  /** When it was installed, and which of the permissions that it requested it holds. */
  static PackageInfo complete(PackageInfo info) {
    if (info.firstInstallTime == 0) {
      info.firstInstallTime = Clock.EPOCH_MS - DAY_MS;
      info.lastUpdateTime = info.firstInstallTime;
    }
    Permissions own = AppProcess.permissions();
    if (info.requestedPermissions != null && own != null && AppProcess.packageName().equals(info.packageName)) {
      info.requestedPermissionsFlags = new int[info.requestedPermissions.length];
      for (int i = 0; i < info.requestedPermissions.length; i++) {
        boolean held = own.granted(info.requestedPermissions[i]);
        info.requestedPermissionsFlags[i] =
            PackageInfo.REQUESTED_PERMISSION_REQUIRED | (held ? PackageInfo.REQUESTED_PERMISSION_GRANTED : 0);
      }
    }
    return info;
  }
}
