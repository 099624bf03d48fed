package droidtest.device;

import android.app.Activity;
import android.app.AlertDialog;
import android.os.Bundle;
import android.text.InputType;
import android.view.KeyEvent;
import android.view.MotionEvent;
import android.view.View;
import android.view.WindowManager;
import android.widget.Button;
import android.widget.CheckBox;
import android.widget.EditText;
import android.widget.LinearLayout;
import android.widget.ScrollView;
import android.widget.TextView;

/** A screen of the framework's widgets, each of which shows in {@code android:id/title} what it received. */
public final class FormActivity extends Activity {
  private TextView said;

  @Override
  protected void onCreate(Bundle state) {
    super.onCreate(state);
    LinearLayout column = new LinearLayout(this);
    column.setOrientation(LinearLayout.VERTICAL);
    said = new TextView(this);
    said.setId(android.R.id.title);
    said.setText("nothing yet");
    column.addView(said);
    Button press = new Button(this);
    press.setId(android.R.id.button1);
    press.setText("Press");
    press.setOnClickListener(view -> said.setText("pressed"));
    press.setOnLongClickListener(
        view -> {
          said.setText("held");
          return true;
        });
    column.addView(press);
    EditText field = new EditText(this);
    field.setId(android.R.id.edit);
    field.setInputType(InputType.TYPE_CLASS_TEXT);
    field.setHint("Name");
    column.addView(field);
    CheckBox box = new CheckBox(this);
    box.setId(android.R.id.checkbox);
    box.setText("Agree");
    column.addView(box);
    TextView hidden = new TextView(this);
    hidden.setText("hidden");
    hidden.setVisibility(View.GONE);
    column.addView(hidden);
    ScrollView tall = new ScrollView(this);
    LinearLayout rows = new LinearLayout(this);
    rows.setOrientation(LinearLayout.VERTICAL);
    for (int i = 0; i < 80; i++) {
      TextView row = new TextView(this);
      row.setText("row " + i);
      rows.addView(row);
    }
    tall.addView(rows);
    column.addView(tall);
    setContentView(column);
  }

  /** A window above the app's that belongs to no app, as "isn't responding" is. */
  private void askAsTheSystemDoes() {
    AlertDialog dialog =
        new AlertDialog.Builder(this)
            .setMessage("isn't responding")
            .setNeutralButton("Wait", (asked, which) -> said.setText("waited"))
            .create();
    dialog.getWindow().setType(WindowManager.LayoutParams.TYPE_APPLICATION_OVERLAY);
    dialog.show();
    View decor = dialog.getWindow().getDecorView();
    decor.post(() -> SystemSide.show(decor));
  }

  @Override
  public boolean dispatchTrackballEvent(MotionEvent event) {
    said.setText("rolled");
    return true;
  }

  @Override
  public boolean dispatchKeyEvent(KeyEvent event) {
    if (event.getAction() == KeyEvent.ACTION_UP) {
      said.setText("key " + event.getKeyCode());
      if (event.getKeyCode() == KeyEvent.KEYCODE_F2) {
        askAsTheSystemDoes();
      }
    }
    return super.dispatchKeyEvent(event);
  }
}
