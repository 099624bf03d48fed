package droidtest.gui;

import android.net.Uri;
import android.webkit.WebResourceError;
import android.webkit.WebResourceRequest;
import java.util.HashMap;
import java.util.Map;
import org.robolectric.util.ReflectionHelpers;

/** What a web view requests: a page. */
record WebRequest(String url) implements WebResourceRequest {
  @Override
  public Uri getUrl() {
    return Uri.parse(url);
  }

  @Override
  public boolean isForMainFrame() {
    return true;
  }

  @Override
  public boolean isRedirect() {
    return false;
  }

  @Override
  public boolean hasGesture() {
    return false;
  }

  @Override
  public String getMethod() {
    return "GET";
  }

  @Override
  public Map<String, String> getRequestHeaders() {
    return new HashMap<>();
  }

  /** Why it did not come. */
  static final class Failure extends WebResourceError {
    private final WebPage page;

    Failure(WebPage page) {
      this.page = page;
    }

    /** What instrumented classes have by themselves; the compiler does not see it and wants it here. */
    public Object $$robo$getData() {
      return ReflectionHelpers.getField(this, "__robo_data__");
    }

    @Override
    public int getErrorCode() {
      return page.error();
    }

    @Override
    public CharSequence getDescription() {
      return page.said();
    }
  }
}
