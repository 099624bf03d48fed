package org.droidtest.web;

import android.app.Activity;
import android.graphics.Bitmap;
import android.os.Bundle;
import android.os.Looper;
import android.view.View;
import android.webkit.ConsoleMessage;
import android.webkit.JavascriptInterface;
import android.webkit.JsResult;
import android.webkit.WebChromeClient;
import android.webkit.WebResourceError;
import android.webkit.WebResourceRequest;
import android.webkit.WebResourceResponse;
import android.webkit.WebView;
import android.webkit.WebViewClient;
import android.widget.Button;
import android.widget.LinearLayout;
import android.widget.TextView;
import java.io.ByteArrayInputStream;

/** A page in a web view, and above it what the app heard of the page last. */
public class MainActivity extends Activity {
    private WebView page;
    private TextView heard;

    @Override
    protected void onCreate(Bundle state) {
        super.onCreate(state);
        LinearLayout all = new LinearLayout(this);
        all.setOrientation(LinearLayout.VERTICAL);
        heard = new TextView(this);
        heard.setId(R.id.heard);
        heard.setSingleLine();
        all.addView(heard);
        LinearLayout row = new LinearLayout(this);
        row.addView(button(R.id.eval, "eval", () -> page.evaluateJavascript("({a: 1 + 1})", this::hear)));
        row.addView(button(R.id.data, "data", () -> page.loadData("<b id='told'>100%25</b>", "text/html", null)));
        all.addView(row);
        page = new WebView(this);
        page.setId(R.id.page);
        page.getSettings().setJavaScriptEnabled(true);
        page.setWebViewClient(new Client());
        page.setWebChromeClient(new Chrome());
        page.addJavascriptInterface(new Bridge(), "app");
        all.addView(page, new LinearLayout.LayoutParams(-1, 0, 1));
        setContentView(all);
        page.loadUrl("file:///android_asset/index.html");
    }

    private Button button(int id, String text, Runnable action) {
        Button button = new Button(this);
        button.setId(id);
        button.setText(text);
        button.setOnClickListener(v -> action.run());
        return button;
    }

    private void hear(String what) {
        heard.setText(what);
    }

    @Override
    public void onBackPressed() {
        if (page.canGoBack()) {
            page.goBack();
        } else {
            super.onBackPressed();
        }
    }

    /** What scripts may call, and what they must not see. */
    public class Bridge {
        @JavascriptInterface
        public String add(int a, int b) {
            boolean main = Looper.myLooper() == Looper.getMainLooper();
            return (a + b) + (main ? " on main" : " beside main");
        }

        @JavascriptInterface
        public void fail() {
            throw new IllegalStateException("planned");
        }

        public String hidden() {
            return "hidden";
        }
    }

    private class Client extends WebViewClient {
        @Override
        public void onPageStarted(WebView view, String url, Bitmap icon) {
            hear("started");
        }

        @Override
        public void onPageFinished(WebView view, String url) {
            hear(heard.getText() + ", finished " + view.getTitle());
        }

        @Override
        public void onReceivedError(WebView view, WebResourceRequest request, WebResourceError error) {
            hear("error " + error.getErrorCode());
        }

        @Override
        public boolean shouldOverrideUrlLoading(WebView view, WebResourceRequest request) {
            boolean own = "app".equals(request.getUrl().getScheme());
            if (own) {
                hear("asked for " + request.getUrl());
            }
            return own;
        }

        @Override
        public WebResourceResponse shouldInterceptRequest(WebView view, WebResourceRequest request) {
            return request.getUrl().getPath() != null && request.getUrl().getPath().endsWith("given.txt")
                ? new WebResourceResponse("text/plain", "UTF-8", new ByteArrayInputStream("given by the app".getBytes()))
                : null;
        }
    }

    private class Chrome extends WebChromeClient {
        private int most;

        @Override
        public void onProgressChanged(WebView view, int progress) {
            most = Math.max(most, progress);
        }

        @Override
        public void onReceivedTitle(WebView view, String title) {
            hear(heard.getText() + ", " + most + " %, title " + title);
        }

        @Override
        public boolean onJsConfirm(WebView view, String url, String message, JsResult result) {
            result.confirm();
            return true;
        }

        @Override
        public boolean onConsoleMessage(ConsoleMessage message) {
            hear(message.messageLevel() + " " + message.message());
            return true;
        }
    }
}
