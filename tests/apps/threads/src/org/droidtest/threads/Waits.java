package org.droidtest.threads;

import android.content.Context;
import android.credentials.ClearCredentialStateException;
import android.credentials.ClearCredentialStateRequest;
import android.credentials.CredentialManager;
import android.os.Bundle;
import android.os.OutcomeReceiver;
import android.os.SystemClock;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Ways in which a main thread waits for what never comes. */
final class Waits {
    private Waits() {}

    static void never() throws InterruptedException {
        new CountDownLatch(1).await();
    }

    /** Beside a thread that sleeps again and again, the main thread waits for what never comes. */
    static String stuck() throws InterruptedException {
        startTicker();
        CountDownLatch never = new CountDownLatch(1);
        never.await(8, TimeUnit.SECONDS);
        return "gave up";
    }

    /** The same, and the main thread never gives up. */
    static void ticking() throws InterruptedException {
        startTicker();
        new CountDownLatch(1).await();
    }

    /** Waits for an answer of the system that this device does not give. */
    static void asks(Context context) throws InterruptedException {
        CountDownLatch answered = new CountDownLatch(1);
        context.getSystemService(CredentialManager.class).clearCredentialState(
                new ClearCredentialStateRequest(new Bundle()), null, Runnable::run,
                new OutcomeReceiver<Void, ClearCredentialStateException>() {
                    @Override
                    public void onResult(Void nothing) {
                        answered.countDown();
                    }

                    @Override
                    public void onError(ClearCredentialStateException e) {
                        answered.countDown();
                    }
                });
        answered.await();
    }

    /** Looks again and again for what never comes. */
    static void endless() throws InterruptedException {
        CountDownLatch never = new CountDownLatch(1);
        while (!never.await(500, TimeUnit.MILLISECONDS)) {
            SystemClock.sleep(500);
        }
    }

    /** A thread that sleeps again and again, so that the virtual clock always has a next time to go to. */
    private static void startTicker() {
        Thread sleeper = new Thread(() -> {
            while (true) {
                SystemClock.sleep(100);
            }
        });
        sleeper.setDaemon(true);
        sleeper.start();
    }
}
