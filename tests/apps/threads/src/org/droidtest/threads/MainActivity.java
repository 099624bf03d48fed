package org.droidtest.threads;

import android.app.Activity;
import android.content.SharedPreferences;
import android.os.Bundle;
import android.os.Handler;
import android.os.HandlerThread;
import android.os.Looper;
import android.os.SystemClock;
import android.widget.Button;
import android.widget.LinearLayout;
import android.widget.TextView;
import java.lang.ref.Reference;
import java.lang.ref.SoftReference;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;

/** A column of buttons, each a way to work beside the main thread. */
public final class MainActivity extends Activity {
    private static final int MANY = 400;

    private final Handler main = new Handler(Looper.getMainLooper());
    private final List<Reference<?>> weak = new ArrayList<>();
    private LinearLayout page;
    private TextView result;
    private boolean stops;

    private interface Work {
        void run() throws Exception;
    }

    @Override
    protected void onCreate(Bundle state) {
        super.onCreate(state);
        page = new LinearLayout(this);
        page.setOrientation(LinearLayout.VERTICAL);
        result = new TextView(this);
        result.setId(R.id.result);
        page.addView(result);
        button("race", this::race);
        button("park", this::park);
        button("timer", this::timer);
        button("talk", this::talk);
        button("lock", this::lock);
        button("future", this::future);
        button("stop", this::stop);
        button("looper", this::looper);
        button("own", () -> new Sleeper().start());
        button("stuck", () -> show(Waits.stuck()));
        button("never", Waits::never);
        button("ticking", Waits::ticking);
        button("asks", () -> Waits.asks(this));
        button("endless", Waits::endless);
        button("leave", this::leave);
        button("next start", () -> atStart("wait"));
        button("knot", () -> atStart("knot"));
        button("spin", this::spin);
        button("weak", this::weak);
        button("left", this::left);
        setContentView(page);
        String start = atStart().getString("start", "");
        if (start.equals("wait")) {
            await();
        } else if (start.equals("knot")) {
            knot();
        }
    }

    @Override
    protected void onStop() {
        super.onStop();
        if (stops) {
            await();
        }
    }

    private SharedPreferences atStart() {
        return getSharedPreferences("start", MODE_PRIVATE);
    }

    private void atStart(String what) {
        atStart().edit().putString("start", what).commit();
    }

