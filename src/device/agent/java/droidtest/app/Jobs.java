package droidtest.app;

import android.Manifest;
import android.app.JobSchedulerImpl;
import android.app.job.JobInfo;
import android.app.job.JobScheduler;
import android.app.job.JobService;
import android.app.job.JobWorkItem;
import android.content.pm.PackageManager;
import android.content.pm.ServiceInfo;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.annotation.RealObject;
import org.robolectric.shadows.ShadowJobScheduler.ShadowJobSchedulerImpl;

/** The app's jobs, which run on the virtual clock; Robolectric only records them. See {@link Job}. */
@Implements(value = JobSchedulerImpl.class, isInAndroidSdk = false)
public final class Jobs extends ShadowJobSchedulerImpl {
  /** Held for all changes of a job, never while the services are called. */
  static final Object LOCK = new Object();

  /** By namespace and number: each context has a separate scheduler, the app has one list. */
  private static final Map<String, Job> JOBS = new LinkedHashMap<>();

  @RealObject private JobSchedulerImpl scheduler;

  /** The process life is over, and its jobs with it, as when an app is stopped by force. */
  static void end() {
    synchronized (LOCK) {
      JOBS.clear();
    }
  }

  private static String key(String namespace, int id) {
    return namespace + "/" + id;
  }

  /** Whether the job is still to be done: neither cancelled nor replaced nor of an ended process life. */
  static boolean has(Job job) {
    synchronized (LOCK) {
      return JOBS.get(key(job.namespace, job.info.getId())) == job;
    }
  }

  /** Nothing is left to do of it. */
  static void drop(Job job) {
    synchronized (LOCK) {
      JOBS.remove(key(job.namespace, job.info.getId()), job);
    }
  }

  @Override
  @Implementation
  public int schedule(JobInfo info) {
    return add(info, null);
  }

  @Override
  @Implementation
  protected int scheduleAsPackage(JobInfo info, String packageName, int user, String tag) {
    return add(info, null);
  }

  @Override
  @Implementation
  public int enqueue(JobInfo info, JobWorkItem work) {
    if (work == null) {
      throw new NullPointerException("work is null");
    }
    return add(info, work);
  }

  private int add(JobInfo info, JobWorkItem work) {
    SystemServer system = SystemServer.current();
    if (system == null) {
      return JobScheduler.RESULT_FAILURE;
    }
    check(info);
    synchronized (LOCK) {
      String key = key(scheduler.getNamespace(), info.getId());
      Job old = JOBS.get(key);
      if (old != null && work != null && old.info.equals(info)) {
        old.add(work);
        return JobScheduler.RESULT_SUCCESS;
      }
      Job job = new Job(system, scheduler.getNamespace(), info);
      if (old != null) {
        // What was not done yet is done by the one that replaces it.
        old.handOver(job);
        old.stop();
      }
      if (work != null) {
        job.add(work);
      }
      JOBS.put(key, job);
      job.await();
    }
    return JobScheduler.RESULT_SUCCESS;
  }

  /** What the system refuses. */
  private static void check(JobInfo info) {
    ServiceInfo service;
    try {
      service = SystemServer.packages().getServiceInfo(info.getService(), PackageManager.MATCH_DISABLED_COMPONENTS);
    } catch (PackageManager.NameNotFoundException e) {
      throw new IllegalArgumentException("No such service " + info.getService());
    }
    if (!JobService.PERMISSION_BIND.equals(service.permission)) {
      throw new IllegalArgumentException(
          "Scheduled service " + info.getService() + " does not require " + JobService.PERMISSION_BIND + " permission");
    }
    String boot = Manifest.permission.RECEIVE_BOOT_COMPLETED;
    if (info.isPersisted()
        && AppProcess.application().checkSelfPermission(boot) != PackageManager.PERMISSION_GRANTED) {
      throw new IllegalArgumentException("Requested job cannot be persisted without holding " + boot + " permission");
    }
  }

  @Override
  @Implementation
  public void cancel(int id) {
    synchronized (LOCK) {
      Job job = JOBS.remove(key(scheduler.getNamespace(), id));
      if (job != null) {
        job.stop();
      }
    }
  }

  @Override
  @Implementation
  public void cancelAll() {
    for (JobInfo job : getAllPendingJobs()) {
      cancel(job.getId());
    }
  }

  @Implementation
  protected void cancelInAllNamespaces() {
    synchronized (LOCK) {
      List<Job> all = new ArrayList<>(JOBS.values());
      JOBS.clear();
      all.forEach(Job::stop);
    }
  }

  @Override
  @Implementation
  public List<JobInfo> getAllPendingJobs() {
    return getPendingJobsInAllNamespaces().getOrDefault(scheduler.getNamespace(), new ArrayList<>());
  }

  @Implementation
  protected Map<String, List<JobInfo>> getPendingJobsInAllNamespaces() {
    Map<String, List<JobInfo>> all = new HashMap<>();
    synchronized (LOCK) {
      for (Job job : JOBS.values()) {
        all.computeIfAbsent(job.namespace, namespace -> new ArrayList<>()).add(job.info);
      }
    }
    return all;
  }

  @Override
  @Implementation
  public JobInfo getPendingJob(int id) {
    synchronized (LOCK) {
      Job job = JOBS.get(key(scheduler.getNamespace(), id));
      return job == null ? null : job.info;
    }
  }
}
