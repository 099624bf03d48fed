package org.droidtest.probe;

import android.app.job.JobParameters;
import android.app.job.JobService;
import android.app.job.JobWorkItem;

/** What the system starts when a job's time has come; work items are done on a thread. */
public final class ProbeJobService extends JobService {
    static final int TIMED = 5;
    static final int WORK = 6;
    static final int ONLINE = 7;
    static final int LATER = 8;

    @Override
    public boolean onStartJob(JobParameters job) {
        if (job.getJobId() == WORK) {
            new Thread(() -> work(job)).start();
            return true;
        }
        Screen.report("job " + job.getJobId() + " ran");
        return false;
    }

    @Override
    public boolean onStopJob(JobParameters job) {
        return false;
    }

    private static void work(JobParameters job) {
        for (JobWorkItem item = job.dequeueWork(); item != null; item = job.dequeueWork()) {
            Screen.report("work " + item.getIntent().getAction() + ", delivered " + item.getDeliveryCount());
            job.completeWork(item);
        }
    }
}
