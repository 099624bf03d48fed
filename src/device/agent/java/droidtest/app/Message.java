package droidtest.app;

import java.io.ByteArrayOutputStream;

/** A message as the network delivers it (3GPP TS 23.040, SMS-DELIVER, in the 7-bit alphabet of TS 23.038). */
final class Message {
  /** What one message holds. */
  private static final int MOST = 160;
  /** A service centre, and the time of delivery: 26 September 2008, 19:37:41, UTC+2. */
  private static final int[] CENTRE = {0x07, 0x91, 0x13, 0x26, 0x04, 0x00, 0x00, 0xF0};
  private static final int[] TIME = {0x80, 0x90, 0x62, 0x91, 0x73, 0x14, 0x08};

  private Message() {}

  /**
   * @param number digits
   * @param text characters whose codes are the same in ASCII and in the 7-bit alphabet; others become question marks
   */
  static byte[] pdu(String number, String text) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    write(out, CENTRE);
    // SMS-DELIVER, no more messages; then the sender, its number of digits first, in national form.
    write(out, 0x04, number.length(), 0x81);
    for (int i = 0; i < number.length(); i += 2) {
      int low = Character.digit(number.charAt(i), 10);
      int high = i + 1 < number.length() ? Character.digit(number.charAt(i + 1), 10) : 0xF;
      write(out, high << 4 | low);
    }
    write(out, 0x00, 0x00);
    write(out, TIME);
    String body = text.substring(0, Math.min(text.length(), MOST));
    write(out, body.length());
    int bits = 0;
    int held = 0;
    for (char letter : body.toCharArray()) {
      held |= code(letter) << bits;
      bits += 7;
      if (bits >= 8) {
        write(out, held & 0xFF);
        held >>= 8;
        bits -= 8;
      }
    }
    if (bits > 0) {
      write(out, held);
    }
    return out.toByteArray();
  }

  private static int code(char letter) {
    boolean same = letter == ' ' || letter == '\n' || letter == '\r' || letter >= '%' && letter <= '?'
        || letter >= 'A' && letter <= 'Z' || letter >= 'a' && letter <= 'z';
    return same ? letter : '?';
  }

  private static void write(ByteArrayOutputStream out, int... bytes) {
    for (int one : bytes) {
      out.write(one);
    }
  }
}
