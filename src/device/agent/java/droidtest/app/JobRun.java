package droidtest.app;

import android.app.IServiceConnection;
import android.app.job.IJobCallback;
import android.app.job.IJobService;
import android.app.job.JobInfo;
import android.app.job.JobParameters;
import android.os.IBinder;
import android.os.RemoteException;

/** The app's service running a job, and its callbacks. */
final class JobRun {
  private final SystemServer system;
  private final Job job;
  private final IServiceConnection connection = Binders.proxy(IServiceConnection.class, JobRun.class, () -> this);
  private final IJobCallback callback = Binders.proxy(IJobCallback.class, JobRun.class, () -> this);
  private IJobService service;
  private JobParameters parameters;

  JobRun(SystemServer system, Job job) {
    this.system = system;
    this.job = job;
  }

  IServiceConnection connection() {
    return connection;
  }

  /** (name, binder, dead). */
  Object connected(Object[] args) {
    // The services are locked while they tell us.
    system.handler.post(() -> begin((IBinder) args[1]));
    return null;
  }

  private void begin(IBinder binder) {
    synchronized (Jobs.LOCK) {
      if (!job.runs(this)) {
        return;
      }
      service = IJobService.Stub.asInterface(binder);
      if (service == null) {
        job.finished(false);
        return;
      }
      JobInfo info = job.info;
      parameters =
          new JobParameters(
              callback.asBinder(), job.namespace, info.getId(), info.getExtras(), info.getTransientExtras(),
              info.getClipData(), info.getClipGrantFlags(), job.late(), info.isExpedited(), info.isUserInitiated(),
              null, null, null);
      try {
        service.startJob(parameters);
      } catch (RemoteException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  /** The app has cancelled the job; a running service is notified and then unbound. */
  void stop() {
    if (service == null) {
      unbind();
      return;
    }
    parameters.setStopReason(
        JobParameters.STOP_REASON_CANCELLED_BY_APP, JobParameters.INTERNAL_STOP_REASON_CANCELED, "cancelled");
    try {
      service.stopJob(parameters);
    } catch (RemoteException e) {
      throw new IllegalStateException(e);
    }
  }

  void unbind() {
    // Not now: whoever holds the services may be about to call us.
    system.handler.post(() -> system.services.unbind(connection));
  }

  /** (job, ongoing). */
  Object acknowledgeStartMessage(Object[] args) {
    return (boolean) args[1] ? null : jobFinished(new Object[] {args[0], false});
  }

  /** (job, again). */
  Object acknowledgeStopMessage(Object[] args) {
    unbind();
    return null;
  }

  /** (job, again). */
  Object jobFinished(Object[] args) {
    synchronized (Jobs.LOCK) {
      if (job.runs(this)) {
        job.finished((boolean) args[1]);
      }
    }
    return null;
  }

  Object dequeueWork(Object[] args) {
    synchronized (Jobs.LOCK) {
      return job.runs(this) ? job.next() : null;
    }
  }

  /** (job, work). */
  Object completeWork(Object[] args) {
    synchronized (Jobs.LOCK) {
      return !job.runs(this) || job.complete((int) args[1]);
    }
  }
}
