package droidtest.host.box;

import droidtest.host.AppClassLoader;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import sun.misc.Unsafe;

/**
 * The memory that an app reaches through its {@code sun.misc.Unsafe} ({@link AppUnsafe}): fields of its own objects,
 * elements of arrays, and blocks that it has allocated. On a phone other places hold the runtime's own structures; this
 * device has none, so they read as zero, and writes to them are lost.
 */
public final class Memory {
  private static final Unsafe UNSAFE = unsafe();
  private static final StackWalker WALKER =
      StackWalker.getInstance(
          Set.of(StackWalker.Option.RETAIN_CLASS_REFERENCE, StackWalker.Option.SHOW_REFLECT_FRAMES));
  /** Offset of a field that Java gives none; no object has it. */
  private static final long NOWHERE = 1L << 40;
  /** Bytes of a reference in an array. */
  private static final int REFERENCE = Unsafe.ARRAY_OBJECT_INDEX_SCALE;

  /** The types of a class's own and inherited fields by their offsets: those that classes of the app declare. */
  private static final ClassValue<Map<Long, Class<?>>> FIELDS =
      new ClassValue<>() {
        @Override
        protected Map<Long, Class<?>> computeValue(Class<?> of) {
          Map<Long, Class<?>> types = new HashMap<>();
          for (Class<?> each = of; each != null && each.getClassLoader() instanceof AppClassLoader; each = each.getSuperclass()) {
            for (Field field : each.getDeclaredFields()) {
              if (!Modifier.isStatic(field.getModifiers())) {
                types.put(offset(field), field.getType());
              }
            }
          }
          return types;
        }
      };

  /** The sizes of allocated blocks, by their addresses. */
  private static final TreeMap<Long, Long> BLOCKS = new TreeMap<>();

  private Memory() {}

