package droidtest.web;

import droidtest.host.web.Engine;
import org.htmlunit.WebConsole;

/** The console of a page. */
record Console(Engine.Host host) implements WebConsole.Logger {
  private void write(String level, Object message) {
    host.console(level, String.valueOf(message), "", 0);
  }

  @Override
  public boolean isTraceEnabled() {
    return true;
  }

  @Override
  public void trace(Object message) {
    write("debug", message);
  }

  @Override
  public boolean isDebugEnabled() {
    return true;
  }

  @Override
  public void debug(Object message) {
    write("debug", message);
  }

  @Override
  public boolean isInfoEnabled() {
    return true;
  }

  @Override
  public void info(Object message) {
    write("log", message);
  }

  @Override
  public boolean isWarnEnabled() {
    return true;
  }

  @Override
  public void warn(Object message) {
    write("warn", message);
  }

  @Override
  public boolean isErrorEnabled() {
    return true;
  }

  @Override
  public void error(Object message) {
    write("error", message);
  }
}
