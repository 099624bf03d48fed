package droidtest.app;

import android.content.Intent;
import android.content.pm.ActivityInfo;
import android.content.pm.ApplicationInfo;
import android.content.pm.PackageInfo;
import android.content.pm.PackageManager;
import android.content.pm.PackageManager.NameNotFoundException;
import android.content.pm.PackageManager.PackageInfoFlags;
import android.content.pm.ProviderInfo;
import android.content.pm.ResolveInfo;
import android.content.pm.ServiceInfo;
import java.util.ArrayList;
import java.util.List;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.shadows.ShadowApplicationPackageManager;
import org.robolectric.shadows.ShadowPackageManager;
import org.robolectric.util.ReflectionHelpers;

/**
 * Knows Android's apps and what the user has granted, and hands out a package without what was not requested. Robolectric writes every component of the package into a parcel and
 * reads it back before it leaves most of them out: a second for one label in an app of four hundred activities.
 */
@Implements(className = "android.app.ApplicationPackageManager", isInAndroidSdk = false)
public class Packages extends ShadowApplicationPackageManager {
  /** Under which Robolectric reads and changes its packages. */
  private static final Object LOCK = ReflectionHelpers.getStaticField(ShadowPackageManager.class, "lock");

  /** Activities of the SDK sandbox, which no app of ours is. */
  @Implementation
  protected String getSdkSandboxPackageName() {
    return "com.android.sdksandbox";
  }

  @Override
  @Implementation
  protected PackageInfo getPackageInfo(String name, int flags) throws NameNotFoundException {
    return Hardware.complete(Signing.sign(slim(name, flags, () -> super.getPackageInfo(name, flags)), flags));
  }

  @Override
  @Implementation
  protected PackageInfo getPackageInfo(String name, Object flags) throws NameNotFoundException {
    long wanted = ((PackageInfoFlags) flags).getValue();
    return Hardware.complete(Signing.sign(slim(name, wanted, () -> super.getPackageInfo(name, flags)), wanted));
  }

  @Override
  @Implementation
  protected List<ResolveInfo> queryIntentActivities(Intent intent, int flags) {
    List<ResolveInfo> found = super.queryIntentActivities(intent, flags);
    // Apps sort what they are given.
    return found.isEmpty() && stock(intent) ? new ArrayList<>(List.of(stockApp(intent))) : found;
  }

  @Override
  @Implementation
  protected ResolveInfo resolveActivity(Intent intent, int flags) {
    ResolveInfo found = super.resolveActivity(intent, flags);
    return found == null && stock(intent) ? stockApp(intent) : found;
  }

  @Override
  @Implementation
  protected int checkPermission(String permission, String packageName) {
    Permissions own = AppProcess.permissions();
    if (own == null || !AppProcess.packageName().equals(packageName)) {
      return super.checkPermission(permission, packageName);
    }
    return own.granted(permission) ? PackageManager.PERMISSION_GRANTED : PackageManager.PERMISSION_DENIED;
  }

  @Override
  @Implementation
  protected boolean shouldShowRequestPermissionRationale(String permission) {
    Permissions own = AppProcess.permissions();
    return own != null && own.deniedOnce(permission);
  }

  /** Robolectric's says no to all. */
  @Override
  @Implementation(minSdk = 24)
  protected boolean hasSystemFeature(String name, int version) {
    return hasSystemFeature(name);
  }

  /** Whether Android's apps handle it; {@code MAIN} is an entry of each app, and only the home screen is meant. */
  private static boolean stock(Intent intent) {
    boolean main = Intent.ACTION_MAIN.equals(intent.getAction());
    return intent.getComponent() == null
        && intent.getPackage() == null
        && (!main || intent.hasCategory(Intent.CATEGORY_HOME))
        && Resolver.stockAppHandles(intent);
  }

  private static ResolveInfo stockApp(Intent intent) {
    boolean home = Intent.ACTION_MAIN.equals(intent.getAction());
    ActivityInfo activity = new ActivityInfo();
    activity.packageName = home ? "com.android.launcher3" : "com.android.stock";
    activity.name = activity.packageName + ".MainActivity";
    activity.exported = true;
    activity.enabled = true;
    activity.nonLocalizedLabel = home ? "Launcher" : "Android";
    activity.applicationInfo = new ApplicationInfo();
    activity.applicationInfo.packageName = activity.packageName;
    activity.applicationInfo.flags = ApplicationInfo.FLAG_SYSTEM;
    activity.applicationInfo.enabled = true;
    activity.applicationInfo.nonLocalizedLabel = activity.nonLocalizedLabel;
    ResolveInfo found = new ResolveInfo();
    found.activityInfo = activity;
    found.nonLocalizedLabel = activity.nonLocalizedLabel;
    found.isDefault = true;
    return found;
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
