package droidtest.host.box;

/** Shaders of Android 13's language, as far as the drawing library at hand knows less of it. */
public final class Shaders {
  private Shaders() {}

  /** Colours are given as they are: the qualifier requests a conversion that the library does not know. */
  public static String plain(String code) {
    return code == null ? null : code.replaceAll("layout\\s*\\(\\s*color\\s*\\)", "");
  }

  public static float[] parts(int color) {
    return new float[] {
      (color >> 16 & 255) / 255f, (color >> 8 & 255) / 255f, (color & 255) / 255f, (color >>> 24) / 255f
    };
  }

  /** Of a colour as {@code android.graphics.Color} packs it; other spaces than sRGB keep their numbers. */
  public static float[] parts(long color) {
    if ((color & 0x3f) == 0) {
      return parts((int) (color >>> 32));
    }
    return new float[] {
      half((short) (color >>> 48)), half((short) (color >>> 32)), half((short) (color >>> 16)), (color >>> 6 & 0x3ff) / 1023f
    };
  }

  private static float half(short bits) {
    int exponent = bits >> 10 & 31;
    int mantissa = bits & 1023;
    double value = exponent == 0 ? mantissa * Math.pow(2, -24) : (1024 + mantissa) * Math.pow(2, exponent - 25);
    return (float) (bits < 0 ? -value : value);
  }
}