  private static Unsafe unsafe() {
    try {
      Field field = Unsafe.class.getDeclaredField("theUnsafe");
      field.setAccessible(true);
      return (Unsafe) field.get(null);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The offset of an instance field. */
  @SuppressWarnings("deprecation")
  public static long offset(Field field) {
    if (Modifier.isStatic(field.getModifiers())) {
      throw new IllegalArgumentException("valid for instance fields only");
    }
    try {
      return UNSAFE.objectFieldOffset(field);
    } catch (UnsupportedOperationException e) {
      return NOWHERE;
    }
  }

  public static int base(Class<?> array) {
    checkArray(array);
    return UNSAFE.arrayBaseOffset(array);
  }

  public static int scale(Class<?> array) {
    checkArray(array);
    return UNSAFE.arrayIndexScale(array);
  }

  private static void checkArray(Class<?> array) {
    if (!array.isArray()) {
      throw new IllegalArgumentException("valid for array classes only");
    }
  }

  /** Makes an object without calling a constructor. */
  public static Object allocate(Class<?> of) throws InstantiationException {
    return UNSAFE.allocateInstance(Loaders.seen(of));
  }

  /** Whether so many bytes at an offset are a primitive field of an object, or lie within an array of primitives. */
  private static boolean holds(Object object, long offset, int size) {
    if (object == null) {
      return allocated(offset, size);
    }
    Class<?> type = object.getClass();
    if (!type.isArray()) {
      Class<?> field = FIELDS.get(type).get(offset);
      return field != null && field.isPrimitive() && size(field) == size;
    }
    if (!type.getComponentType().isPrimitive()) {
      return false;
    }
    long from = offset - UNSAFE.arrayBaseOffset(type);
    return from >= 0 && from + size <= (long) Array.getLength(object) * UNSAFE.arrayIndexScale(type);
  }

  /** The type of the reference at an offset of an object; null if there is none. */
  private static Class<?> reference(Object object, long offset) {
    Class<?> type = object.getClass();
    if (!type.isArray()) {
      Class<?> field = FIELDS.get(type).get(offset);
      return field == null || field.isPrimitive() ? null : field;
    }
    Class<?> element = type.getComponentType();
    long from = offset - UNSAFE.arrayBaseOffset(type);
    boolean within = from >= 0 && from % REFERENCE == 0 && from / REFERENCE < Array.getLength(object);
    return within && !element.isPrimitive() ? element : null;
  }

  /** Whether a reference at an offset of an object may have this value. */
  private static boolean takes(Object object, long offset, Object value) {
    Class<?> type = reference(object, offset);
    return type != null && (value == null || type.isInstance(value));
  }

  /** The class that called the method of {@link AppUnsafe} that calls this one. */
  public static Class<?> caller() {
    return WALKER.walk(frames -> frames.skip(2).findFirst()).map(StackWalker.StackFrame::getDeclaringClass).orElse(Object.class);
  }

  public static void fence() {
    UNSAFE.fullFence();
  }

  private static int size(Class<?> primitive) {
    if (primitive == long.class || primitive == double.class) {
      return Long.BYTES;
    } else if (primitive == int.class || primitive == float.class) {
      return Integer.BYTES;
    }
    return primitive == short.class || primitive == char.class ? Short.BYTES : 1;
  }

  public static long allocateBlock(long bytes) {
    long address = UNSAFE.allocateMemory(bytes);
    UNSAFE.setMemory(address, bytes, (byte) 0);
    synchronized (BLOCKS) {
      BLOCKS.put(address, bytes);
    }
    return address;
  }

  public static void free(long address) {
    synchronized (BLOCKS) {
      if (BLOCKS.remove(address) != null) {
        UNSAFE.freeMemory(address);
      }
    }
  }

  private static boolean allocated(long address, long size) {
    synchronized (BLOCKS) {
      Map.Entry<Long, Long> block = BLOCKS.floorEntry(address);
      return block != null && size >= 0 && address - block.getKey() <= block.getValue() - size;
    }
  }

  /** Copies bytes between arrays of primitives, fields and blocks; nothing if one of the ranges is none. */
  public static void copy(Object from, long fromOffset, Object to, long toOffset, long bytes) {
    if (bytes > 0 && bytes <= Integer.MAX_VALUE && holds(from, fromOffset, (int) bytes) && holds(to, toOffset, (int) bytes)) {
      UNSAFE.copyMemory(from, fromOffset, to, toOffset, bytes);
    }
  }

  public static void set(long address, long bytes, byte value) {
    if (allocated(address, bytes)) {
      UNSAFE.setMemory(address, bytes, value);
    }
  }

  public static boolean getBoolean(Object object, long offset) {
    return holds(object, offset, 1) ? UNSAFE.getBooleanVolatile(object, offset) : false;
  }

  public static void putBoolean(Object object, long offset, boolean value) {
    if (holds(object, offset, 1)) {
      UNSAFE.putBooleanVolatile(object, offset, value);
    }
  }

  public static byte getByte(Object object, long offset) {
    return holds(object, offset, Byte.BYTES) ? UNSAFE.getByteVolatile(object, offset) : 0;
  }

  public static void putByte(Object object, long offset, byte value) {
    if (holds(object, offset, Byte.BYTES)) {
      UNSAFE.putByteVolatile(object, offset, value);
    }
  }

  public static char getChar(Object object, long offset) {
    return holds(object, offset, Character.BYTES) ? UNSAFE.getCharVolatile(object, offset) : 0;
  }

  public static void putChar(Object object, long offset, char value) {
    if (holds(object, offset, Character.BYTES)) {
      UNSAFE.putCharVolatile(object, offset, value);
    }
  }

  public static short getShort(Object object, long offset) {
    return holds(object, offset, Short.BYTES) ? UNSAFE.getShortVolatile(object, offset) : 0;
  }

  public static void putShort(Object object, long offset, short value) {
    if (holds(object, offset, Short.BYTES)) {
      UNSAFE.putShortVolatile(object, offset, value);
    }
  }

  public static int getInt(Object object, long offset) {
    return holds(object, offset, Integer.BYTES) ? UNSAFE.getIntVolatile(object, offset) : 0;
  }

  public static void putInt(Object object, long offset, int value) {
    if (holds(object, offset, Integer.BYTES)) {
      UNSAFE.putIntVolatile(object, offset, value);
    }
  }

  public static long getLong(Object object, long offset) {
    return holds(object, offset, Long.BYTES) ? UNSAFE.getLongVolatile(object, offset) : 0;
  }

  public static void putLong(Object object, long offset, long value) {
    if (holds(object, offset, Long.BYTES)) {
      UNSAFE.putLongVolatile(object, offset, value);
    }
  }

  public static float getFloat(Object object, long offset) {
    return holds(object, offset, Float.BYTES) ? UNSAFE.getFloatVolatile(object, offset) : 0;
  }

  public static void putFloat(Object object, long offset, float value) {
    if (holds(object, offset, Float.BYTES)) {
      UNSAFE.putFloatVolatile(object, offset, value);
    }
  }

  public static double getDouble(Object object, long offset) {
    return holds(object, offset, Double.BYTES) ? UNSAFE.getDoubleVolatile(object, offset) : 0;
  }

  public static void putDouble(Object object, long offset, double value) {
    if (holds(object, offset, Double.BYTES)) {
      UNSAFE.putDoubleVolatile(object, offset, value);
    }
  }

  public static Object getObject(Object object, long offset) {
    return reference(object, offset) == null ? null : UNSAFE.getObjectVolatile(object, offset);
  }

  public static void putObject(Object object, long offset, Object value) {
    if (takes(object, offset, value)) {
      UNSAFE.putObjectVolatile(object, offset, value);
    }
  }

  public static boolean compareAndSwapInt(Object object, long offset, int expected, int value) {
    return holds(object, offset, Integer.BYTES) && UNSAFE.compareAndSwapInt(object, offset, expected, value);
  }

  public static boolean compareAndSwapLong(Object object, long offset, long expected, long value) {
    return holds(object, offset, Long.BYTES) && UNSAFE.compareAndSwapLong(object, offset, expected, value);
  }

  public static boolean compareAndSwapObject(Object object, long offset, Object expected, Object value) {
    return takes(object, offset, value) && UNSAFE.compareAndSwapObject(object, offset, expected, value);
  }

  public static int getAndSetInt(Object object, long offset, int value) {
    return holds(object, offset, Integer.BYTES) ? UNSAFE.getAndSetInt(object, offset, value) : 0;
  }

  public static long getAndSetLong(Object object, long offset, long value) {
    return holds(object, offset, Long.BYTES) ? UNSAFE.getAndSetLong(object, offset, value) : 0;
  }

  public static Object getAndSetObject(Object object, long offset, Object value) {
    return takes(object, offset, value) ? UNSAFE.getAndSetObject(object, offset, value) : null;
  }

  public static int getAndAddInt(Object object, long offset, int more) {
    return holds(object, offset, Integer.BYTES) ? UNSAFE.getAndAddInt(object, offset, more) : 0;
  }

  public static long getAndAddLong(Object object, long offset, long more) {
    return holds(object, offset, Long.BYTES) ? UNSAFE.getAndAddLong(object, offset, more) : 0;
  }
}
