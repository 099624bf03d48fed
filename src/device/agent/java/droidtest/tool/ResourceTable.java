package droidtest.tool;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Repairs resource tables that Android reads and the framework's native part, as Robolectric has it, does not.
 *
 * <ul>
 *   <li>The package header of old build tools has 284 bytes; later ones have 288, and the reader looks for the last field
 *       ("type ID offset") where the older has none. Four zero bytes at the header's end, with every size and offset
 *       behind them moved on, make the table readable and say the same.
 *   <li>Where a kind of resource was removed by a shrinker its number is left out; the reader stumbles over the gap. A
 *       specification without entries fills it.
 * </ul>
 */
final class ResourceTable {
  private static final int TABLE = 0x0002;
  private static final int PACKAGE = 0x0200;
  private static final int TYPE_SPEC = 0x0202;
  private static final int OLD_HEADER = 284;
  private static final int NEW_HEADER = 288;

  private ResourceTable() {}

  /** The corrected table, or null when there is nothing to correct. */
  static byte[] corrected(byte[] table) {
    ByteBuffer in = ByteBuffer.wrap(table).order(ByteOrder.LITTLE_ENDIAN);
    if (table.length < 12 || (in.getShort(0) & 0xffff) != TABLE) {
      return null;
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream(table.length + 256);
    int at = in.getShort(2) & 0xffff;
    out.write(table, 0, Math.min(at, table.length));
    boolean corrected = false;
    while (at + 8 <= table.length) {
      int size = in.getInt(at + 4);
      if (size < 8 || at + (long) size > table.length) {
        break;
      }
      byte[] chunk = new byte[size];
      System.arraycopy(table, at, chunk, 0, size);
      if ((in.getShort(at) & 0xffff) == PACKAGE && size > NEW_HEADER) {
        byte[] better = fillGaps(lengthen(chunk));
        corrected |= better != chunk;
        chunk = better;
      }
      out.write(chunk, 0, chunk.length);
      at += size;
    }
    if (!corrected) {
      return null;
    }
    out.write(table, at, table.length - at);
    byte[] result = out.toByteArray();
    ByteBuffer.wrap(result).order(ByteOrder.LITTLE_ENDIAN).putInt(4, result.length);
    return result;
  }

  /** Gives an old package chunk the header of today; any other is returned as it is. */
  private static byte[] lengthen(byte[] chunk) {
    if (buffer(chunk).getShort(2) != OLD_HEADER) {
      return chunk;
    }
    byte[] longer = new byte[chunk.length + 4];
    System.arraycopy(chunk, 0, longer, 0, OLD_HEADER);
    System.arraycopy(chunk, OLD_HEADER, longer, NEW_HEADER, chunk.length - OLD_HEADER);
    ByteBuffer out = buffer(longer);
    out.putShort(2, (short) NEW_HEADER);
    out.putInt(4, longer.length);
    shift(out, 268);
    shift(out, 276);
    return longer;
  }

  private static void shift(ByteBuffer out, int field) {
    int offset = out.getInt(field);
    if (offset != 0) {
      out.putInt(field, offset + 4);
    }
  }

  /** Adds an empty specification for each type number that is left out below the highest. */
  private static byte[] fillGaps(byte[] chunk) {
    ByteBuffer in = buffer(chunk);
    boolean[] known = new boolean[256];
    int highest = 0;
    int at = in.getShort(2) & 0xffff;
    while (at + 16 <= chunk.length) {
      int size = in.getInt(at + 4);
      if (size < 8 || at + (long) size > chunk.length) {
        return chunk;
      }
      if ((in.getShort(at) & 0xffff) == TYPE_SPEC) {
        int id = chunk[at + 8] & 0xff;
        known[id] = true;
        highest = Math.max(highest, id);
      }
      at += size;
    }
    int gaps = 0;
    for (int id = 1; id < highest; id++) {
      gaps += known[id] ? 0 : 1;
    }
    if (gaps == 0) {
      return chunk;
    }
    ByteBuffer out = buffer(java.util.Arrays.copyOf(chunk, chunk.length + 16 * gaps));
    out.putInt(4, out.capacity());
    out.position(chunk.length);
    for (int id = 1; id < highest; id++) {
      if (!known[id]) {
        out.putShort((short) TYPE_SPEC).putShort((short) 16).putInt(16).putInt(id).putInt(0);
      }
    }
    return out.array();
  }

  private static ByteBuffer buffer(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }
}
