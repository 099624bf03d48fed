package droidtest.web;

import droidtest.host.web.Engine;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.htmlunit.corejs.javascript.Function;
import org.htmlunit.html.DisabledElement;
import org.htmlunit.html.DomElement;
import org.htmlunit.html.HtmlElement;
import org.htmlunit.html.HtmlInput;
import org.htmlunit.html.HtmlOption;
import org.htmlunit.html.HtmlPage;
import org.htmlunit.html.HtmlSelect;
import org.htmlunit.html.HtmlSelectableTextInput;
import org.htmlunit.html.HtmlTextArea;

/** Performs touches and texts on elements, with the events that Chromium sends. */
final class Acts {
  /** More than so many characters are set at once: each one typed is six events. */
  private static final int TYPED = 60;
  /** Gives false if the page says that the touch is all there is to it. */
  private static final String SEND =
      "(function(e,types){var go=true;types.split(' ').forEach(function(t){"
          + "var v=document.createEvent('Event');v.initEvent(t,true,true);"
          + "var p={identifier:0,target:e,clientX:1,clientY:1,pageX:1,pageY:1,screenX:1,screenY:1};"
          + "var up=/end$/.test(t);v.touches=up?[]:[p];v.targetTouches=up?[]:[p];v.changedTouches=[p];"
          + "v.clientX=1;v.clientY=1;v.pageX=1;v.pageY=1;v.pointerId=1;v.pointerType='touch';v.isPrimary=true;"
          + "if(!e.dispatchEvent(v)&&/^touch/.test(t))go=false;});return go;})";

  private Acts() {}

  static void act(DomElement element, String kind, String text, Engine.Host host) throws IOException {
    if (element instanceof DisabledElement disabled && disabled.isDisabled()) {
      return;
    }
    switch (kind) {
      case "click":
        if (element instanceof HtmlSelect select) {
          choose(select, host);
        } else if (send(element, "pointerdown touchstart pointerup touchend")) {
          element.click(false, false, false, true, true, true, false);
        }
        break;
      case "long":
        send(element, "pointerdown touchstart contextmenu pointerup touchend");
        break;
      default:
        type(element, text, kind.equals("enter"));
    }
  }

  private static boolean send(DomElement element, String types) {
    HtmlPage page = (HtmlPage) element.getPage();
    if (!page.getWebClient().isJavaScriptEnabled()) {
      return true;
    }
    Object sender = page.executeJavaScript(SEND, "", 1).getJavaScriptResult();
    if (!(sender instanceof Function)) {
      return true;
    }
    Object[] arguments = {element.getScriptableObject(), types};
    Object go = page.executeJavaScriptFunction(sender, element.getScriptableObject(), arguments, element)
        .getJavaScriptResult();
    return !Boolean.FALSE.equals(go);
  }

  private static void choose(HtmlSelect select, Engine.Host host) {
    List<String> texts = new ArrayList<>();
    for (HtmlOption option : select.getOptions()) {
      texts.add(option.getText());
    }
    select.focus();
    int chosen = host.choose(texts, select.getSelectedIndex());
    if (chosen >= 0 && chosen < select.getOptionSize()) {
      select.setSelectedAttribute(select.getOption(chosen), !select.getOption(chosen).isSelected() || !select.isMultipleSelectEnabled());
    }
  }

  private static void type(DomElement element, String text, boolean enter) throws IOException {
    if (!(element instanceof HtmlElement field)) {
      return;
    }
    field.focus();
    boolean one = text.length() <= TYPED && (field instanceof HtmlSelectableTextInput || field instanceof HtmlTextArea);
    if (one && field instanceof HtmlInput input) {
      input.setValue("");
    } else if (field instanceof HtmlTextArea area) {
      area.setText(one ? "" : text);
    } else if (field instanceof HtmlInput input) {
      input.setValue(text);
    } else {
      field.setTextContent(text);
    }
    if (one && !text.isEmpty()) {
      field.type(text);
    } else {
      send(field, "input");
    }
    send(field, "change");
    if (enter) {
      field.type('\n');
    }
  }
}
