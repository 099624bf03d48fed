package org.droidtest.nodes;

import android.content.Context;
import android.graphics.Rect;
import android.os.Bundle;
import android.view.MotionEvent;
import android.view.View;
import android.view.accessibility.AccessibilityNodeInfo;
import android.view.accessibility.AccessibilityNodeProvider;
import android.widget.Button;
import android.widget.FrameLayout;
import java.util.function.Consumer;

/** A page that draws its widgets itself. */
final class DrawnPage extends FrameLayout {
    private static final int ROW = 1;
    private static final int TITLE = 2;
    private static final int DAY = 3;
    private static final int FIELD = 4;
    private static final int SWITCH = 5;
    private static final int LIST = 6;
    private static final int HOLDER = 7;
    private static final int ITEM = 100;
    private static final int GENERATION = 1000;
    private static final int ITEMS = 40;
    private static final int HEIGHT = 60;
    private static final int ITEM_HEIGHT = 40;
    private static final Rect[] PLACES = {
        null,
        new Rect(0, 0, 300, HEIGHT),
        new Rect(0, 0, 300, 30),
        new Rect(0, 30, 300, HEIGHT),
        new Rect(0, HEIGHT, 300, 2 * HEIGHT),
        new Rect(0, 2 * HEIGHT, 300, 3 * HEIGHT),
        new Rect(0, 3 * HEIGHT, 300, 3 * HEIGHT + 5 * ITEM_HEIGHT),
        new Rect(0, 400, 300, 460),
    };

    private final Consumer<String> say;
    private final Button real;
    private final AccessibilityNodeProvider provider = new Provider();
    private int generation = 1;
    private int scrolled;
    private float lastY;
    private boolean dragged;
    private boolean on;
    private String typed = "";

    DrawnPage(Context context, Consumer<String> say) {
        super(context);
        this.say = say;
        real = new Button(context);
        real.setId(R.id.real);
        real.setText("Real");
        real.setOnClickListener(view -> say.accept("real"));
        LayoutParams at = new LayoutParams(300, 60);
        at.topMargin = 400;
        addView(real, at);
    }

    @Override
    public AccessibilityNodeProvider getAccessibilityNodeProvider() {
        return provider;
    }

    @Override
    public boolean onTouchEvent(MotionEvent event) {
        float y = event.getY();
        switch (event.getActionMasked()) {
            case MotionEvent.ACTION_DOWN:
                lastY = y;
                dragged = false;
                return true;
            case MotionEvent.ACTION_MOVE:
                if (place(LIST).contains((int) event.getX(), (int) y)) {
                    dragged = true;
                    int most = ITEMS * ITEM_HEIGHT - place(LIST).height();
                    scrolled = Math.max(0, Math.min(most, scrolled + Math.round(lastY - y)));
                    lastY = y;
                }
                return true;
            case MotionEvent.ACTION_UP:
                generation++;
                if (!dragged) {
                    touched((int) event.getX(), (int) y, event.getEventTime() - event.getDownTime() > 500);
                }
                return true;
            default:
                return true;
        }
    }

    private void touched(int x, int y, boolean held) {
        if (place(ROW).contains(x, y)) {
            say.accept(held ? "row held" : "row");
        } else if (place(FIELD).contains(x, y)) {
            say.accept("field");
        } else if (place(SWITCH).contains(x, y)) {
            on = !on;
            say.accept("switched " + (on ? "on" : "off"));
        } else if (place(LIST).contains(x, y)) {
            say.accept("item " + (y - place(LIST).top + scrolled) / ITEM_HEIGHT);
        }
    }

    private Rect place(int what) {
        return PLACES[what];
    }

