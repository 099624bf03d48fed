package droidtest.tool;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Mends the resource table of old build tools. Their package header has 284 bytes; later ones have 288, and the reader
 * in the framework's native part looks for the last field ("type ID offset") where the older has none. Four zero bytes
 * at the header's end, with every size and offset behind them moved on, make the table readable and say the same.
 */
final class ResourceTable {
  private static final int TABLE = 0x0002;
  private static final int PACKAGE = 0x0200;
  private static final int OLD_HEADER = 284;
  private static final int NEW_HEADER = 288;

  private ResourceTable() {}

  /** The mended table, or null when there is nothing to mend. */
  static byte[] mend(byte[] table) {
    ByteBuffer in = ByteBuffer.wrap(table).order(ByteOrder.LITTLE_ENDIAN);
    if (table.length < 12 || (in.getShort(0) & 0xffff) != TABLE) {
      return null;
    }
    ByteBuffer out = null;
    int at = in.getShort(2) & 0xffff;
    int copied = 0;
    while (at + 8 <= table.length) {
      int type = in.getShort(at) & 0xffff;
      int header = in.getShort(at + 2) & 0xffff;
      int size = in.getInt(at + 4);
      if (size < 8 || at + (long) size > table.length) {
        break;
      }
      if (type == PACKAGE && header == OLD_HEADER) {
        if (out == null) {
          out = ByteBuffer.allocate(table.length + 4 * 64).order(ByteOrder.LITTLE_ENDIAN);
        }
        out.put(table, copied, at + OLD_HEADER - copied);
        int start = out.position() - OLD_HEADER;
        out.putInt(0);
        out.putShort(start + 2, (short) NEW_HEADER);
        out.putInt(start + 4, size + 4);
        shift(out, start + 268);
        shift(out, start + 276);
        copied = at + OLD_HEADER;
      }
      at += size;
    }
    if (out == null) {
      return null;
    }
    out.put(table, copied, table.length - copied);
    byte[] result = new byte[out.position()];
    out.putInt(4, result.length);
    out.flip();
    out.get(result);
    return result;
  }

  private static void shift(ByteBuffer out, int field) {
    int offset = out.getInt(field);
    if (offset != 0) {
      out.putInt(field, offset + 4);
    }
  }
}
