package droidtest.app;

import android.view.View;
import android.view.ViewGroup;
import android.widget.TextView;

/** The words of a toast that the app has laid out itself. */
final class Toasts {
  private Toasts() {}

  static String text(View view) {
    if (view instanceof TextView) {
      return String.valueOf(((TextView) view).getText());
    }
    StringBuilder all = new StringBuilder();
    if (view instanceof ViewGroup) {
      for (int i = 0; i < ((ViewGroup) view).getChildCount(); i++) {
        String one = text(((ViewGroup) view).getChildAt(i));
        all.append(all.length() > 0 && !one.isEmpty() ? " " : "").append(one);
      }
    }
    return all.toString();
  }
}
