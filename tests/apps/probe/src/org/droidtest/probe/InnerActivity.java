package org.droidtest.probe;

/** Lives inside another activity. */
public final class InnerActivity extends Screen {
    @Override
    void fill() {
        String which = getIntent().getStringExtra("which");
        text(R.id.label, "inner " + which);
        button(R.id.inner, () -> result("inner " + which + " was clicked"));
    }
}
