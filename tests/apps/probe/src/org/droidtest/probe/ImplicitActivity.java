package org.droidtest.probe;

/** Found by its intent filter. */
public final class ImplicitActivity extends Screen {
    @Override
    void fill() {
        text(R.id.label, "found by " + getIntent().getAction());
    }
}
