package droidtest.app;

import android.compat.Compatibility;
import android.content.Context;
import android.view.View;
import android.view.ViewGroup;
import android.widget.TextView;
import android.widget.Toast;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.annotation.RealObject;
import org.robolectric.shadow.api.Shadow;
import org.robolectric.shadows.ShadowToast;
import org.robolectric.util.ReflectionHelpers;
import org.robolectric.util.ReflectionHelpers.ClassParameter;

/**
 * Tells what a toast says. All but the showing is the framework's code ({@code Shadowing}): a toast on a thread
 * without a looper throws, one without a text is empty, one of an old app has a view that can be changed.
 */
@Implements(Toast.class)
public class Toasts extends ShadowToast {
  private static final long TEXT_TOASTS_IN_THE_SYSTEM = 147798919L;

  @RealObject private Toast shown;

  @Override
  @Implementation
  protected void __constructor__(Context context) {
    Shadow.invokeConstructor(Toast.class, shown, ClassParameter.from(Context.class, context));
  }

  @Override
  @Implementation
  protected void show() {
    CharSequence text = ReflectionHelpers.getField(shown, "mText");
    View view = ReflectionHelpers.getField(shown, "mNextView");
    if (Compatibility.isChangeEnabled(TEXT_TOASTS_IN_THE_SYSTEM)) {
      if (view == null && text == null) {
        throw new IllegalStateException("You must either set a text or a view");
      }
    } else if (view == null) {
      throw new RuntimeException("setView must have been called");
    }
    SystemServer system = SystemServer.current();
    if (system != null) {
      system.recorder.toast(text != null ? text.toString() : text(view));
    }
  }

  private static String text(View view) {
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
