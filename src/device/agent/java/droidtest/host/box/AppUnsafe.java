package droidtest.host.box;

import java.lang.reflect.Field;
import java.util.concurrent.locks.LockSupport;

/**
 * {@code sun.misc.Unsafe} as Android 14 has it, for apps: the app's class loader gives this class that name. Java's own
 * refuses callers outside the boot class path, has other methods, and gives access to all of the process's memory.
 *
 * <p>Libraries take it for serialization (protobuf), queues (JCTools), objects without a constructor (Gson), and to lift
 * the restriction of hidden API, which this device does not have: there the runtime's structures read as empty, so that
 * such a library finds no method to call and goes on ({@link Memory}).
 */
public final class AppUnsafe {
  public static final int INVALID_FIELD_OFFSET = -1;
  private static final AppUnsafe THE_ONE = new AppUnsafe();
  private static final AppUnsafe theUnsafe = THE_ONE;

  private AppUnsafe() {}

  /** Refuses callers that are not on the boot class path; reflection is. */
  public static AppUnsafe getUnsafe() {
    Class<?> caller = Memory.caller();
    if (caller.getClassLoader() == AppUnsafe.class.getClassLoader()) {
      throw new SecurityException("Unsafe access denied");
    }
    return THE_ONE;
  }

  public long objectFieldOffset(Field field) {
    return Memory.offset(field);
  }

  public int arrayBaseOffset(Class<?> type) {
    return Memory.base(type);
  }

  public int arrayIndexScale(Class<?> type) {
    return Memory.scale(type);
  }

  public Object allocateInstance(Class<?> type) throws InstantiationException {
    return Memory.allocate(type);
  }

  public int addressSize() {
    return Long.BYTES;
  }

  public int pageSize() {
    return 4096;
  }

  public long allocateMemory(long bytes) {
    return Memory.allocateBlock(bytes);
  }

  public void freeMemory(long address) {
    Memory.free(address);
  }

  public void setMemory(long address, long bytes, byte value) {
    Memory.set(address, bytes, value);
  }

  public void copyMemory(long from, long to, long bytes) {
    Memory.copy(null, from, null, to, bytes);
  }

  public void copyMemory(Object from, long fromOffset, Object to, long toOffset, long bytes) {
    Memory.copy(from, fromOffset, to, toOffset, bytes);
  }

  public void copyMemoryToPrimitiveArray(long from, Object to, long toOffset, long bytes) {
    Memory.copy(null, from, to, toOffset, bytes);
  }

  public void copyMemoryFromPrimitiveArray(Object from, long fromOffset, long to, long bytes) {
    Memory.copy(from, fromOffset, null, to, bytes);
  }

  public void park(boolean absolute, long time) {
    if (time == 0) {
      LockSupport.park();
    } else if (absolute) {
      LockSupport.parkUntil(time);
    } else {
      LockSupport.parkNanos(time);
    }
  }

  public void unpark(Object thread) {
    LockSupport.unpark((Thread) thread);
  }

  public void loadFence() {
    Memory.fence();
  }

  public void storeFence() {
    Memory.fence();
  }

  public void fullFence() {
    Memory.fence();
  }

  public boolean getBoolean(Object object, long offset) {
    return Memory.getBoolean(object, offset);
  }

  public void putBoolean(Object object, long offset, boolean value) {
    Memory.putBoolean(object, offset, value);
  }

  public byte getByte(Object object, long offset) {
    return Memory.getByte(object, offset);
  }

  public void putByte(Object object, long offset, byte value) {
    Memory.putByte(object, offset, value);
  }

  public byte getByte(long address) {
    return Memory.getByte(null, address);
  }

  public void putByte(long address, byte value) {
    Memory.putByte(null, address, value);
  }

  public char getChar(Object object, long offset) {
    return Memory.getChar(object, offset);
  }

  public void putChar(Object object, long offset, char value) {
    Memory.putChar(object, offset, value);
  }

  public char getChar(long address) {
    return Memory.getChar(null, address);
  }

  public void putChar(long address, char value) {
    Memory.putChar(null, address, value);
  }

