package droidtest.host;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Properties;
import org.junit.runners.model.FrameworkMethod;
import org.junit.runners.model.InitializationError;
import org.robolectric.RobolectricTestRunner;
import org.robolectric.annotation.Config;
import org.robolectric.internal.bytecode.ClassHandler;
import org.robolectric.internal.bytecode.InstrumentationConfiguration;
import org.robolectric.internal.bytecode.Interceptor;
import org.robolectric.internal.bytecode.Sandbox;
import org.robolectric.internal.bytecode.ShadowMap;
import org.robolectric.pluginapi.config.GlobalConfigProvider;

/** Robolectric's public runner with the given app, screen and Android version; one run is one process. */
final class DeviceRunner extends RobolectricTestRunner {
  private static final org.robolectric.util.inject.Injector INJECTOR =
      defaultInjector().bind(GlobalConfigProvider.class, Settings.class).build();

  DeviceRunner(Class<?> session) throws InitializationError {
    super(session, INJECTOR);
  }

  @Override
  protected Properties getBuildSystemApiProperties() {
    Properties properties = new Properties();
    properties.setProperty("android_resource_apk", Host.options().app().resolve("app.apk").toString());
    properties.setProperty("android_custom_package", Host.options().packageName());
    // A text manifest would make Robolectric instantiate the app's receivers with its class loader.
    properties.setProperty("android_merged_manifest", Host.options().app().resolve("none.xml").toString());
    return properties;
  }

  @Override
  protected InstrumentationConfiguration createClassLoaderConfig(FrameworkMethod method) {
    InstrumentationConfiguration ours =
        new InstrumentationConfiguration.Builder(super.createClassLoaderConfig(method))
            .doNotAcquirePackage("droidtest.host.")
            .doNotAcquirePackage("droidtest.sched.")
            // All of it is native code, which gui.Gl replaces.
            .addInstrumentedPackage("com.google.android.gles_jni.")
            .build();
    return new SandboxClasses(ours);
  }

  @Override
  protected Collection<Interceptor> findInterceptors() {
    List<Interceptor> interceptors = new ArrayList<>(super.findInterceptors());
    interceptors.add(new ClockInterceptor());
    interceptors.add(new NameInterceptor());
    return interceptors;
  }

  @Override
  protected Class<?>[] getExtraShadows(FrameworkMethod method) {
    return Shadowing.shadows();
  }

  @Override
  protected ClassHandler createClassHandler(ShadowMap shadowMap, Sandbox sandbox) {
    return new Shadowing(super.createClassHandler(shadowMap, sandbox));
  }

  /** The configuration that Robolectric takes where a test class says nothing. */
  public static final class Settings implements GlobalConfigProvider {
    @Override
    public Config get() {
      return new Config.Builder()
          .setSdk(Host.options().sdk())
          .setQualifiers(Host.options().qualifiers())
          .setApplication(android.app.Application.class)
          .build();
    }
  }
}
