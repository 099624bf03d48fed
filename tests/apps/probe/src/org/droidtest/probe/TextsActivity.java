package org.droidtest.probe;

import android.util.Log;
import android.widget.Button;
import android.widget.EditText;
import android.widget.TextView;
import android.widget.Toast;
import java.io.PrintWriter;
import java.io.StringWriter;

/** Texts that break careless reports. */
public final class TextsActivity extends Screen {
    private static final String CONTROL = "bell \u0007 escape \u001b[31m null \u0000 delete \u007f c1 \u0085";
    private static final String CDATA = "]]> <![CDATA[ & &amp; <b> --> %00 {{ x }}";
    private static final String SCRIPT = "<script>alert(1)</script>\"'><img src=x onerror=alert(1)>";
    private static final String RTL = "\u05e9\u05dc\u05d5\u05dd \u202eright to left\u202c \u0645\u0631\u062d\u0628\u0627";
    private static final String EMOJI = "\ud83d\ude00 \ud83d\udc68\u200d\ud83d\udc69\u200d\ud83d\udc67 \ud83c\uddfa\ud83c\uddf3 e\u0301";
    private static final String SURROGATE = "high \ud800 low \udc00 end";
    private static final String NEWLINE = "one\ntwo\r\nthree\ttab\u2028line\u2029paragraph";

    @Override
    void fill() {
        text(R.id.text_control, CONTROL);
        text(R.id.text_cdata, CDATA);
        text(R.id.text_script, SCRIPT);
        TextView megabyte = text(R.id.text_long, megabyte());
        megabyte.setSingleLine(true);
        text(R.id.text_rtl, RTL);
        text(R.id.text_emoji, EMOJI);
        text(R.id.text_surrogate, SURROGATE);
        text(R.id.text_newline, NEWLINE);
        text(R.id.text_empty, "");
        text(R.id.text_described, "described").setContentDescription(SCRIPT + CONTROL + SURROGATE);
        EditText hinted = new EditText(this);
        hinted.setId(R.id.text_hinted);
        hinted.setHint(CDATA + SURROGATE);
        add(hinted);

        Button label = button(R.id.hostile_label, () -> result(SCRIPT));
        label.setText(SCRIPT);
        button(R.id.hostile_log, this::log);
        button(R.id.hostile_toast, () -> Toast.makeText(this, all(), Toast.LENGTH_SHORT).show());
        button(R.id.hostile_crash, this::crash);
        button(R.id.hostile_title, () -> setTitle(all()));
        button(R.id.trace_shown, () -> result(trace()));
        button(R.id.trace_frames, () -> result(caller()));
    }

    /** The same text twice, or what differs. */
    private static String trace() {
        Exception error = new IllegalStateException("outer", new RuntimeException("inner"));
        StringWriter printed = new StringWriter();
        error.printStackTrace(new PrintWriter(printed, true));
        String logged = Log.getStackTraceString(error);
        return printed.toString().equals(logged) ? logged : "printed " + printed + " logged " + logged;
    }

    /** As loggers find who called them. */
    private static String caller() {
        StackTraceElement[] frames = Thread.currentThread().getStackTrace();
        return frames[2].getMethodName() + " of " + frames[0].getClassName() + ", " + frames[1].getClassName();
    }

    private static String megabyte() {
        StringBuilder text = new StringBuilder(1 << 20);
        while (text.length() < 1 << 20) {
            text.append("0123456789abcde ");
        }
        return text.toString();
    }

    private static String all() {
        return CONTROL + CDATA + SCRIPT + RTL + EMOJI + SURROGATE + NEWLINE;
    }

    private void log() {
        Log.w("probe]]>", all());
        Log.e("probe", megabyte(), new IllegalStateException(all()));
        result("logged");
    }

    private void crash() {
        throw new IllegalStateException(all());
    }
}
