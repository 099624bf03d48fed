package droidtest.model;

import android.app.Activity;
import android.content.Intent;
import android.os.Bundle;
import android.os.Handler;
import android.os.Looper;
import android.text.Editable;
import android.text.InputType;
import android.text.TextUtils;
import android.text.TextWatcher;
import android.util.DisplayMetrics;
import android.view.View;
import android.view.ViewGroup;
import android.widget.Button;
import android.widget.EditText;
import android.widget.LinearLayout;
import android.widget.TextView;
import java.util.ArrayList;
import java.util.List;

/** A node of the model: a title, then a row for each widget, all of them on the screen. */
public abstract class Screen extends Activity {
  /** How far this screen is from the first one. */
  private static final String DEPTH = "droidtest.depth";

  /** A text counts as typed when no letter follows for so many milliseconds. */
  private static final long PAUSE = 100;

  private final Handler handler = new Handler(Looper.getMainLooper());
  private final List<Field> fields = new ArrayList<>();
  private LinearLayout column;
  private int widgets;

  /** Adds the title and the widgets. */
  protected abstract void fill();

  /** Operates the widget of this number; {@code input} is what was typed. */
  protected abstract void operate(int widget, Object input);

  /** Runs the code blocks of reaching this node. */
  protected void reached() {}

  /** Is there a way back? */
  protected abstract boolean hasHistory();

  @Override
  protected void onCreate(Bundle saved) {
    super.onCreate(saved);
    column = new LinearLayout(this);
    column.setOrientation(LinearLayout.VERTICAL);
    // Else the first field would take the focus, and the keyboard cover half of the rows.
    column.setFocusableInTouchMode(true);
    fill();
    DisplayMetrics screen = getResources().getDisplayMetrics();
    float row = 48 * screen.density;
    float room = screen.heightPixels - 3 * row;
    int height = Math.max(1, (int) Math.min(row, room / Math.max(1, widgets)));
    for (int i = 0; i < column.getChildCount(); i++) {
      View child = column.getChildAt(i);
      int own = child.getTag() == null ? (int) row : height;
      child.setLayoutParams(new LinearLayout.LayoutParams(ViewGroup.LayoutParams.MATCH_PARENT, own));
    }
    setContentView(column);
  }

  @Override
  protected void onResume() {
    super.onResume();
    reached();
  }

  @Override
  @SuppressWarnings("deprecation") // what replaces it is younger than the oldest Android that is served
  public void onBackPressed() {
    if (hasHistory() && depth() > 0) {
      finish();
    }
  }

  private int depth() {
    return getIntent().getIntExtra(DEPTH, 0);
  }

  /** Adds the title. */
  protected final void title(String text) {
    TextView view = new TextView(this);
    view.setText(text);
    column.addView(view);
  }

  /** Adds a button. */
  protected final void button(int id, String text, boolean enabled) {
    Button view = new Button(this);
    view.setText(text);
    view.setAllCaps(false);
    int widget = add(view, id, enabled);
    view.setOnClickListener(
        clicked -> {
          commit();
          if (!isFinishing()) {
            operate(widget, null);
          }
        });
  }

  /** Adds a text field. */
  protected final void field(int id, String hint, String description, boolean password, boolean enabled) {
    EditText view = new EditText(this);
    int hidden = password ? InputType.TYPE_TEXT_VARIATION_PASSWORD : 0;
    view.setInputType(InputType.TYPE_CLASS_TEXT | hidden);
    view.setSaveEnabled(false);
    if (!hint.isEmpty()) {
      view.setHint(hint);
    }
    if (!description.isEmpty()) {
      view.setContentDescription(description);
    }
    Field field = new Field(view, add(view, id, enabled));
    fields.add(field);
    view.addTextChangedListener(field);
  }

  private int add(TextView view, int id, boolean enabled) {
    view.setId(id);
    view.setTag(this);
    view.setEnabled(enabled);
    view.setMinHeight(0);
    view.setMinimumHeight(0);
    view.setPadding(0, 0, 0, 0);
    view.setEllipsize(TextUtils.TruncateAt.END);
    column.addView(view);
    return widgets++;
  }

  /** Adds what has been typed. */
  private void commit() {
    for (Field field : fields) {
      field.commit();
    }
  }

  /** Shows another node; with a history, what came after it is forgotten. */
  protected final void go(Class<? extends Screen> node) {
    if (node == getClass()) {
      reached();
      return;
    }
    Intent intent = new Intent(this, node);
    if (hasHistory()) {
      intent.putExtra(DEPTH, depth() + 1);
      intent.addFlags(Intent.FLAG_ACTIVITY_CLEAR_TOP | Intent.FLAG_ACTIVITY_SINGLE_TOP);
      startActivity(intent);
    } else {
      startActivity(intent);
      finish();
    }
    overridePendingTransition(0, 0);
  }

  /** A text field. It forgets what it has passed on: a node has one look. */
  private final class Field implements TextWatcher, Runnable {
    private final EditText view;
    private final int widget;
    private boolean typed;
    private boolean clearing;

    Field(EditText view, int widget) {
      this.view = view;
      this.widget = widget;
    }

    @Override
    public void beforeTextChanged(CharSequence text, int start, int count, int after) {}

    @Override
    public void onTextChanged(CharSequence text, int start, int before, int count) {}

    @Override
    public void afterTextChanged(Editable text) {
      if (!clearing) {
        typed = true;
        handler.removeCallbacks(this);
        handler.postDelayed(this, PAUSE);
      }
    }

    @Override
    public void run() {
      commit();
    }

    void commit() {
      handler.removeCallbacks(this);
      if (!typed || isFinishing()) {
        return;
      }
      typed = false;
      String text = view.getText().toString();
      clearing = true;
      view.setText("");
      clearing = false;
      operate(widget, text);
    }
  }
}
