package droidtest.gui;

import android.graphics.Bitmap;
import android.graphics.HardwareRenderer;
import android.graphics.RenderNode;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.shadows.ShadowNativeHardwareRenderer;

/**
 * Pictures as bitmaps of a graphics processor ({@code Bitmap.createBitmap(Picture)}, by which the framework's transitions
 * copy a view that leaves). On Android the processor paints into a surface; Robolectric has neither, and throws "Surface is
 * invalid". Here the bitmap is transparent: no app can read the pixels of one that a graphics processor keeps.
 */
@Implements(value = HardwareRenderer.class, minSdk = 29, callNativeMethodsByDefault = true)
public class HardwareBitmaps extends ShadowNativeHardwareRenderer {
  @Implementation
  protected static Bitmap createHardwareBitmap(RenderNode node, int width, int height) {
    return Bitmap.createBitmap(width, height, Bitmap.Config.ARGB_8888);
  }
}
