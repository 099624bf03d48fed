package org.droidtest.probe;

import android.app.job.JobInfo;
import android.app.job.JobScheduler;
import android.app.job.JobWorkItem;
import android.content.ComponentName;
import android.content.Intent;
import android.security.keystore.KeyGenParameterSpec;
import android.security.keystore.KeyProperties;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import javax.crypto.Cipher;
import javax.crypto.KeyGenerator;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;

/** Jobs that the system runs when their time has come, and keys that it keeps. */
public final class JobsActivity extends Screen {
    private static final int LATENCY_MS = 200;
    private static final int LATER_MS = 5000;

    @Override
    void fill() {
        button(R.id.job, this::timed);
        button(R.id.job_later, this::later);
        button(R.id.job_network, this::online);
        button(R.id.job_work, this::work);
        button(R.id.key_make, this::makeKey);
        button(R.id.key_find, this::findKey);
    }

    private JobInfo.Builder job(int id) {
        return new JobInfo.Builder(id, new ComponentName(this, ProbeJobService.class));
    }

    private void timed() {
        jobs().schedule(job(ProbeJobService.TIMED).setMinimumLatency(LATENCY_MS).build());
        // Another context has the same jobs; it has not run yet.
        JobScheduler others = getApplicationContext().getSystemService(JobScheduler.class);
        result("pending " + (others.getPendingJob(ProbeJobService.TIMED) != null));
    }

    private void later() {
        jobs().schedule(job(ProbeJobService.LATER).setMinimumLatency(LATER_MS).build());
        result("waits");
    }

    private void online() {
        jobs().schedule(job(ProbeJobService.ONLINE).setRequiredNetworkType(JobInfo.NETWORK_TYPE_ANY).build());
        result("pending " + jobs().getAllPendingJobs().size());
    }

    private void work() {
        JobInfo job = job(ProbeJobService.WORK).setOverrideDeadline(0).build();
        jobs().enqueue(job, new JobWorkItem(new Intent("one")));
    }

    private JobScheduler jobs() {
        return getSystemService(JobScheduler.class);
    }

    private void makeKey() {
        try {
            KeyGenerator maker = KeyGenerator.getInstance("AES", "AndroidKeyStore");
            int purposes = KeyProperties.PURPOSE_ENCRYPT | KeyProperties.PURPOSE_DECRYPT;
            maker.init(
                    new KeyGenParameterSpec.Builder("probe", purposes)
                            .setBlockModes(KeyProperties.BLOCK_MODE_GCM)
                            .setEncryptionPaddings(KeyProperties.ENCRYPTION_PADDING_NONE)
                            .setKeySize(256)
                            .build());
            SecretKey key = maker.generateKey();
            Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
            cipher.init(Cipher.ENCRYPT_MODE, key);
            byte[] secret = cipher.doFinal("secret".getBytes());
            GCMParameterSpec how = new GCMParameterSpec(128, cipher.getIV());
            cipher.init(Cipher.DECRYPT_MODE, keys().getKey("probe", null), how);
            result("key told " + new String(cipher.doFinal(secret)));
        } catch (GeneralSecurityException | IOException e) {
            result(e.toString());
        }
    }

    private void findKey() {
        try {
            result("key there " + keys().containsAlias("probe") + " of " + keys().size());
        } catch (GeneralSecurityException | IOException e) {
            result(e.toString());
        }
    }

    private static KeyStore keys() throws GeneralSecurityException, IOException {
        KeyStore keys = KeyStore.getInstance("AndroidKeyStore");
        keys.load(null);
        return keys;
    }
}
