package org.droidtest.probe;

import android.content.Context;
import android.view.ContextMenu;
import android.view.View;
import android.widget.EditText;
import android.widget.FrameLayout;
import android.widget.LinearLayout;
import android.widget.TextView;

/** Views without listeners, whose own methods react. */
public final class OverridesActivity extends Screen {
    @Override
    void fill() {
        Clicked clicked = new Clicked(this);
        clicked.setLongClickable(true);
        show(clicked, R.id.own_click);
        show(new Clicked(this), R.id.own_deaf);
        show(new Field(this), R.id.own_field);
        show(new Menu(this), R.id.own_menu);
        Parent parent = new Parent(this);
        parent.setLongClickable(true);
        parent.addView(new TextView(this));
        show(parent, R.id.own_parent);
    }

    private void show(View view, int id) {
        view.setId(id);
        add(view);
        view.setLayoutParams(new LinearLayout.LayoutParams(-1, 60));
    }

    private final class Clicked extends View {
        Clicked(Context context) {
            super(context);
        }

        @Override
        public boolean performClick() {
            result("own click");
            return super.performClick();
        }
    }

    private final class Field extends EditText {
        Field(Context context) {
            super(context);
        }

        @Override
        public boolean performClick() {
            result("own field was clicked");
            return super.performClick();
        }

        @Override
        public boolean performLongClick() {
            result("own field was held");
            return true;
        }
    }

    private final class Menu extends EditText {
        Menu(Context context) {
            super(context);
        }

        @Override
        protected void onCreateContextMenu(ContextMenu menu) {
            menu.add("Own one")
                    .setOnMenuItemClickListener(
                            item -> {
                                result("own menu chose " + item.getTitle());
                                return true;
                            });
        }
    }

    /** No leaf: its own clicks do not count. */
    private final class Parent extends FrameLayout {
        Parent(Context context) {
            super(context);
        }

        @Override
        public boolean performClick() {
            result("own parent");
            return super.performClick();
        }
    }
}
