package droidtest.gui;

import android.content.Context;
import android.content.pm.ApplicationInfo;
import android.content.pm.PackageInfo;
import android.net.Uri;
import android.os.Handler;
import android.os.Looper;
import android.webkit.GeolocationPermissions;
import android.webkit.ServiceWorkerClient;
import android.webkit.ServiceWorkerController;
import android.webkit.ServiceWorkerWebSettings;
import android.webkit.TracingConfig;
import android.webkit.TracingController;
import android.webkit.ValueCallback;
import android.webkit.WebSettings;
import android.webkit.WebStorage;
import android.webkit.WebViewFactory;
import android.webkit.WebViewFactoryProvider;
import droidtest.host.web.Engine;
import java.io.OutputStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.concurrent.Executor;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.shadows.ShadowWebSettings;
import org.robolectric.util.ReflectionHelpers;

/**
 * What all web views of a phone share: the package that they come from, and {@link WebViewFactoryProvider}, which that
 * package gives the framework. Hybrid frameworks check the version and set up service workers before they show a page.
 * Robolectric has no provider, so the framework asks a service that is not there.
 */
public final class WebProvider {
  private static final String PACKAGE = "com.google.android.webview";
  private static final String VERSION = "120.0.6099.144";
  private static final int VERSION_CODE = 609914437;

  private static final WebViewFactoryProvider PROVIDER = provider();
  private static final ServiceWorkerController SERVICE_WORKERS = new ServiceWorkers();
  private static final TracingController TRACING = new Tracing();

  private WebProvider() {}

  /** The provider and its package, without the update service that loads them. */
  @Implements(value = WebViewFactory.class, isInAndroidSdk = false)
  public static class OfFactory {
    @Implementation
    protected static WebViewFactoryProvider getProvider() {
      return PROVIDER;
    }

    @Implementation
    protected static PackageInfo getLoadedPackageInfo() {
      return packageInfo();
    }
  }

  /** The name of a browser of today; Robolectric's is of Android 4. */
  @Implements(value = WebSettings.class)
  public static class OfSettings extends ShadowWebSettings {
    @Implementation
    protected static String getDefaultUserAgent(Context context) {
      return Engine.AGENT;
    }
  }

  /** A copy for each caller, as it crosses a binder. */
  static PackageInfo packageInfo() {
    PackageInfo info = new PackageInfo();
    info.packageName = PACKAGE;
    info.versionName = VERSION;
    info.setLongVersionCode(VERSION_CODE);
    info.applicationInfo = new ApplicationInfo();
    info.applicationInfo.packageName = PACKAGE;
    info.applicationInfo.flags = ApplicationInfo.FLAG_SYSTEM | ApplicationInfo.FLAG_INSTALLED;
    info.applicationInfo.enabled = true;
    return info;
  }

  /** Answers what is known here, and lets Robolectric answer the rest, which its shadows of web views take. */
  private static WebViewFactoryProvider provider() {
    WebViewFactoryProvider rest = ReflectionHelpers.createDeepProxy(WebViewFactoryProvider.class);
    WebViewFactoryProvider.Statics statics =
        answering(
            WebViewFactoryProvider.Statics.class, ReflectionHelpers.createDeepProxy(WebViewFactoryProvider.Statics.class),
            (name, args) -> {
              switch (name) {
                case "getDefaultUserAgent":
                  return Engine.AGENT;
                case "initSafeBrowsing":
                case "setSafeBrowsingWhitelist":
                  later((ValueCallback<?>) args[1]);
                  return null;
                case "getSafeBrowsingPrivacyPolicyUrl":
                  return Uri.parse("https://policies.google.com/privacy");
                case "clearClientCertPreferences":
                  if (args[0] != null) {
                    new Handler(Looper.getMainLooper()).post((Runnable) args[0]);
                  }
                  return null;
                default:
                  return UNKNOWN;
              }
            });
    return answering(
        WebViewFactoryProvider.class, rest,
        (name, args) -> {
          switch (name) {
            case "getStatics":
              return statics;
            case "getServiceWorkerController":
              return SERVICE_WORKERS;
            case "getTracingController":
              return TRACING;
            case "getGeolocationPermissions":
              return new GeolocationPermissions();
            case "getWebStorage":
              return new WebStorage();
            // Without the classes of a real package: AndroidX finds that no newer feature is supported.
            case "getWebViewClassLoader":
              return WebViewFactoryProvider.class.getClassLoader();
            default:
              return UNKNOWN;
          }
        });
  }

