package droidtest.tool;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** Decodes the binary AndroidManifest.xml into text; references to resources stay as {@code @0x7f...}. */
final class Manifest {
  private static final int STRING_POOL = 0x0001;
  private static final int RESOURCE_MAP = 0x0180;
  private static final int START_ELEMENT = 0x0102;
  private static final int END_ELEMENT = 0x0103;
  private static final String ANDROID = "http://schemas.android.com/apk/res/android";

  /** Attribute names that the tools may have dropped from the string pool, known by resource id. */
  private static final String[][] NAMES = {
    {"1010000", "theme"}, {"1010001", "label"}, {"1010002", "icon"}, {"1010003", "name"}, {"1010006", "permission"},
    {"1010010", "exported"}, {"101001d", "launchMode"}, {"1010018", "authorities"}, {"101020c", "minSdkVersion"},
    {"1010270", "targetSdkVersion"}, {"101021b", "versionCode"}, {"101021c", "versionName"}, {"1010011", "process"},
    {"1010202", "targetActivity"}, {"101000e", "enabled"}, {"101057a", "appComponentFactory"},
    {"101001f", "configChanges"}, {"101001e", "screenOrientation"},
  };

  private final ByteBuffer in;
  private final StringBuilder text = new StringBuilder("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n");
  private String[] strings = {};
  private int[] ids = {};
  private int depth;
  private String packageName;
  private int targetSdk;
  private int minSdk = 1;
  private String application;
  private String componentFactory;

