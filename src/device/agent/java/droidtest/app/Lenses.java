package droidtest.app;

import android.graphics.ImageFormat;
import android.graphics.Rect;
import android.hardware.camera2.CameraCharacteristics;
import android.hardware.camera2.CameraMetadata;
import android.hardware.camera2.CaptureRequest;
import android.hardware.camera2.CaptureResult;
import android.hardware.camera2.params.RecommendedStreamConfigurationMap;
import android.hardware.camera2.params.StreamConfiguration;
import android.hardware.camera2.params.StreamConfigurationDuration;
import android.hardware.camera2.params.StreamConfigurationMap;
import android.util.Range;
import android.util.Rational;
import android.util.Size;
import android.util.SizeF;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import org.robolectric.Shadows;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.shadows.ShadowCameraCharacteristics;

/** What the phone's two cameras can do: the one on the back with a flash, the one on the front without. */
public final class Lenses {
  static final int COUNT = 2;
  static final int BACK = 0;
  /** Widths and heights of pictures, the largest first. */
  static final int[][] SIZES = {{1600, 1200}, {1280, 960}, {1280, 720}, {640, 480}, {320, 240}};

  /** In millimetres. */
  static final float FOCAL_LENGTH = 3.5f;
  /** The focal length by the diameter of the opening. */
  static final float APERTURE = 2.0f;

  /** What the hardware calls a JPEG. */
  private static final int COMPRESSED = 0x21;
  private static final int[] FORMATS = {COMPRESSED, ImageFormat.PRIVATE, ImageFormat.YUV_420_888};
  private static final long FRAME_NS = 33_333_333;

  private Lenses() {}

  /** How the sensor is turned in its place. */
  static int orientation(int id) {
    return id == BACK ? 90 : 270;
  }

  static CameraCharacteristics characteristics(int id) {
    CameraCharacteristics made = ShadowCameraCharacteristics.newCameraCharacteristics();
    ShadowCameraCharacteristics to = Shadows.shadowOf(made);
    boolean back = id == BACK;
    int[] largest = SIZES[0];
    int facing = back ? CameraMetadata.LENS_FACING_BACK : CameraMetadata.LENS_FACING_FRONT;
    to.set(CameraCharacteristics.LENS_FACING, facing);
    to.set(CameraCharacteristics.LENS_INFO_AVAILABLE_FOCAL_LENGTHS, new float[] {FOCAL_LENGTH});
    to.set(CameraCharacteristics.LENS_INFO_AVAILABLE_APERTURES, new float[] {APERTURE});
    to.set(CameraCharacteristics.LENS_INFO_AVAILABLE_OPTICAL_STABILIZATION, new int[] {0});
    to.set(CameraCharacteristics.LENS_INFO_MINIMUM_FOCUS_DISTANCE, back ? 10f : 0f);
    to.set(CameraCharacteristics.FLASH_INFO_AVAILABLE, back);
    to.set(CameraCharacteristics.SENSOR_ORIENTATION, orientation(id));
    to.set(CameraCharacteristics.SENSOR_INFO_ACTIVE_ARRAY_SIZE, new Rect(0, 0, largest[0], largest[1]));
    to.set(CameraCharacteristics.SENSOR_INFO_PIXEL_ARRAY_SIZE, new Size(largest[0], largest[1]));
    to.set(CameraCharacteristics.SENSOR_INFO_PHYSICAL_SIZE, new SizeF(3.2f, 2.4f));
    to.set(
        CameraCharacteristics.SENSOR_INFO_TIMESTAMP_SOURCE, CameraMetadata.SENSOR_INFO_TIMESTAMP_SOURCE_UNKNOWN);
    to.set(
        CameraCharacteristics.INFO_SUPPORTED_HARDWARE_LEVEL,
        CameraMetadata.INFO_SUPPORTED_HARDWARE_LEVEL_LIMITED);
    to.set(
        CameraCharacteristics.REQUEST_AVAILABLE_CAPABILITIES,
        new int[] {CameraMetadata.REQUEST_AVAILABLE_CAPABILITIES_BACKWARD_COMPATIBLE});
    to.set(CameraCharacteristics.SCALER_AVAILABLE_MAX_DIGITAL_ZOOM, 4f);
    to.set(CameraCharacteristics.SCALER_CROPPING_TYPE, CameraMetadata.SCALER_CROPPING_TYPE_CENTER_ONLY);
    to.set(CameraCharacteristics.SCALER_STREAM_CONFIGURATION_MAP, streams());
    control(to, back);
    to.set(CameraCharacteristics.STATISTICS_INFO_AVAILABLE_FACE_DETECT_MODES, new int[] {0});
    to.set(CameraCharacteristics.STATISTICS_INFO_MAX_FACE_COUNT, 0);
    to.set(
        CameraCharacteristics.JPEG_AVAILABLE_THUMBNAIL_SIZES, new Size[] {new Size(0, 0), new Size(320, 240)});
    return made;
  }

