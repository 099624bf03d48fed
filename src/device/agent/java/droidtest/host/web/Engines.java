package droidtest.host.web;

import droidtest.host.chromium.Chromium;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.nio.file.Path;

/** Makes engines. Their classes stay from one process life to the next: they hold nothing of the app. */
public final class Engines {
  private static EngineLoader loader;

  private Engines() {}

  /**
   * An engine for one web view, to be used by one thread at a time.
   *
   * @param libraries the folder of HtmlUnit's jars
   * @param browser the folder of Chromium's pipes, null where HtmlUnit is the engine
   */
  public static Engine open(Path libraries, Path browser, Engine.Host host) throws IOException {
    if (browser != null) {
      return new Chromium(browser, host);
    }
    ClassLoader classes = loader(libraries);
    Thread.currentThread().setContextClassLoader(classes);
    try {
      Class<?> engine = Class.forName("droidtest.web.HtmlUnit", true, classes);
      return (Engine) engine.getConstructor(Engine.Host.class).newInstance(host);
    } catch (InvocationTargetException e) {
      throw new IOException("the engine does not start: " + e.getCause(), e.getCause());
    } catch (ReflectiveOperationException | LinkageError e) {
      throw new IOException("the engine does not start: " + e, e);
    }
  }

  private static synchronized ClassLoader loader(Path libraries) throws IOException {
    if (loader == null) {
      loader = new EngineLoader(libraries);
    }
    return loader;
  }
}