  private Manifest(byte[] bytes) {
    in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  static Manifest parse(byte[] bytes) throws BadApk {
    Manifest manifest = new Manifest(bytes);
    try {
      manifest.read();
    } catch (IndexOutOfBoundsException | IllegalArgumentException | NegativeArraySizeException e) {
      throw new BadApk("AndroidManifest.xml cannot be decoded");
    }
    if (manifest.packageName == null || manifest.packageName.isEmpty()) {
      throw new BadApk("AndroidManifest.xml names no package");
    }
    return manifest;
  }

  String text() {
    return text.toString();
  }

  String packageName() {
    return packageName;
  }

  /** As Android counts it: the lowest version where none is named. */
  int targetSdk() {
    return targetSdk == 0 ? minSdk : targetSdk;
  }

  /** The application class, null for the plain one. */
  String application() {
    return qualified(application);
  }

  String componentFactory() {
    return qualified(componentFactory);
  }

  private String qualified(String name) {
    if (name == null || name.isEmpty()) {
      return null;
    }
    return name.startsWith(".") ? packageName + name : name.indexOf('.') < 0 ? packageName + "." + name : name;
  }

  int minSdk() {
    return minSdk;
  }

  private void read() {
    int at = in.getShort(2) & 0xffff;
    while (at + 8 <= in.limit()) {
      int type = in.getShort(at) & 0xffff;
      int size = in.getInt(at + 4);
      if (size < 8) {
        throw new IllegalArgumentException("chunk size");
      }
      switch (type) {
        case STRING_POOL:
          readStrings(at);
          break;
        case RESOURCE_MAP:
          ids = new int[(size - 8) / 4];
          for (int i = 0; i < ids.length; i++) {
            ids[i] = in.getInt(at + 8 + 4 * i);
          }
          break;
        case START_ELEMENT:
          start(at);
          break;
        case END_ELEMENT:
          depth--;
          indent().append("</").append(string(in.getInt(at + 20))).append(">\n");
          break;
        default:
      }
      at += size;
    }
  }

  private void readStrings(int at) {
    int count = in.getInt(at + 8);
    boolean utf8 = (in.getInt(at + 16) & 0x100) != 0;
    int base = at + in.getInt(at + 20);
    if (count < 0 || count > in.limit()) {
      throw new IllegalArgumentException("string count");
    }
    strings = new String[count];
    int header = in.getShort(at + 2) & 0xffff;
    for (int i = 0; i < count; i++) {
      int p = base + in.getInt(at + header + 4 * i);
      strings[i] = utf8 ? utf8(p) : utf16(p);
    }
  }

  private String utf8(int p) {
    p += (in.get(p) & 0x80) != 0 ? 2 : 1;
    int length = in.get(p) & 0xff;
    if ((length & 0x80) != 0) {
      length = (length & 0x7f) << 8 | in.get(p + 1) & 0xff;
      p++;
    }
    return new String(in.array(), p + 1, length, StandardCharsets.UTF_8);
  }

  private String utf16(int p) {
    int length = in.getShort(p) & 0xffff;
    if ((length & 0x8000) != 0) {
      length = (length & 0x7fff) << 16 | in.getShort(p + 2) & 0xffff;
      p += 2;
    }
    return new String(in.array(), p + 2, 2 * length, StandardCharsets.UTF_16LE);
  }

  private void start(int at) {
    String element = string(in.getInt(at + 20));
    indent().append('<').append(element);
    if (depth++ == 0) {
      text.append(" xmlns:android=\"").append(ANDROID).append('"');
    }
    int first = at + 16 + (in.getShort(at + 24) & 0xffff);
    int step = in.getShort(at + 26) & 0xffff;
    int count = in.getShort(at + 28) & 0xffff;
    for (int i = 0; i < count; i++) {
      attribute(element, first + i * step);
    }
    text.append(">\n");
  }

  private void attribute(String element, int at) {
    int nameIndex = in.getInt(at + 4);
    boolean android = in.getInt(at) >= 0;
    String name = name(nameIndex);
    String value = value(at);
    note(element, name, value);
    text.append(' ').append(android ? "android:" : "").append(name).append("=\"").append(escape(value)).append('"');
  }

  private void note(String element, String name, String value) {
    if (element.equals("manifest") && name.equals("package")) {
      packageName = value;
    } else if (element.equals("uses-sdk") && name.equals("targetSdkVersion")) {
      targetSdk = number(value, targetSdk);
    } else if (element.equals("uses-sdk") && name.equals("minSdkVersion")) {
      minSdk = number(value, minSdk);
    } else if (element.equals("application") && name.equals("name")) {
      application = value;
    } else if (element.equals("application") && name.equals("appComponentFactory")) {
      componentFactory = value;
    }
  }

  private static int number(String value, int otherwise) {
    try {
      return Integer.parseInt(value);
    } catch (NumberFormatException e) {
      return otherwise;
    }
  }

  private String name(int index) {
    String name = string(index);
    if (index < ids.length) {
      String hex = Integer.toHexString(ids[index]);
      for (String[] known : NAMES) {
        if (known[0].equals(hex)) {
          return known[1];
        }
      }
    }
    return name.matches("[A-Za-z_][A-Za-z0-9_.-]*") ? name : "attr" + index;
  }

  private String value(int at) {
    int raw = in.getInt(at + 8);
    int type = in.get(at + 15) & 0xff;
    int data = in.getInt(at + 16);
    switch (type) {
      case 0x01:
        return "@0x" + Integer.toHexString(data);
      case 0x03:
        return string(raw >= 0 ? raw : data);
      case 0x04:
        return Float.toString(Float.intBitsToFloat(data));
      case 0x11:
        return "0x" + Integer.toHexString(data);
      case 0x12:
        return data != 0 ? "true" : "false";
      default:
        return raw >= 0 ? string(raw) : Integer.toString(data);
    }
  }

  private String string(int index) {
    return index >= 0 && index < strings.length ? strings[index] : "";
  }

  private StringBuilder indent() {
    return text.append("  ".repeat(Math.max(0, depth)));
  }

  private static String escape(String value) {
    StringBuilder out = new StringBuilder();
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      switch (c) {
        case '&':
          out.append("&amp;");
          break;
        case '<':
          out.append("&lt;");
          break;
        case '"':
          out.append("&quot;");
          break;
        default:
          out.append(c < ' ' || Character.isSurrogate(c) ? ' ' : c);
      }
    }
    return out.toString();
  }
}
