package org.droidtest.hostile;

import android.app.Activity;
import android.os.Bundle;
import android.widget.Button;
import android.widget.EditText;
import android.widget.LinearLayout;
import android.widget.TextView;

/** Makes the attempt that is typed in, and shows what came of it. */
public final class HostileActivity extends Activity {
  @Override
  protected void onCreate(Bundle state) {
    super.onCreate(state);
    LinearLayout all = new LinearLayout(this);
    all.setOrientation(LinearLayout.VERTICAL);
    TextView result = new TextView(this);
    result.setId(R.id.result);
    EditText aims = field(R.id.aims);
    EditText attempt = field(R.id.attempt);
    Button run = new Button(this);
    run.setId(R.id.run);
    run.setText("Run");
    run.setOnClickListener(view -> {
      Aims.type(aims.getText().toString());
      result.setText(outcome(attempt.getText().toString()));
    });
    all.addView(result);
    all.addView(aims);
    all.addView(attempt);
    all.addView(run);
    setContentView(all);
  }

  private EditText field(int id) {
    EditText field = new EditText(this);
    field.setId(id);
    return field;
  }

  private String outcome(String name) {
    return Escape.outcome(() -> {
      for (Escape.Attempt each : new Escape.Attempt[] {
        Escape.attempt(name), Around.attempt(name), Agent.attempt(name, this), Beyond.attempt(name, this),
        Excess.attempt(name, this), Whereabouts.attempt(name, this)
      }) {
        if (each != null) {
          return each.escapes();
        }
      }
      throw new IllegalArgumentException("no attempt is named " + name);
    });
  }
}
