package org.droidtest.probe;

import android.Manifest;
import android.app.AlarmManager;
import android.app.AlertDialog;
import android.app.PendingIntent;
import android.content.BroadcastReceiver;
import android.content.ComponentName;
import android.content.ContentValues;
import android.content.Context;
import android.content.Intent;
import android.content.IntentFilter;
import android.content.ServiceConnection;
import android.content.pm.PackageManager;
import android.database.Cursor;
import android.net.Uri;
import android.os.AsyncTask;
import android.os.Build;
import android.os.IBinder;
import android.os.SystemClock;
import android.provider.ContactsContract;
import android.speech.tts.TextToSpeech;
import android.telephony.SmsManager;
import android.view.ContextMenu;
import android.view.Menu;
import android.view.MenuItem;
import android.view.View;
import android.widget.Button;
import android.widget.PopupMenu;
import android.widget.Toast;
import java.util.ArrayList;
import java.util.Collections;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** One button for each way in which an app moves about or has something done. */
public final class NavigationActivity extends Screen {
    static final String REGISTERED = "org.droidtest.probe.REGISTERED";
    static final String MANIFEST = "org.droidtest.probe.MANIFEST";
    static final String IMPLICIT = "org.droidtest.probe.IMPLICIT";

    private static final int ANSWER = 1;
    private static final int DIAL = 2;
    private static final int PICK = 3;
    private static final int CAMERA = 4;
    private static final int VOICES = 5;
    private static final Uri ROWS = Uri.parse("content://org.droidtest.probe.rows/all");

    private static final ExecutorService WORKER = Executors.newSingleThreadExecutor();

    private final BroadcastReceiver registered =
            new BroadcastReceiver() {
                @Override
                public void onReceive(Context context, Intent intent) {
                    result("registered receiver got " + intent.getStringExtra("from"));
                }
            };
    private final ServiceConnection connection =
            new ServiceConnection() {
                @Override
                public void onServiceConnected(ComponentName name, IBinder binder) {
                    result("bound, answer " + ((ProbeService.Answer) binder).answer());
                }

                @Override
                public void onServiceDisconnected(ComponentName name) {
                    result("disconnected");
                }
            };
    private boolean bound;

    @Override
    void fill() {
        button(
                R.id.for_result,
                () -> startActivityForResult(new Intent(this, AnswerActivity.class), ANSWER));
        opens(R.id.level, LevelActivity.class);
        opens(R.id.single_top, SingleTopActivity.class);
        opens(R.id.single_task, SingleTaskActivity.class);
        opens(R.id.tabs, TabsActivity.class);
        opens(R.id.group, GroupActivity.class);
        opens(R.id.fragments, FragmentsActivity.class);
        button(R.id.implicit, () -> startActivity(new Intent(IMPLICIT)));
        button(R.id.undeclared, this::undeclared);
        button(R.id.dial, () -> leave(new Intent(Intent.ACTION_DIAL, Uri.parse("tel:123")), DIAL));
        button(
                R.id.pick,
                () -> leave(new Intent(Intent.ACTION_PICK, ContactsContract.Contacts.CONTENT_URI), PICK));
        button(R.id.voices, () -> leave(new Intent(TextToSpeech.Engine.ACTION_CHECK_TTS_DATA), VOICES));
        button(R.id.message, this::message);

        button(R.id.dialog, this::dialog);
        opens(R.id.greeting, GreetingActivity.class);
        button(R.id.popup, this::popup);
        Button context = button(R.id.context, () -> result("hold it"));
        registerForContextMenu(context);
        button(R.id.toast, () -> Toast.makeText(this, "a toast", Toast.LENGTH_SHORT).show());
        button(R.id.permission, this::permission);

        button(R.id.start_service, () -> startService(service("start")));
        button(R.id.stop_service, () -> result("stopped " + stopService(service("stop"))));
        button(R.id.bind_service, this::bind);
        button(R.id.unbind_service, this::unbind);
        button(R.id.service_throws, () -> startService(service("throw")));

        button(R.id.provider, this::provider);
        button(R.id.contacts, this::contacts);
        button(
                R.id.send_registered,
                () -> sendBroadcast(new Intent(REGISTERED).setPackage(getPackageName()).putExtra("from", "button")));
        button(R.id.send_manifest, () -> sendBroadcast(manifest("button")));
        button(R.id.alarm, this::alarm);
        button(R.id.dated_alarm, this::dated);

        button(R.id.handler, () -> main.postDelayed(() -> result("handler ran"), 250));
        button(R.id.async_task, () -> new Counting().execute(3));
        button(R.id.executor, () -> WORKER.execute(() -> result("executor ran")));
        button(R.id.thread, () -> new Thread(this::work, "probe-work").start());
    }

    @Override
    protected void onStart() {
        super.onStart();
        IntentFilter filter = new IntentFilter(REGISTERED);
        if (Build.VERSION.SDK_INT >= 33) {
            registerReceiver(registered, filter, Context.RECEIVER_NOT_EXPORTED);
        } else {
            registerReceiver(registered, filter);
        }
    }

    @Override
    protected void onStop() {
        unregisterReceiver(registered);
        super.onStop();
    }

    @Override
    protected void onDestroy() {
        if (bound) {
            unbindService(connection);
        }
        super.onDestroy();
    }

    @Override
    protected void onNewIntent(Intent intent) {
        super.onNewIntent(intent);
        result("new intent from " + intent.getStringExtra("from"));
    }

    private void undeclared() {
        try {
            startActivity(new Intent().setClassName(getPackageName(), "org.droidtest.probe.Nowhere"));
            result("ALLOWED");
        } catch (RuntimeException e) {
            result("refused: " + e.getClass().getName());
        }
    }

