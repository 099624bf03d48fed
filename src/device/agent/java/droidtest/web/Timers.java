package droidtest.web;

import org.htmlunit.WebClient;
import org.htmlunit.javascript.background.BackgroundJavaScriptFactory;
import org.htmlunit.javascript.background.DefaultJavaScriptExecutor;
import org.htmlunit.javascript.background.JavaScriptExecutor;
import org.htmlunit.javascript.background.JavaScriptJob;
import org.htmlunit.javascript.background.JavaScriptJobManager;

/** The timers of a page. HtmlUnit has a thread for them; here the device says when they run. */
final class Timers extends DefaultJavaScriptExecutor {
  private static final long serialVersionUID = 1;
  /** How many run in one turn: a timer may set another that is due at once. */
  private static final int TURN = 20;

  private Timers(WebClient client) {
    super(client);
  }

  static void install() {
    BackgroundJavaScriptFactory.setFactory(
        new BackgroundJavaScriptFactory() {
          @Override
          public JavaScriptExecutor createJavaScriptExecutor(WebClient client) {
            return new Timers(client);
          }
        });
  }

  @Override
  protected void startThreadIfNeeded() {}

  private JavaScriptJob first() {
    JavaScriptJobManager manager = getJobManagerWithEarliestJob();
    return manager == null ? null : manager.getEarliestJob();
  }

  long due() {
    JavaScriptJob job = first();
    return job == null ? -1 : job.getTargetExecutionTime();
  }

  void runDue() {
    for (int i = 0; i < TURN; i++) {
      JavaScriptJobManager manager = getJobManagerWithEarliestJob();
      JavaScriptJob job = manager == null ? null : manager.getEarliestJob();
      if (job == null || !manager.runSingleJob(job)) {
        return;
      }
    }
  }
}