  private static void control(ShadowCameraCharacteristics to, boolean back) {
    // Off, automatic, macro, video, picture.
    to.set(CameraCharacteristics.CONTROL_AF_AVAILABLE_MODES, back ? new int[] {0, 1, 2, 3, 4} : new int[] {0});
    to.set(CameraCharacteristics.CONTROL_AE_AVAILABLE_MODES, back ? new int[] {0, 1, 2, 3} : new int[] {0, 1});
    to.set(CameraCharacteristics.CONTROL_AWB_AVAILABLE_MODES, new int[] {0, 1, 2, 3, 5, 6});
    to.set(CameraCharacteristics.CONTROL_AVAILABLE_MODES, new int[] {0, 1});
    to.set(CameraCharacteristics.CONTROL_AVAILABLE_SCENE_MODES, new int[] {0});
    to.set(CameraCharacteristics.CONTROL_AVAILABLE_EFFECTS, new int[] {0});
    to.set(CameraCharacteristics.CONTROL_AVAILABLE_VIDEO_STABILIZATION_MODES, new int[] {0});
    to.set(CameraCharacteristics.CONTROL_AE_AVAILABLE_ANTIBANDING_MODES, new int[] {0, 1, 2, 3});
    to.set(
        CameraCharacteristics.CONTROL_AE_AVAILABLE_TARGET_FPS_RANGES,
        new Range<?>[] {Range.create(15, 30), Range.create(30, 30)});
    to.set(CameraCharacteristics.CONTROL_AE_COMPENSATION_RANGE, Range.create(-6, 6));
    to.set(CameraCharacteristics.CONTROL_AE_COMPENSATION_STEP, new Rational(1, 3));
    to.set(CameraCharacteristics.CONTROL_AE_LOCK_AVAILABLE, true);
    to.set(CameraCharacteristics.CONTROL_AWB_LOCK_AVAILABLE, true);
    to.set(CameraCharacteristics.CONTROL_MAX_REGIONS_AE, 1);
    to.set(CameraCharacteristics.CONTROL_MAX_REGIONS_AF, back ? 1 : 0);
    to.set(CameraCharacteristics.CONTROL_MAX_REGIONS_AWB, 0);
  }

  /** Every size in every format. */
  private static StreamConfigurationMap streams() {
    List<StreamConfiguration> streams = new ArrayList<>();
    List<StreamConfigurationDuration> frames = new ArrayList<>();
    List<StreamConfigurationDuration> stalls = new ArrayList<>();
    for (int format : FORMATS) {
      for (int[] size : SIZES) {
        streams.add(new StreamConfiguration(format, size[0], size[1], false));
        frames.add(new StreamConfigurationDuration(format, size[0], size[1], FRAME_NS));
        stalls.add(new StreamConfigurationDuration(format, size[0], size[1], format == COMPRESSED ? FRAME_NS : 0));
      }
    }
    return map(
        streams.toArray(new StreamConfiguration[0]),
        frames.toArray(new StreamConfigurationDuration[0]),
        stalls.toArray(new StreamConfigurationDuration[0]));
  }

  /** Each Android version knows more kinds of streams, which come after the ordinary ones; a flag at the end lists those. */
  private static StreamConfigurationMap map(Object... ordinary) {
    Constructor<?> make =
        Arrays.stream(StreamConfigurationMap.class.getDeclaredConstructors())
            .filter(way -> way.getParameterCount() > 0 && way.getParameterTypes()[way.getParameterCount() - 1] == boolean.class)
            .min(Comparator.comparingInt(Constructor::getParameterCount))
            .orElseThrow();
    Object[] of = Arrays.copyOf(ordinary, make.getParameterCount());
    of[of.length - 1] = true;
    try {
      make.setAccessible(true);
      return (StreamConfigurationMap) make.newInstance(of);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  /** What Robolectric's leaves to the metadata of the camera service, which its objects do not have. */
  @Implements(CameraCharacteristics.class)
  public static class OfCharacteristics extends ShadowCameraCharacteristics {
    /** No camera consists of several. */
    @Implementation
    protected Set<String> getPhysicalCameraIds() {
      return Set.of();
    }

    @Implementation
    protected List<CaptureRequest.Key<?>> getAvailableCaptureRequestKeys() {
      return keys(CaptureRequest.class);
    }

    @Implementation
    protected List<CaptureResult.Key<?>> getAvailableCaptureResultKeys() {
      return keys(CaptureResult.class);
    }

    @Implementation
    protected List<CaptureRequest.Key<?>> getAvailableSessionKeys() {
      return List.of();
    }

    @Implementation
    protected List<CaptureRequest.Key<?>> getAvailablePhysicalCameraRequestKeys() {
      return null;
    }

    @Implementation
    protected List<CameraCharacteristics.Key<?>> getKeysNeedingPermission() {
      return List.of();
    }

    @Implementation
    protected List<CameraCharacteristics.Key<?>> getKeys() {
      List<CameraCharacteristics.Key<?>> known = new ArrayList<>();
      for (CameraCharacteristics.Key<?> key : Lenses.<CameraCharacteristics.Key<?>>keys(CameraCharacteristics.class)) {
        if (get(key) != null) {
          known.add(key);
        }
      }
      return known;
    }

    @Implementation
    protected RecommendedStreamConfigurationMap getRecommendedStreamConfigurationMap(int usecase) {
      return null;
    }
  }

  /** The keys that a class of the framework publishes. */
  @SuppressWarnings("unchecked")
  private static <T> List<T> keys(Class<?> of) {
    List<T> keys = new ArrayList<>();
    for (Field field : of.getFields()) {
      if (field.getType().getName().equals(of.getName() + "$Key")) {
        try {
          keys.add((T) field.get(null));
        } catch (IllegalAccessException e) {
          throw new IllegalStateException(e);
        }
      }
    }
    return keys;
  }
}
