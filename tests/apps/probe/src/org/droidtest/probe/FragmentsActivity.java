package org.droidtest.probe;

import android.app.Fragment;
import android.os.Bundle;
import android.view.LayoutInflater;
import android.view.View;
import android.view.ViewGroup;
import android.widget.FrameLayout;
import android.widget.TextView;

/** Fragments on a back stack. */
@SuppressWarnings("deprecation")
public final class FragmentsActivity extends Screen {
    @Override
    void fill() {
        FrameLayout place = new FrameLayout(this);
        place.setId(R.id.place);
        button(R.id.push, this::push);
        add(place);
        getFragmentManager()
                .addOnBackStackChangedListener(
                        () -> result("depth " + getFragmentManager().getBackStackEntryCount()));
    }

    private void push() {
        Bundle number = new Bundle();
        number.putInt("number", getFragmentManager().getBackStackEntryCount() + 1);
        Fragment next = new Numbered();
        next.setArguments(number);
        getFragmentManager()
                .beginTransaction()
                .replace(R.id.place, next)
                .addToBackStack(null)
                .commit();
    }

    /** Shows its number. */
    public static final class Numbered extends Fragment {
        @Override
        public View onCreateView(LayoutInflater inflater, ViewGroup parent, Bundle state) {
            TextView view = new TextView(getActivity());
            view.setId(R.id.label);
            view.setText("fragment " + getArguments().getInt("number"));
            return view;
        }
    }
}
