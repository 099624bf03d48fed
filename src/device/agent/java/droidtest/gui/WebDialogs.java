package droidtest.gui;

import android.app.AlertDialog;
import android.webkit.JsPromptResult;
import android.webkit.JsResult;
import android.webkit.WebChromeClient;
import android.widget.EditText;
import droidtest.host.web.Turns;
import java.util.List;

/** The dialogs that a page's scripts request: the app's, or, where it has none, Android's. */
final class WebDialogs implements JsResult.ResultReceiver {
  private final Web web;
  private final Turns.Reply reply;
  private JsPromptResult asked;

  WebDialogs(Web web, Turns.Reply reply) {
    this.web = web;
    this.reply = reply;
  }

  @Override
  public void onJsResultComplete(JsResult result) {
    String text = asked != null && asked.getStringResult() != null ? asked.getStringResult() : "";
    reply.give(result.getResult() ? text : null);
  }

  /** On the main thread. */
  void show(String kind, String url, String message, String initial) {
    WebChromeClient chrome = web.getWebChromeClient();
    if (chrome == null) {
      reply.give(null);
      return;
    }
    boolean taken;
    if (kind.equals("prompt")) {
      asked = new JsPromptResult(this);
      taken = chrome.onJsPrompt(web.view(), url, message, initial == null ? "" : initial, asked);
    } else {
      JsResult result = new JsResult(this);
      taken =
          kind.equals("alert")
              ? chrome.onJsAlert(web.view(), url, message, result)
              : chrome.onJsConfirm(web.view(), url, message, result);
    }
    if (!taken) {
      ask(kind, message, initial);
    }
  }

  private void ask(String kind, String message, String initial) {
    try {
      AlertDialog.Builder dialog = new AlertDialog.Builder(web.view().getContext());
      EditText field = kind.equals("prompt") ? new EditText(web.view().getContext()) : null;
      if (field != null) {
        field.setText(initial);
        dialog.setView(field);
      }
      dialog.setMessage(message).setOnCancelListener(one -> reply.give(null));
      dialog.setPositiveButton(
          android.R.string.ok, (one, button) -> reply.give(field == null ? "" : String.valueOf(field.getText())));
      if (!kind.equals("alert")) {
        dialog.setNegativeButton(android.R.string.cancel, (one, button) -> reply.give(null));
      }
      dialog.show();
    } catch (RuntimeException e) {
      // A view whose context has no window to show it in.
      reply.give(null);
    }
  }

  /** A list of choices. */
  void choose(List<String> options, int chosen) {
    try {
      new AlertDialog.Builder(web.view().getContext())
          .setSingleChoiceItems(
              options.toArray(new String[0]),
              chosen,
              (dialog, index) -> {
                dialog.dismiss();
                reply.give(String.valueOf(index));
              })
          .setOnCancelListener(one -> reply.give(null))
          .show();
    } catch (RuntimeException e) {
      reply.give(null);
    }
  }
}
