import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/** The name of a class file and the lengths of its code. */
final class ClassFile {
  final String name;
  /** The length of each method's code array, by name and descriptor. */
  final Map<String, Integer> code = new HashMap<>();

  private String[] texts;
  private int[] classNames;

  /** Reads a class file; a broken one ends in an exception. */
  static ClassFile read(byte[] bytes) throws IOException {
    return new ClassFile(new DataInputStream(new ByteArrayInputStream(bytes)));
  }

  private ClassFile(DataInputStream in) throws IOException {
    in.skipNBytes(8);
    pool(in);
    in.skipNBytes(2);
    name = texts[classNames[in.readUnsignedShort()]];
    in.skipNBytes(2);
    in.skipNBytes(2L * in.readUnsignedShort());
    members(in, false);
    members(in, true);
  }

  private void pool(DataInputStream in) throws IOException {
    int count = in.readUnsignedShort();
    texts = new String[count];
    classNames = new int[count];
    for (int i = 1; i < count; i++) {
      int tag = in.readUnsignedByte();
      switch (tag) {
        case 1:
          texts[i] = in.readUTF();
          break;
        case 7:
          classNames[i] = in.readUnsignedShort();
          break;
        case 8:
        case 16:
        case 19:
        case 20:
          in.skipNBytes(2);
          break;
        case 15:
          in.skipNBytes(3);
          break;
        case 5:
        case 6:
          in.skipNBytes(8);
          i++;
          break;
        default:
          in.skipNBytes(4);
      }
    }
  }

  private void members(DataInputStream in, boolean methods) throws IOException {
    int count = in.readUnsignedShort();
    for (int i = 0; i < count; i++) {
      in.skipNBytes(2);
      String member = texts[in.readUnsignedShort()];
      String descriptor = texts[in.readUnsignedShort()];
      int attributes = in.readUnsignedShort();
      for (int j = 0; j < attributes; j++) {
        String attribute = texts[in.readUnsignedShort()];
        long length = in.readInt() & 0xffffffffL;
        if (methods && attribute.equals("Code")) {
          in.skipNBytes(4);
          code.put(member + descriptor, in.readInt());
          length -= 8;
        }
        in.skipNBytes(length);
      }
    }
  }
}
