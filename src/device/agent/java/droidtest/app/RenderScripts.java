package droidtest.app;

import android.graphics.Bitmap;
import android.graphics.Canvas;
import android.renderscript.RenderScript;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;

/**
 * A graphics processor for scripts that computes nothing: what goes into a script comes out of it, so that a blurred
 * picture is there, only sharp. Every native method that makes something must be here: what is 0 could not be made.
 */
@Implements(RenderScript.class)
public class RenderScripts {
  private static final int POINTER_BYTES = 8;
  private static final AtomicLong LAST = new AtomicLong();

  /** The pictures in allocations, and which one each script reads. */
  private final Map<Long, Bitmap> pictures = new ConcurrentHashMap<>();
  private final Map<Long, Long> inputs = new ConcurrentHashMap<>();

  /** Nothing is compiled, so nothing is kept. */
  @Implementation
  protected static String getCachePath() {
    return "";
  }

  @Implementation
  protected static int rsnSystemGetPointerSize() {
    return POINTER_BYTES;
  }

  @Implementation
  protected long nDeviceCreate() {
    return LAST.incrementAndGet();
  }

  @Implementation
  protected long rsnContextCreate(long device, int version, int sdk, int type) {
    return LAST.incrementAndGet();
  }

  @Implementation
  protected long rsnElementCreate(long context, long type, int kind, boolean normalized, int size) {
    return LAST.incrementAndGet();
  }

  @Implementation
  protected long rsnElementCreate2(long context, long[] elements, String[] names, int[] sizes) {
    return LAST.incrementAndGet();
  }

  @Implementation
  protected long rsnTypeCreate(
      long context, long element, int x, int y, int z, boolean mipmaps, boolean faces, int yuv) {
    return LAST.incrementAndGet();
  }

  @Implementation
  protected long rsnScriptCCreate(long context, String name, String cache, byte[] code, int length) {
    return LAST.incrementAndGet();
  }

  @Implementation
  protected long rsnScriptIntrinsicCreate(long context, int id, long element) {
    return LAST.incrementAndGet();
  }

  @Implementation
  protected long rsnScriptKernelIDCreate(long context, long script, int slot, int signature) {
    return LAST.incrementAndGet();
  }

  @Implementation
  protected long rsnScriptInvokeIDCreate(long context, long script, int slot) {
    return LAST.incrementAndGet();
  }

  @Implementation
  protected long rsnScriptFieldIDCreate(long context, long script, int slot) {
    return LAST.incrementAndGet();
  }

  @Implementation
  protected long rsnScriptGroupCreate(
      long context, long[] kernels, long[] from, long[] to, long[] fields, long[] types) {
    return LAST.incrementAndGet();
  }

  @Implementation
  protected long rsnSamplerCreate(long context, int min, int mag, int s, int t, int r, float anisotropy) {
    return LAST.incrementAndGet();
  }

  @Implementation
  protected long rsnAllocationCreateTyped(long context, long type, int mipmaps, int usage, long pointer) {
    return LAST.incrementAndGet();
  }

  @Implementation
  protected long rsnAllocationCreateFromBitmap(long context, long type, int mipmaps, Bitmap picture, int usage) {
    long id = LAST.incrementAndGet();
    rsnAllocationCopyFromBitmap(context, id, picture);
    return id;
  }

  @Implementation
  protected long rsnAllocationCreateBitmapBackedAllocation(
      long context, long type, int mipmaps, Bitmap picture, int usage) {
    return rsnAllocationCreateFromBitmap(context, type, mipmaps, picture, usage);
  }

  @Implementation
  protected void rsnAllocationCopyFromBitmap(long context, long id, Bitmap picture) {
    pictures.put(id, picture.copy(Bitmap.Config.ARGB_8888, false));
  }

  @Implementation
  protected void rsnAllocationCopyToBitmap(long context, long id, Bitmap to) {
    Bitmap picture = pictures.get(id);
    if (picture != null && to.isMutable()) {
      to.eraseColor(0);
      new Canvas(to).drawBitmap(picture, 0, 0, null);
    }
  }

  @Implementation
  protected void rsnObjDestroy(long context, long id) {
    pictures.remove(id);
    inputs.remove(id);
  }

  @Implementation
  protected void rsnScriptSetVarObj(long context, long script, int slot, long object) {
    inputs.put(script, object);
  }

  @Implementation
  protected void rsnScriptForEach(
      long context, long script, int slot, long[] from, long to, byte[] parameters, int[] limits) {
    Long input = from != null && from.length > 0 ? Long.valueOf(from[0]) : inputs.get(script);
    Bitmap picture = input == null ? null : pictures.get(input);
    if (picture != null && to != 0) {
      pictures.put(to, picture);
    }
  }

  /** Would poll a thousand times per second, forever, for messages of a script. */
  @Implements(className = "android.renderscript.RenderScript$MessageThread", isInAndroidSdk = false)
  public static class OfMessageThread {
    @Implementation
    protected void run() {
      // No script ever has.
    }
  }
}
