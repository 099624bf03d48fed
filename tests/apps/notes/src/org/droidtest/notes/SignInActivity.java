package org.droidtest.notes;

import android.app.Activity;
import android.content.Intent;
import android.os.Bundle;
import android.view.View;
import android.widget.EditText;
import android.widget.TextView;

/** Asks for a name and a PIN, once. */
public final class SignInActivity extends Activity {
    private EditText name;
    private EditText pin;
    private TextView problem;

    @Override
    protected void onCreate(Bundle state) {
        super.onCreate(state);
        if (Prefs.isOn(this, "signed_in")) {
            enter();
            return;
        }
        setContentView(R.layout.sign_in);
        name = findViewById(R.id.name);
        pin = findViewById(R.id.pin);
        problem = findViewById(R.id.problem);
        findViewById(R.id.sign_in).setOnClickListener(view -> signIn());
        findViewById(R.id.skip).setOnClickListener(view -> remember(null));
    }

    private void signIn() {
        String who = name.getText().toString().trim();
        if (who.isEmpty()) {
            complain(R.string.error_name);
        } else if (!checkPin(pin.getText().toString())) {
            complain(R.string.error_pin);
        } else {
            remember(who);
        }
    }

    /** Planted pin-too-long: the number is read before its length is looked at. */
    private static boolean checkPin(String pin) {
        if (pin.isEmpty()) {
            return false;
        }
        int number = Integer.parseInt(pin);
        return number >= 0 && pin.length() == 4;
    }

    private void complain(int text) {
        problem.setText(text);
        problem.setVisibility(View.VISIBLE);
    }

    private void remember(String who) {
        Prefs.of(this).edit().putBoolean("signed_in", true).putString("name", who).apply();
        enter();
    }

    private void enter() {
        startActivity(new Intent(this, NotesActivity.class));
        finish();
    }
}