  public short getShort(Object object, long offset) {
    return Memory.getShort(object, offset);
  }

  public void putShort(Object object, long offset, short value) {
    Memory.putShort(object, offset, value);
  }

  public short getShort(long address) {
    return Memory.getShort(null, address);
  }

  public void putShort(long address, short value) {
    Memory.putShort(null, address, value);
  }

  public int getInt(Object object, long offset) {
    return Memory.getInt(object, offset);
  }

  public void putInt(Object object, long offset, int value) {
    Memory.putInt(object, offset, value);
  }

  public int getIntVolatile(Object object, long offset) {
    return Memory.getInt(object, offset);
  }

  public void putIntVolatile(Object object, long offset, int value) {
    Memory.putInt(object, offset, value);
  }

  public void putOrderedInt(Object object, long offset, int value) {
    Memory.putInt(object, offset, value);
  }

  public boolean compareAndSwapInt(Object object, long offset, int expected, int value) {
    return Memory.compareAndSwapInt(object, offset, expected, value);
  }

  public int getAndSetInt(Object object, long offset, int value) {
    return Memory.getAndSetInt(object, offset, value);
  }

  public int getAndAddInt(Object object, long offset, int more) {
    return Memory.getAndAddInt(object, offset, more);
  }

  public int getInt(long address) {
    return Memory.getInt(null, address);
  }

  public void putInt(long address, int value) {
    Memory.putInt(null, address, value);
  }

  public long getLong(Object object, long offset) {
    return Memory.getLong(object, offset);
  }

  public void putLong(Object object, long offset, long value) {
    Memory.putLong(object, offset, value);
  }

  public long getLongVolatile(Object object, long offset) {
    return Memory.getLong(object, offset);
  }

  public void putLongVolatile(Object object, long offset, long value) {
    Memory.putLong(object, offset, value);
  }

  public void putOrderedLong(Object object, long offset, long value) {
    Memory.putLong(object, offset, value);
  }

  public boolean compareAndSwapLong(Object object, long offset, long expected, long value) {
    return Memory.compareAndSwapLong(object, offset, expected, value);
  }

  public long getAndSetLong(Object object, long offset, long value) {
    return Memory.getAndSetLong(object, offset, value);
  }

  public long getAndAddLong(Object object, long offset, long more) {
    return Memory.getAndAddLong(object, offset, more);
  }

  public long getLong(long address) {
    return Memory.getLong(null, address);
  }

  public void putLong(long address, long value) {
    Memory.putLong(null, address, value);
  }

  public float getFloat(Object object, long offset) {
    return Memory.getFloat(object, offset);
  }

  public void putFloat(Object object, long offset, float value) {
    Memory.putFloat(object, offset, value);
  }

  public float getFloat(long address) {
    return Memory.getFloat(null, address);
  }

  public void putFloat(long address, float value) {
    Memory.putFloat(null, address, value);
  }

  public double getDouble(Object object, long offset) {
    return Memory.getDouble(object, offset);
  }

  public void putDouble(Object object, long offset, double value) {
    Memory.putDouble(object, offset, value);
  }

  public double getDouble(long address) {
    return Memory.getDouble(null, address);
  }

  public void putDouble(long address, double value) {
    Memory.putDouble(null, address, value);
  }

  public Object getObject(Object object, long offset) {
    return Memory.getObject(object, offset);
  }

  public void putObject(Object object, long offset, Object value) {
    Memory.putObject(object, offset, value);
  }

  public Object getObjectVolatile(Object object, long offset) {
    return Memory.getObject(object, offset);
  }

  public void putObjectVolatile(Object object, long offset, Object value) {
    Memory.putObject(object, offset, value);
  }

  public void putOrderedObject(Object object, long offset, Object value) {
    Memory.putObject(object, offset, value);
  }

  public boolean compareAndSwapObject(Object object, long offset, Object expected, Object value) {
    return Memory.compareAndSwapObject(object, offset, expected, value);
  }

  public Object getAndSetObject(Object object, long offset, Object value) {
    return Memory.getAndSetObject(object, offset, value);
  }
}
