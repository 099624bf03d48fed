package org.droidtest.probe;

import android.content.Context;
import android.graphics.Canvas;
import android.graphics.Color;
import android.os.Bundle;
import android.text.Editable;
import android.text.InputFilter;
import android.text.InputType;
import android.text.TextWatcher;
import android.view.KeyEvent;
import android.view.MotionEvent;
import android.view.View;
import android.view.inputmethod.EditorInfo;
import android.widget.AbsListView;
import android.widget.ArrayAdapter;
import android.widget.Button;
import android.widget.EditText;
import android.widget.LinearLayout;
import android.widget.ListView;

/** Says which gesture, key, text or turn arrived. */
public final class GesturesActivity extends Screen {
    private int paused;
    private int stopped;

    @Override
    void fill() {
        field(R.id.field, InputType.TYPE_CLASS_TEXT);
        field(R.id.number, InputType.TYPE_CLASS_NUMBER);
        EditText upper = field(R.id.upper, InputType.TYPE_CLASS_TEXT);
        upper.setFilters(new InputFilter[] {new InputFilter.AllCaps(), new InputFilter.LengthFilter(5)});
        Button held = button(R.id.hold, () -> result("clicked"));
        held.setOnLongClickListener(
                view -> {
                    result("held");
                    return true;
                });
        button(R.id.disabled, () -> result("disabled was clicked")).setEnabled(false);
        button(R.id.hidden, () -> result("hidden was clicked")).setVisibility(View.INVISIBLE);
        opens(R.id.turning, TurningActivity.class);

        Pad pad = new Pad(this);
        pad.setId(R.id.pad);
        add(pad);
        pad.setLayoutParams(new LinearLayout.LayoutParams(-1, 200));

        ListView list = new ListView(this);
        list.setId(R.id.list);
        String[] lines = new String[50];
        for (int i = 0; i < lines.length; i++) {
            lines[i] = "line " + i;
        }
        list.setAdapter(new ArrayAdapter<>(this, android.R.layout.simple_list_item_1, lines));
        list.setOnItemClickListener((parent, row, position, id) -> result("item " + position));
        list.setOnItemLongClickListener(
                (parent, row, position, id) -> {
                    result("held item " + position);
                    return true;
                });
        list.setOnScrollListener(
                new AbsListView.OnScrollListener() {
                    private boolean touched;

                    @Override
                    public void onScrollStateChanged(AbsListView view, int state) {
                        touched = true;
                    }

                    @Override
                    public void onScroll(AbsListView view, int first, int visible, int total) {
                        if (touched) {
                            result("first line " + first);
                        }
                    }
                });
        add(list);
        list.setLayoutParams(new LinearLayout.LayoutParams(-1, 240));
    }

    private EditText field(int id, int type) {
        EditText field = new EditText(this);
        field.setId(id);
        field.setHint(name(id));
        field.setInputType(type);
        field.setImeOptions(EditorInfo.IME_ACTION_DONE);
        StringBuilder seen = new StringBuilder();
        field.addTextChangedListener(
                new TextWatcher() {
                    @Override
                    public void beforeTextChanged(CharSequence s, int a, int b, int c) {}

                    @Override
                    public void onTextChanged(CharSequence s, int a, int b, int c) {}

                    @Override
                    public void afterTextChanged(Editable text) {
                        seen.setLength(0);
                        result(seen.append("typed ").append(text).toString());
                    }
                });
        field.setOnEditorActionListener(
                (view, action, event) -> {
                    result("action " + action + " on " + view.getText());
                    return true;
                });
        add(field);
        return field;
    }

    @Override
    public boolean onKeyDown(int code, KeyEvent event) {
        if (code != KeyEvent.KEYCODE_BACK) {
            result("key " + code);
        }
        return super.onKeyDown(code, event);
    }

    @Override
    protected void onPause() {
        paused++;
        super.onPause();
    }

    @Override
    protected void onStop() {
        stopped++;
        super.onStop();
    }

    @Override
    protected void onRestart() {
        super.onRestart();
        result("restarted after " + paused + " pauses and " + stopped + " stops");
    }

    @Override
    protected void onRestoreInstanceState(Bundle state) {
        super.onRestoreInstanceState(state);
        result("made anew, rotation " + getWindowManager().getDefaultDisplay().getRotation());
    }

    /** Draws itself and handles every touch. */
    private final class Pad extends View {
        private float x;
        private float y;
        private long down;
        private int fingers;

        Pad(Context context) {
            super(context);
        }

        @Override
        protected void onDraw(Canvas canvas) {
            canvas.drawColor(Color.LTGRAY);
        }

        @Override
        public boolean onTouchEvent(MotionEvent event) {
            switch (event.getActionMasked()) {
                case MotionEvent.ACTION_DOWN:
                    x = event.getX();
                    y = event.getY();
                    down = event.getEventTime();
                    fingers = 1;
                    getParent().requestDisallowInterceptTouchEvent(true);
                    break;
                case MotionEvent.ACTION_POINTER_DOWN:
                    fingers = Math.max(fingers, event.getPointerCount());
                    break;
                case MotionEvent.ACTION_UP:
                    describe(event.getX() - x, event.getY() - y, event.getEventTime() - down);
                    break;
                default:
                    break;
            }
            return true;
        }

        private void describe(float dx, float dy, long ms) {
            if (fingers > 1) {
                result("pinch with " + fingers + " fingers");
            } else if (Math.abs(dx) < 16 && Math.abs(dy) < 16) {
                result((ms < 400 ? "tap at " : "press at ") + (int) x + "," + (int) y);
            } else if (Math.abs(dx) > Math.abs(dy)) {
                result(dx > 0 ? "drag right" : "drag left");
            } else {
                result(dy > 0 ? "drag down" : "drag up");
            }
        }
    }
}