  @SuppressWarnings("unchecked")
  private static void later(ValueCallback<?> callback) {
    if (callback != null) {
      new Handler(Looper.getMainLooper()).post(() -> ((ValueCallback<Boolean>) callback).onReceiveValue(true));
    }
  }

  private static final Object UNKNOWN = new Object();

  /** The answer to a call, or {@link #UNKNOWN}. */
  private interface Answers {
    Object to(String name, Object[] args);
  }

  private static <T> T answering(Class<T> type, T rest, Answers answers) {
    Object made =
        Proxy.newProxyInstance(
            type.getClassLoader(), new Class<?>[] {type},
            (proxy, method, args) -> {
              Object answer = answers.to(method.getName(), args);
              if (answer != UNKNOWN) {
                return answer;
              }
              try {
                return method.invoke(rest, args);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
    return type.cast(made);
  }

  /** Service workers of pages: there are none, since nothing is loaded from a network. */
  private static final class ServiceWorkers extends ServiceWorkerController {
    private final ServiceWorkerWebSettings settings = new WorkerSettings();

    /** What instrumented classes have by themselves; the compiler does not see it and wants it here. */
    public Object $$robo$getData() {
      return ReflectionHelpers.getField(this, "__robo_data__");
    }

    @Override
    public ServiceWorkerWebSettings getServiceWorkerWebSettings() {
      return settings;
    }

    @Override
    public void setServiceWorkerClient(ServiceWorkerClient client) {
      // It is never called.
    }
  }

  private static final class WorkerSettings extends ServiceWorkerWebSettings {
    private int cacheMode = WebSettings.LOAD_DEFAULT;
    private boolean content = true;
    private boolean file = true;
    private boolean blocked;

    /** What instrumented classes have by themselves; the compiler does not see it and wants it here. */
    public Object $$robo$getData() {
      return ReflectionHelpers.getField(this, "__robo_data__");
    }

    @Override
    public void setCacheMode(int mode) {
      cacheMode = mode;
    }

    @Override
    public int getCacheMode() {
      return cacheMode;
    }

    @Override
    public void setAllowContentAccess(boolean allow) {
      content = allow;
    }

    @Override
    public boolean getAllowContentAccess() {
      return content;
    }

    @Override
    public void setAllowFileAccess(boolean allow) {
      file = allow;
    }

    @Override
    public boolean getAllowFileAccess() {
      return file;
    }

    @Override
    public void setBlockNetworkLoads(boolean block) {
      blocked = block;
    }

    @Override
    public boolean getBlockNetworkLoads() {
      return blocked;
    }
  }

  /** Records nothing. */
  private static final class Tracing extends TracingController {
    private boolean on;

    /** What instrumented classes have by themselves; the compiler does not see it and wants it here. */
    public Object $$robo$getData() {
      return ReflectionHelpers.getField(this, "__robo_data__");
    }

    @Override
    public void start(TracingConfig config) {
      if (on) {
        throw new IllegalStateException("cannot start tracing: tracing is already enabled");
      }
      on = true;
    }

    @Override
    public boolean stop(OutputStream to, Executor executor) {
      boolean was = on;
      on = false;
      return was;
    }

    @Override
    public boolean isTracing() {
      return on;
    }
  }
}
