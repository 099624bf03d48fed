package droidtest.app;

import android.content.pm.ActivityInfo;
import android.content.pm.PackageInfo;
import android.content.pm.PackageManager;
import android.content.pm.PackageManager.NameNotFoundException;
import android.content.pm.PackageManager.PackageInfoFlags;
import android.content.pm.ProviderInfo;
import android.content.pm.ServiceInfo;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.shadows.ShadowApplicationPackageManager;
import org.robolectric.shadows.ShadowPackageManager;
import org.robolectric.util.ReflectionHelpers;

/**
 * Hands out a package without what was not asked for. Robolectric writes every component of the package into a parcel and
 * reads it back before it leaves most of them out: a second for one label in an app of four hundred activities.
 */
@Implements(className = "android.app.ApplicationPackageManager", isInAndroidSdk = false)
public class Packages extends ShadowApplicationPackageManager {
  /** Under which Robolectric reads and changes its packages. */
  private static final Object LOCK = ReflectionHelpers.getStaticField(ShadowPackageManager.class, "lock");

  @Override
  @Implementation
  protected PackageInfo getPackageInfo(String name, int flags) throws NameNotFoundException {
    return slim(name, flags, () -> super.getPackageInfo(name, flags));
  }

  @Override
  @Implementation
  protected PackageInfo getPackageInfo(String name, Object flags) throws NameNotFoundException {
    return slim(name, ((PackageInfoFlags) flags).getValue(), () -> super.getPackageInfo(name, flags));
  }

  private interface Copy {
    PackageInfo make() throws NameNotFoundException;
  }

  private PackageInfo slim(String name, long flags, Copy copy) throws NameNotFoundException {
    synchronized (LOCK) {
      PackageInfo whole = getInternalMutablePackageInfo(name);
      if (whole == null) {
        return copy.make();
      }
      ActivityInfo[] activities = whole.activities;
      ActivityInfo[] receivers = whole.receivers;
      ServiceInfo[] services = whole.services;
      ProviderInfo[] providers = whole.providers;
      try {
        whole.activities = (flags & PackageManager.GET_ACTIVITIES) == 0 ? null : activities;
        whole.receivers = (flags & PackageManager.GET_RECEIVERS) == 0 ? null : receivers;
        whole.services = (flags & PackageManager.GET_SERVICES) == 0 ? null : services;
        whole.providers = (flags & PackageManager.GET_PROVIDERS) == 0 ? null : providers;
        return copy.make();
      } finally {
        whole.activities = activities;
        whole.receivers = receivers;
        whole.services = services;
        whole.providers = providers;
      }
    }
  }
}