    private final class Provider extends AccessibilityNodeProvider {
        @Override
        public AccessibilityNodeInfo createAccessibilityNodeInfo(int id) {
            if (id == HOST_VIEW_ID) {
                AccessibilityNodeInfo host = AccessibilityNodeInfo.obtain(DrawnPage.this);
                for (int child : new int[] {ROW, FIELD, SWITCH, LIST, HOLDER}) {
                    add(host, child);
                }
                return host;
            }
            if (id / GENERATION != generation) {
                return null;
            }
            int what = id % GENERATION;
            Rect at = what < ITEM ? place(what) : item(what - ITEM);
            AccessibilityNodeInfo node = node(id, at);
            if (what < ITEM) {
                describe(node, what);
            } else {
                node.setText("Item " + (what - ITEM));
                node.setClickable(true);
            }
            return node;
        }

        @Override
        public boolean performAction(int id, int action, Bundle arguments) {
            if (id != GENERATION * generation + FIELD) {
                return false;
            }
            if (action == AccessibilityNodeInfo.ACTION_SET_TEXT) {
                typed = String.valueOf(
                        arguments.getCharSequence(AccessibilityNodeInfo.ACTION_ARGUMENT_SET_TEXT_CHARSEQUENCE));
                say.accept("typed " + typed);
                return true;
            }
            if (action == AccessibilityNodeInfo.AccessibilityAction.ACTION_IME_ENTER.getId()) {
                say.accept("entered " + typed);
                return true;
            }
            return false;
        }

        private void add(AccessibilityNodeInfo to, int what) {
            to.addChild(DrawnPage.this, GENERATION * generation + what);
        }

        private Rect item(int number) {
            int top = place(LIST).top + number * ITEM_HEIGHT - scrolled;
            Rect at = new Rect(0, top, 300, top + ITEM_HEIGHT);
            if (!at.intersect(place(LIST))) {
                at.setEmpty();
            }
            return at;
        }

        private AccessibilityNodeInfo node(int id, Rect at) {
            AccessibilityNodeInfo node = AccessibilityNodeInfo.obtain(DrawnPage.this, id);
            int[] here = new int[2];
            getLocationOnScreen(here);
            Rect bounds = new Rect(at);
            bounds.offset(here[0], here[1]);
            node.setBoundsInScreen(bounds);
            node.setClassName(View.class.getName());
            node.setVisibleToUser(true);
            node.setEnabled(true);
            return node;
        }

        private void describe(AccessibilityNodeInfo node, int what) {
            switch (what) {
                case ROW:
                    node.setClickable(true);
                    node.setLongClickable(true);
                    add(node, TITLE);
                    add(node, DAY);
                    break;
                case TITLE:
                case DAY:
                    node.setClassName("android.widget.TextView");
                    node.setText(what == TITLE ? "Groceries" : "today");
                    break;
                case FIELD:
                    node.setClassName("android.widget.EditText");
                    node.setViewIdResourceName("search");
                    node.setEditable(true);
                    node.setClickable(true);
                    node.setText(typed);
                    node.setHintText("Search");
                    node.addAction(AccessibilityNodeInfo.AccessibilityAction.ACTION_SET_TEXT);
                    node.addAction(AccessibilityNodeInfo.AccessibilityAction.ACTION_IME_ENTER);
                    break;
                case SWITCH:
                    node.setClassName("android.widget.Switch");
                    node.setContentDescription("Wifi");
                    node.setStateDescription(on ? "On" : "Off");
                    node.setClickable(true);
                    node.setCheckable(true);
                    node.setChecked(on);
                    break;
                case LIST:
                    list(node);
                    break;
                default:
                    node.addChild(real);
            }
        }

        private void list(AccessibilityNodeInfo node) {
            node.setScrollable(true);
            if (scrolled > 0) {
                node.addAction(AccessibilityNodeInfo.AccessibilityAction.ACTION_SCROLL_UP);
            }
            if (scrolled < ITEMS * ITEM_HEIGHT - place(LIST).height()) {
                node.addAction(AccessibilityNodeInfo.AccessibilityAction.ACTION_SCROLL_DOWN);
            }
            for (int i = 0; i < ITEMS; i++) {
                if (!item(i).isEmpty()) {
                    add(node, ITEM + i);
                }
            }
        }
    }
}
