package org.droidtest.probe;

import android.appwidget.AppWidgetManager;
import android.content.AsyncQueryHandler;
import android.database.Cursor;
import android.net.Uri;
import android.os.Bundle;
import android.os.CountDownTimer;
import android.os.Environment;
import android.os.Handler;
import android.os.Looper;
import android.os.ResultReceiver;
import android.os.StatFs;
import android.speech.tts.TextToSpeech;
import android.view.View;
import android.widget.Filter;
import android.widget.RemoteViews;
import android.widget.TextView;
import android.widget.ViewAnimator;
import android.widget.ZoomButtonsController;
import java.util.Locale;

/** What Android does later, on another thread or after a while, and not while it is asked. */
@SuppressWarnings("deprecation")
public final class LaterActivity extends Screen {
    private static final Uri ROWS = Uri.parse("content://org.droidtest.probe.rows/all");

    private String order = "";
    private TextToSpeech speech;
    private ViewAnimator cards;

    @Override
    void fill() {
        button(R.id.count_down, this::countDown);
        button(R.id.query, this::query);
        button(R.id.filter, this::filter);
        button(R.id.receiver, this::receiver);
        button(R.id.speech, this::speak);
        button(R.id.space, this::space);
        button(R.id.zoom, this::zoom);
        button(R.id.widget, this::widget);
        button(R.id.next_card, () -> turn(cards.getDisplayedChild() + 1));
        cards = new ViewAnimator(this);
        for (String name : new String[] {"one", "two"}) {
            TextView card = new TextView(this);
            card.setText("card " + name);
            cards.addView(card);
        }
        add(cards);
    }

    @Override
    protected void onDestroy() {
        if (speech != null) {
            speech.shutdown();
        }
        super.onDestroy();
    }

    private void step(String what) {
        order = order.isEmpty() ? what : order + ", " + what;
        result(order);
    }

    private void countDown() {
        order = "";
        new CountDownTimer(250, 100) {
            @Override
            public void onTick(long left) {
                step("tick");
            }

            @Override
            public void onFinish() {
                step("over");
            }
        }.start();
    }

    private void query() {
        order = "";
        new AsyncQueryHandler(getContentResolver()) {
            @Override
            protected void onQueryComplete(int token, Object cookie, Cursor cursor) {
                step("answer " + token + " of " + cookie);
                if (cursor != null) {
                    cursor.close();
                }
            }
        }.startQuery(7, "rows", ROWS, null, null, null, null);
        step("asked");
    }

    private void filter() {
        order = "";
        new Filter() {
            @Override
            protected FilterResults performFiltering(CharSequence text) {
                FilterResults found = new FilterResults();
                found.count = Looper.myLooper() == Looper.getMainLooper() ? -1 : text.length();
                return found;
            }

            @Override
            protected void publishResults(CharSequence text, FilterResults found) {
                step("found " + found.count);
            }
        }.filter("abc");
        step("asked");
    }

    private void receiver() {
        order = "";
        new ResultReceiver(new Handler(Looper.getMainLooper())) {
            @Override
            protected void onReceiveResult(int code, Bundle data) {
                step("got " + code);
            }
        }.send(3, null);
        step("sent");
    }

    private void speak() {
        order = "";
        speech = new TextToSpeech(this, status -> step("ready " + status + " " + speaks(Locale.US)));
        step("asked");
    }

    private boolean speaks(Locale language) {
        return speech.isLanguageAvailable(language) >= TextToSpeech.LANG_AVAILABLE;
    }

    private void space() {
        String storage = Environment.getExternalStorageDirectory().getPath();
        StatFs space = new StatFs(storage);
        boolean free = space.getAvailableBytes() > 1 << 30 && space.getTotalBytes() > space.getFreeBytes();
        result("space " + free + " in " + storage);
    }

    private void zoom() {
        ZoomButtonsController zoom = new ZoomButtonsController(findViewById(R.id.zoom));
        zoom.setZoomInEnabled(false);
        result("zoom " + (zoom.getZoomControls() != null));
    }

    /** A widget that nobody has placed. */
    private void widget() {
        RemoteViews views = new RemoteViews(getPackageName(), android.R.layout.simple_list_item_1);
        AppWidgetManager.getInstance(this).updateAppWidget(1, views);
        AppWidgetManager.getInstance(this).updateAppWidget(new int[] {1, 2}, views);
        result("widget written");
    }

    private void turn(int card) {
        cards.setDisplayedChild(card);
        View shown = cards.getCurrentView();
        result("shows " + (shown == null ? "nothing" : ((TextView) shown).getText()));
    }
}
