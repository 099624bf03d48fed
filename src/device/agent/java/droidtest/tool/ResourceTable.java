package droidtest.tool;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

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
    // Most tables are right, and one of 80 languages has 70 MB: nothing is copied before it is known to be wrong.
    if (!isFaulty(in)) {
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

  /** Is there a package with an old header or with a gap between its kinds? */
  private static boolean isFaulty(ByteBuffer in) {
    int at = in.getShort(2) & 0xffff;
    while (at + 8 <= in.capacity()) {
      int size = in.getInt(at + 4);
      if (size < 8 || at + (long) size > in.capacity()) {
        return false;
      }
      if ((in.getShort(at) & 0xffff) == PACKAGE && size > NEW_HEADER) {
        if (in.getShort(at + 2) == OLD_HEADER || !gaps(in, at, size).isEmpty()) {
          return true;
        }
      }
      at += size;
    }
    return false;
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

  /** The type numbers below the highest that a package chunk leaves out; none of a chunk that is damaged. */
  private static List<Integer> gaps(ByteBuffer in, int start, int length) {
    boolean[] known = new boolean[256];
    int highest = 0;
    int at = start + (in.getShort(start + 2) & 0xffff);
    while (at + 16 <= start + length) {
      int size = in.getInt(at + 4);
      if (size < 8 || at + (long) size > start + length) {
        return List.of();
      }
      if ((in.getShort(at) & 0xffff) == TYPE_SPEC) {
        int id = in.get(at + 8) & 0xff;
        known[id] = true;
        highest = Math.max(highest, id);
      }
      at += size;
    }
    List<Integer> gaps = new ArrayList<>();
    for (int id = 1; id < highest; id++) {
      if (!known[id]) {
        gaps.add(id);
      }
    }
    return gaps;
  }

  /** Adds an empty specification for each type number that is left out below the highest. */
  private static byte[] fillGaps(byte[] chunk) {
    List<Integer> gaps = gaps(buffer(chunk), 0, chunk.length);
    if (gaps.isEmpty()) {
      return chunk;
    }
    ByteBuffer out = buffer(java.util.Arrays.copyOf(chunk, chunk.length + 16 * gaps.size()));
    out.putInt(4, out.capacity());
    out.position(chunk.length);
    for (int id : gaps) {
      out.putShort((short) TYPE_SPEC).putShort((short) 16).putInt(16).putInt(id).putInt(0);
    }
    return out.array();
  }

  private static ByteBuffer buffer(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }
}
