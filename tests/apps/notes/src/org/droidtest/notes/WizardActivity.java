package org.droidtest.notes;

import android.app.Activity;
import android.os.Bundle;
import android.view.View;
import android.widget.CheckBox;
import android.widget.EditText;
import android.widget.RadioGroup;
import android.widget.TextView;
import java.time.LocalDate;

/** A note from a template, in five steps. */
public final class WizardActivity extends Activity {
    private static final int NAME = 1;
    private static final int KIND = 2;
    private static final int DAY = 3;
    private static final int OPTIONS = 4;
    private static final int REVIEW = 5;

    private int step = NAME;
    private String name = "";
    private Kind kind;
    private int day = 1;

    @Override
    protected void onCreate(Bundle state) {
        super.onCreate(state);
        setContentView(R.layout.wizard);
        findViewById(R.id.next).setOnClickListener(view -> next());
        findViewById(R.id.previous).setOnClickListener(view -> onBackPressed());
        findViewById(R.id.finish).setOnClickListener(view -> finishPlan());
        if (state != null) {
            restore(state);
        }
        show();
    }

    @Override
    protected void onSaveInstanceState(Bundle state) {
        super.onSaveInstanceState(state);
        state.putInt("step", step);
        state.putString("name", name);
        state.putInt("day", day);
        if (step > KIND) {
            state.putString("kind", getString(kind.label));
        }
    }

    /** Planted rotate-wizard: the label of the kind was kept, its name is looked for. */
    private void restore(Bundle state) {
        step = state.getInt("step");
        name = state.getString("name");
        day = state.getInt("day");
        if (step > KIND) {
            kind = Kind.named(state.getString("kind"));
            if (kind == null) {
                throw new IllegalArgumentException("no kind is named " + state.getString("kind"));
            }
        }
    }

    private void show() {
        int[] questions = {
            R.string.plan_name, R.string.plan_kind, R.string.plan_day,
            R.string.plan_options, R.string.template
        };
        ((TextView) findViewById(R.id.step)).setText(getString(R.string.step, step));
        ((TextView) findViewById(R.id.question)).setText(questions[step - 1]);
        showIf(R.id.plan_name, step == NAME);
        showIf(R.id.kinds, step == KIND);
        showIf(R.id.plan_day, step == DAY);
        showIf(R.id.options, step == OPTIONS);
        showIf(R.id.review, step == REVIEW);
        showIf(R.id.previous, step > NAME);
        showIf(R.id.next, step < REVIEW);
        showIf(R.id.finish, step == REVIEW);
        if (step == REVIEW) {
            ((TextView) findViewById(R.id.review))
                    .setText(getString(kind.label) + ": " + name + "\n" + day);
        }
    }

    private void showIf(int id, boolean visible) {
        findViewById(id).setVisibility(visible ? View.VISIBLE : View.GONE);
    }

    private void next() {
        if (step == NAME) {
            EditText field = findViewById(R.id.plan_name);
            name = field.getText().toString().trim();
            if (name.isEmpty()) {
                field.setError(getString(R.string.error_plan_name));
                return;
            }
        } else if (step == KIND) {
            RadioGroup kinds = findViewById(R.id.kinds);
            kind = Kind.ofButton(kinds.getCheckedRadioButtonId());
        } else if (step == DAY) {
            EditText field = findViewById(R.id.plan_day);
            String number = field.getText().toString();
            day = number.matches("[0-9]+") ? Integer.parseInt(number) : 0;
            if (day < 1 || day > 31) {
                field.setError(getString(R.string.error_day));
                return;
            }
        }
        step++;
        show();
    }

    @Override
    public void onBackPressed() {
        if (step > NAME) {
            step--;
            show();
        } else {
            super.onBackPressed();
        }
    }

    private void finishPlan() {
        StringBuilder text = new StringBuilder(kind.text);
        if (((CheckBox) findViewById(R.id.repeat)).isChecked()) {
            text.append('\n').append(everyMonth(day));
        }
        Note note = new Note();
        note.title = name;
        note.body = text.toString();
        NoteStore.of(this).save(note);
        if (((CheckBox) findViewById(R.id.tag_it)).isChecked()) {
            NoteStore.of(this).setTags(note.id, "plan");
        }
        finish();
    }

    /** Planted monthly-31: not every month has that day. */
    private static String everyMonth(int day) {
        StringBuilder dates = new StringBuilder();
        for (int month = 1; month <= 12; month++) {
            dates.append(LocalDate.of(2024, month, day)).append('\n');
        }
        return dates.toString();
    }
}
