package droidtest.app;

import android.content.res.AssetManager;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.res.android.CppAssetManager2;
import org.robolectric.res.android.Registries;
import org.robolectric.shadows.ShadowArscAssetManager14;
import org.robolectric.util.ReflectionHelpers;

/**
 * Takes themes over to another configuration (rotation, night mode): their styles are read again, as
 * {@code ThemeRebase} of {@code android_util_AssetManager.cpp} does. Robolectric does nothing there: a theme kept the
 * values and the tables of the configuration it was made for, and one copied from it lacked complete packages.
 */
@Implements(value = AssetManager.class, isInAndroidSdk = false)
public class Themes extends ShadowArscAssetManager14 {
  @Implementation
  protected static void nativeThemeRebase(long assets, long theme, int[] styles, boolean[] force, int count) {
    CppAssetManager2.Theme rebased = Registries.NATIVE_THEME9_REGISTRY.getNativeObject(theme);
    ReflectionHelpers.setField(
        rebased, "asset_manager_", Registries.NATIVE_ASSET_MANAGER_REGISTRY.getNativeObject(assets));
    rebased.Clear();
    for (int i = 0; i < count; i++) {
      rebased.ApplyStyle(styles[i], force[i]);
    }
  }
}
