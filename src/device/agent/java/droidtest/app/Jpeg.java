package droidtest.app;

import java.io.ByteArrayOutputStream;

/** Pictures of any size that take next to no time and memory to make, and are read by every decoder. */
final class Jpeg {
  private Jpeg() {}

  /** All grey: the tables say that each square of eight by eight pixels is two zero bits. */
  static byte[] grey(int width, int height) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    put(out, 0xff, 0xd8, 0xff, 0xdb, 0, 67, 0);
    for (int i = 0; i < 64; i++) {
      out.write(1);
    }
    put(out, 0xff, 0xc0, 0, 11, 8, height >> 8, height, width >> 8, width, 1, 1, 0x11, 0);
    for (int table : new int[] {0, 0x10}) {
      put(out, 0xff, 0xc4, 0, 20, table, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    }
    put(out, 0xff, 0xda, 0, 8, 1, 1, 0, 0, 63, 0);
    int squares = ((width + 7) / 8) * ((height + 7) / 8);
    out.writeBytes(new byte[(2 * squares + 7) / 8]);
    put(out, 0xff, 0xd9);
    return out.toByteArray();
  }

  private static void put(ByteArrayOutputStream out, int... bytes) {
    for (int each : bytes) {
      out.write(each);
    }
  }
}