    /** Waits for what never comes, as an app does for an answer of its own service on the wrong thread. */
    private static void await() {
        try {
            new CompletableFuture<Integer>().get();
        } catch (InterruptedException | ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    private void button(String name, Work work) {
        Button button = new Button(this);
        button.setText(name);
        // All of them fit on the screen.
        button.setMinHeight(0);
        button.setMinimumHeight(0);
        button.setPadding(0, 0, 0, 0);
        button.setOnClickListener(view -> {
            try {
                work.run();
            } catch (Exception e) {
                result.setText(e.toString());
            }
        });
        page.addView(button);
    }

    private void show(String text) {
        main.post(() -> result.setText(text));
    }

    /** What real threads do in another order each time: a hash over who added what when. */
    private void race() {
        ExecutorService pool = Executors.newFixedThreadPool(4);
        StringBuffer order = new StringBuffer();
        CountDownLatch done = new CountDownLatch(4);
        for (int i = 0; i < 4; i++) {
            char name = (char) ('a' + i);
            pool.execute(() -> {
                Random random = new Random();
                for (int n = 0; n < MANY; n++) {
                    order.append(name).append(random.nextInt(10)).append(ThreadLocalRandom.current().nextInt(10));
                    if (n % 7 == 0) {
                        Thread.yield();
                    }
                    if (n % 50 == 0) {
                        LockSupport.parkNanos(random.nextInt(3_000_000));
                    }
                }
                done.countDown();
            });
        }
        new Thread(() -> {
            try {
                done.await();
            } catch (InterruptedException e) {
                return;
            }
            pool.shutdown();
            String all = order.toString();
            show(all.substring(0, 12) + " " + Integer.toHexString(all.hashCode()));
        }).start();
    }

    /** Refers weakly to what nobody else holds, then gives the collector a reason to run. */
    private void weak() {
        for (int i = 0; i < MANY; i++) {
            weak.add(i % 2 == 0 ? new WeakReference<>(new int[16]) : new SoftReference<>(new int[16]));
        }
        long sum = 0;
        for (int i = 0; i < 600; i++) {
            sum += new byte[1 << 20].length;
        }
        result.setText(alive() + " of " + weak.size() + " after " + (sum >> 20) + " MB");
    }

    private void left() {
        result.setText(alive() + " left");
    }

    private int alive() {
        int alive = 0;
        for (Reference<?> reference : weak) {
            alive += reference.get() == null ? 0 : 1;
        }
        return alive;
    }

    private void park() {
        long before = SystemClock.uptimeMillis();
        new Thread(() -> {
            LockSupport.parkNanos(250_000_000L);
            show("parked " + (SystemClock.uptimeMillis() - before));
        }).start();
    }

    private void timer() {
        long before = SystemClock.uptimeMillis();
        StringBuilder ticks = new StringBuilder("ticks");
        new Timer().schedule(new TimerTask() {
            private int count;

            @Override
            public void run() {
                ticks.append(' ').append(SystemClock.uptimeMillis() - before);
                if (++count == 3) {
                    cancel();
                    show(ticks.toString());
                }
            }
        }, 50, 70);
    }

    private void talk() {
        Object monitor = new Object();
        StringBuilder said = new StringBuilder();
        Thread listener = new Thread(() -> {
            synchronized (monitor) {
                try {
                    monitor.wait(10);
                    said.append("alone ");
                    monitor.wait();
                    said.append("heard ");
                    monitor.wait(5_000);
                } catch (InterruptedException e) {
                    said.append("interrupted");
                }
            }
        });
        listener.start();
        new Thread(() -> {
            try {
                Thread.sleep(40);
                synchronized (monitor) {
                    monitor.notifyAll();
                }
                Thread.sleep(40);
                listener.interrupt();
                listener.join();
                show(said + " " + listener.isAlive());
            } catch (InterruptedException e) {
                show("interrupted");
            }
        }).start();
    }

    /** Java's compiler has it call {@code Sleeper.sleep}, which it inherits. */
    private final class Sleeper extends Thread {
        @Override
        public void run() {
            long before = SystemClock.uptimeMillis();
            try {
                sleep(130);
                show("slept " + (SystemClock.uptimeMillis() - before));
            } catch (InterruptedException e) {
                show("interrupted");
            }
        }
    }

    /** The main thread waits for a monitor whose owner sleeps. */
    private void lock() throws InterruptedException {
        Object monitor = new Object();
        CountDownLatch held = new CountDownLatch(1);
        new Thread(() -> {
            synchronized (monitor) {
                held.countDown();
                SystemClock.sleep(700);
            }
        }).start();
        held.await();
        long before = SystemClock.uptimeMillis();
        synchronized (monitor) {
            show("locked " + (SystemClock.uptimeMillis() - before));
        }
    }

    private void future() throws Exception {
        ExecutorService one = Executors.newSingleThreadExecutor();
        Future<Integer> slow = one.submit(() -> {
            Thread.sleep(900);
            return 7;
        });
        String first;
        try {
            first = "early " + slow.get(100, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            first = "timeout";
        }
        int value = slow.get();
        int later = CompletableFuture.supplyAsync(() -> value + 1).thenApplyAsync(x -> x * 2).get();
        one.shutdown();
        show(first + " " + later);
    }

    private void stop() throws InterruptedException {
        Thread sleeper = new Thread(() -> {
            try {
                Thread.sleep(60_000);
                show("slept");
            } catch (InterruptedException e) {
                show("woken");
            }
        });
        sleeper.start();
        sleeper.interrupt();
        sleeper.join();
    }

    private void looper() {
        HandlerThread thread = new HandlerThread("beside");
        thread.start();
        long before = SystemClock.uptimeMillis();
        new Handler(thread.getLooper()).postDelayed(() -> {
            show("posted " + (SystemClock.uptimeMillis() - before));
            thread.quit();
        }, 120);
    }

    /** Two threads hold a monitor each and want the other's. */
    private void knot() {
        Object one = new Object();
        Object other = new Object();
        CountDownLatch held = new CountDownLatch(1);
        new Thread(() -> {
            synchronized (other) {
                held.countDown();
                SystemClock.sleep(50);
                synchronized (one) {
                    show("both");
                }
            }
        }).start();
        synchronized (one) {
            try {
                held.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            synchronized (other) {
                show("both");
            }
        }
    }

    private void leave() {
        stops = true;
        finish();
    }

    private void spin() {
        Thread thread = new Thread(() -> {
            while (true) {
                if (Thread.currentThread().isInterrupted()) {
                    return;
                }
            }
        }, "spinner");
        thread.setDaemon(true);
        thread.start();
    }
}
