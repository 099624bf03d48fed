package droidtest.app;

import android.app.job.JobInfo;
import android.app.job.JobWorkItem;
import android.content.Context;
import android.content.Intent;
import android.os.SystemClock;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * One job of the app: waits for its time, then binds its service and tells it to start, as the system's job scheduler
 * does. The device has no network, is not charging, is in use, and has room and power enough: a job that requests more
 * runs at its deadline, if it has one.
 */
final class Job {
  /** How often a job that asks to be done again is. */
  private static final int TRIES = 5;

  final String namespace;
  final JobInfo info;
  private final SystemServer system;
  private final Deque<JobWorkItem> items = new ArrayDeque<>();
  private final List<JobWorkItem> given = new ArrayList<>();
  private final long since = SystemClock.uptimeMillis();
  private int lastItem;
  private int failures;
  /** When the present period of a periodic job ends. */
  private long period;
  private JobRun run;

  Job(SystemServer system, String namespace, JobInfo info) {
    this.system = system;
    this.namespace = namespace;
    this.info = info;
  }

  /** Has the job come up when its time is there, or never. */
  void await() {
    if (info.isPeriodic()) {
      period = since + info.getIntervalMillis();
      awaitPeriod();
    } else if (possible()) {
      comeUp(info.getMinLatencyMillis());
    } else if (info.hasLateConstraint()) {
      comeUp(info.getMaxExecutionDelayMillis());
    }
  }

  private boolean possible() {
    return info.getRequiredNetwork() == null
        && !info.isRequireCharging()
        && !info.isRequireDeviceIdle()
        && info.getTriggerContentUris() == null;
  }

  private void awaitPeriod() {
    if (possible()) {
      comeUp(period - info.getFlexMillis() - SystemClock.uptimeMillis());
    }
  }

  private void comeUp(long delay) {
    system.handler.postDelayed(this::start, Math.max(0, delay));
  }

  /** A copy as if it had crossed a binder. */
  void add(JobWorkItem work) {
    JobWorkItem.Builder copy = new JobWorkItem.Builder().setExtras(work.getExtras());
    if (work.getIntent() != null) {
      copy.setIntent(SystemServer.copy(work.getIntent()));
    }
    JobWorkItem item = copy.build();
    item.setWorkId(++lastItem);
    items.add(item);
  }

  void handOver(Job next) {
    given.forEach(next::add);
    items.forEach(next::add);
    given.clear();
    items.clear();
  }

  private void start() {
    JobRun now;
    synchronized (Jobs.LOCK) {
      if (SystemServer.current() != system || !Jobs.has(this)) {
        return;
      }
      now = new JobRun(system, this);
      run = now;
    }
    Intent intent = new Intent().setComponent(info.getService());
    if (system.services.bind(intent, now.connection(), Context.BIND_AUTO_CREATE) == 0) {
      Jobs.drop(this);
    }
  }

  /** The app wants it no more. */
  void stop() {
    JobRun now = run;
    run = null;
    if (now != null) {
      now.stop();
    }
  }

  /** Whether this is the current run: messages of an earlier one are ignored. */
  boolean runs(JobRun which) {
    return run == which;
  }

  /** Whether the deadline is why it runs. */
  boolean late() {
    return info.hasLateConstraint() && SystemClock.uptimeMillis() - since >= info.getMaxExecutionDelayMillis();
  }

  /** The next piece of work; asking for more when all is done ends the job. */
  JobWorkItem next() {
    JobWorkItem next = items.poll();
    if (next != null) {
      next.bumpDeliveryCount();
      given.add(next);
    } else if (given.isEmpty()) {
      finished(false);
    }
    return next;
  }

  boolean complete(int work) {
    return given.removeIf(item -> item.getWorkId() == work);
  }

  void finished(boolean again) {
    run.unbind();
    run = null;
    if (again && failures < TRIES) {
      for (int i = given.size() - 1; i >= 0; i--) {
        items.addFirst(given.get(i));
      }
      failures++;
      if (possible()) {
        comeUp(backoff());
      }
    } else if (info.isPeriodic()) {
      failures = 0;
      period = Math.max(period, SystemClock.uptimeMillis()) + info.getIntervalMillis();
      awaitPeriod();
    } else {
      Jobs.drop(this);
    }
    given.clear();
  }

  private long backoff() {
    long first = info.getInitialBackoffMillis();
    boolean linear = info.getBackoffPolicy() == JobInfo.BACKOFF_POLICY_LINEAR;
    return Math.min(linear ? first * failures : first << failures - 1, JobInfo.MAX_BACKOFF_DELAY_MILLIS);
  }
}