    private void leave(Intent intent, int request) {
        try {
            startActivityForResult(intent, request);
        } catch (RuntimeException e) {
            result("refused: " + e.getClass().getName());
        }
    }

    @Override
    protected void onActivityResult(int request, int code, Intent data) {
        String what = request == ANSWER ? "answer" : request == DIAL ? "dial" : request == PICK ? "pick" : "voices";
        String text = data == null ? "nothing" : data.getStringExtra("text");
        result(what + " came back with " + code + " and " + text);
    }

    /** Long enough for several parts; the manifest's receiver hears of each. */
    private void message() {
        SmsManager messages = SmsManager.getDefault();
        ArrayList<String> parts = messages.divideMessage(String.join(" ", Collections.nCopies(30, "message")));
        ArrayList<PendingIntent> sent = new ArrayList<>();
        for (int part = 0; part < parts.size(); part++) {
            sent.add(
                    PendingIntent.getBroadcast(
                            this, 100 + part, manifest("part " + (part + 1)), PendingIntent.FLAG_IMMUTABLE));
        }
        try {
            messages.sendMultipartTextMessage("+4912345", null, parts, sent, null);
        } catch (SecurityException e) {
            result("refused: " + e.getClass().getName());
        }
    }

    private void dialog() {
        new AlertDialog.Builder(this)
                .setTitle("A dialog")
                .setMessage("Yes or no?")
                .setPositiveButton("Yes", (dialog, which) -> result("dialog said yes"))
                .setNegativeButton("No", (dialog, which) -> result("dialog said no"))
                .setOnCancelListener(dialog -> result("dialog was left"))
                .show();
    }

    private void popup() {
        PopupMenu popup = new PopupMenu(this, findViewById(R.id.popup));
        popup.getMenu().add("First");
        popup.getMenu().add("Second");
        popup.setOnMenuItemClickListener(
                item -> {
                    result("popup chose " + item.getTitle());
                    return true;
                });
        popup.show();
    }

    @Override
    public void onCreateContextMenu(ContextMenu menu, View view, ContextMenu.ContextMenuInfo info) {
        menu.add("Context one");
        menu.add("Context two");
    }

    @Override
    public boolean onContextItemSelected(MenuItem item) {
        result("context chose " + item.getTitle());
        return true;
    }

    @Override
    public boolean onCreateOptionsMenu(Menu menu) {
        menu.add("Option one");
        menu.add("Option two");
        return true;
    }

    @Override
    public boolean onOptionsItemSelected(MenuItem item) {
        result("option chose " + item.getTitle());
        return true;
    }

    private void permission() {
        if (checkSelfPermission(Manifest.permission.CAMERA) == PackageManager.PERMISSION_GRANTED) {
            result("camera was granted before");
        } else {
            requestPermissions(new String[] {Manifest.permission.CAMERA}, CAMERA);
        }
    }

    @Override
    public void onRequestPermissionsResult(int request, String[] names, int[] grants) {
        boolean granted = grants.length > 0 && grants[0] == PackageManager.PERMISSION_GRANTED;
        result(granted ? "camera granted" : "camera denied");
    }

    private Intent service(String action) {
        return new Intent(this, ProbeService.class).setAction(action);
    }

    private void bind() {
        bound = bindService(service("bind"), connection, BIND_AUTO_CREATE);
    }

    private void unbind() {
        if (bound) {
            unbindService(connection);
            bound = false;
            result("unbound");
        }
    }

    private void provider() {
        ContentValues values = new ContentValues();
        values.put("text", "row");
        getContentResolver().insert(ROWS, values);
        result("provider has " + count(ROWS) + " rows");
    }

    private void contacts() {
        try {
            result("contacts has " + count(ContactsContract.Contacts.CONTENT_URI) + " rows");
        } catch (SecurityException e) {
            result("refused: " + e.getClass().getName());
        }
    }

    private String count(Uri uri) {
        try (Cursor cursor = getContentResolver().query(uri, null, null, null, null)) {
            return cursor == null ? "no cursor, no" : Integer.toString(cursor.getCount());
        }
    }

    private Intent manifest(String from) {
        return new Intent(MANIFEST).setClass(this, ManifestReceiver.class).putExtra("from", from);
    }

    /** Both clocks an alarm can go by. */
    private void dated() {
        PendingIntent pending =
                PendingIntent.getBroadcast(this, 1, manifest("dated alarm"), PendingIntent.FLAG_IMMUTABLE);
        getSystemService(AlarmManager.class).set(AlarmManager.RTC, System.currentTimeMillis() + 2000, pending);
        result("alarm set");
    }

    private void alarm() {
        PendingIntent pending =
                PendingIntent.getBroadcast(this, 0, manifest("alarm"), PendingIntent.FLAG_IMMUTABLE);
        getSystemService(AlarmManager.class)
                .set(AlarmManager.ELAPSED_REALTIME, SystemClock.elapsedRealtime() + 2000, pending);
        result("alarm set");
    }

    private void work() {
        int sum = 0;
        for (int i = 0; i < 1000; i++) {
            sum += i;
        }
        result("thread summed " + sum);
    }

    @SuppressWarnings("deprecation")
    private final class Counting extends AsyncTask<Integer, Integer, Integer> {
        private int progress;

        @Override
        protected Integer doInBackground(Integer... to) {
            for (int i = 0; i < to[0]; i++) {
                publishProgress(i);
            }
            return to[0];
        }

        @Override
        protected void onProgressUpdate(Integer... values) {
            progress++;
        }

        @Override
        protected void onPostExecute(Integer count) {
            result("task counted " + count + " with " + progress + " steps");
        }
    }
}
