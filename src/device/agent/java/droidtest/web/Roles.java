package droidtest.web;

import java.util.List;
import java.util.Locale;
import org.htmlunit.html.DisabledElement;
import org.htmlunit.html.DomElement;
import org.htmlunit.html.DomNode;
import org.htmlunit.html.HtmlAnchor;
import org.htmlunit.html.HtmlArea;
import org.htmlunit.html.HtmlButton;
import org.htmlunit.html.HtmlButtonInput;
import org.htmlunit.html.HtmlCheckBoxInput;
import org.htmlunit.html.HtmlHiddenInput;
import org.htmlunit.html.HtmlImageInput;
import org.htmlunit.html.HtmlInput;
import org.htmlunit.html.HtmlOption;
import org.htmlunit.html.HtmlPage;
import org.htmlunit.html.HtmlPasswordInput;
import org.htmlunit.html.HtmlRadioButtonInput;
import org.htmlunit.html.HtmlResetInput;
import org.htmlunit.html.HtmlSelect;
import org.htmlunit.html.HtmlSubmitInput;
import org.htmlunit.html.HtmlSummary;
import org.htmlunit.html.HtmlTextArea;
import org.htmlunit.javascript.HtmlUnitScriptable;
import org.htmlunit.javascript.host.event.EventTarget;

/** What an element is for a person, by its role. */
final class Roles {
  private static final int CLICKABLE = 1;
  private static final int CHECKABLE = 4;
  private static final int CHECKED = 8;
  private static final int ENABLED = 16;
  private static final int FOCUSABLE = 32;
  private static final int FOCUSED = 64;
  private static final int PASSWORD = 256;
  private static final int SELECTED = 512;
  private static final int EDITABLE = 1024;
  private static final int TEXT = 1;
  private static final int PASSWORD_TEXT = 0x81;
  private static final int LINES = 0x20001;
  private static final List<String> TOUCHES =
      List.of("onclick", "ontouchstart", "ontouchend", "onmousedown", "onmouseup", "onpointerdown", "onpointerup");
  private static final List<String> PARTS = List.of("script", "style", "head", "template", "noscript", "option");

  private Roles() {}

  static boolean shown(DomElement element) {
    return !PARTS.contains(tag(element)) && !(element instanceof HtmlHiddenInput) && element.isDisplayed();
  }

  private static String tag(DomElement element) {
    return element.getTagName().toLowerCase(Locale.ROOT);
  }

  private static String role(DomElement element) {
    return element.getAttribute("role").toLowerCase(Locale.ROOT);
  }

  /** Whether it takes touches by what it is, not only because something listens there. */
  static boolean own(DomElement element) {
    return element instanceof HtmlAnchor && element.hasAttribute("href")
        || element instanceof HtmlArea || element instanceof HtmlButton
        || element instanceof HtmlInput && !(element instanceof HtmlHiddenInput)
        || element instanceof HtmlSelect || element instanceof HtmlTextArea || element instanceof HtmlSummary
        || element.getAttribute("contenteditable").equals("true")
        || switch (role(element)) {
          case "button", "link", "tab", "checkbox", "radio", "menuitem", "option", "switch" -> true;
          default -> false;
        };
  }

  /** Whether it holds several things of a kind, each with words: what listens there means one of them. */
  static boolean list(DomElement element) {
    String first = null;
    for (DomElement child : element.getChildElements()) {
      if (!child.getTextContent().isBlank()) {
        if (child.getTagName().equals(first)) {
          return true;
        }
        first = child.getTagName();
      }
    }
    return false;
  }

  static boolean touchable(DomElement element) {
    return own(element) || listens(element);
  }

  static boolean listens(DomNode node) {
    return node != null && listens((Object) node.getScriptableObject());
  }

  static boolean listensAsWindow(HtmlPage page) {
    return listens((Object) page.getEnclosingWindow().getScriptableObject());
  }

  private static boolean listens(Object scriptable) {
    if (!(scriptable instanceof HtmlUnitScriptable) || !(scriptable instanceof EventTarget target)) {
      return false;
    }
    for (String touch : TOUCHES) {
      if (target.hasEventHandlers(touch)) {
        return true;
      }
    }
    return false;
  }

  static boolean button(DomElement element) {
    return element instanceof HtmlButton || element instanceof HtmlSubmitInput || element instanceof HtmlButtonInput
        || element instanceof HtmlResetInput || element instanceof HtmlImageInput || role(element).equals("button");
  }

  static boolean edits(DomElement element) {
    return element instanceof HtmlTextArea || element.getAttribute("contenteditable").equals("true")
        || element instanceof HtmlInput && !button(element) && !(element instanceof HtmlCheckBoxInput)
            && !(element instanceof HtmlRadioButtonInput) && !(element instanceof HtmlHiddenInput)
            && !List.of("range", "file", "color").contains(type(element));
  }

  private static String type(DomElement element) {
    return element.getAttribute("type").toLowerCase(Locale.ROOT);
  }

  static String kind(DomElement element) {
    if (button(element)) {
      return "android.widget.Button";
    }
    if (element instanceof HtmlCheckBoxInput || role(element).equals("checkbox") || role(element).equals("switch")) {
      return "android.widget.CheckBox";
    }
    if (element instanceof HtmlRadioButtonInput || role(element).equals("radio")) {
      return "android.widget.RadioButton";
    }
    if (element instanceof HtmlSelect) {
      return "android.widget.Spinner";
    }
    if (type(element).equals("range")) {
      return "android.widget.SeekBar";
    }
    return edits(element) ? "android.widget.EditText" : "android.view.View";
  }

  /** Visible words, then the label for those who do not see, then the value. */
  static String text(DomElement element) {
    String text;
    if (element instanceof HtmlPasswordInput input) {
      text = "\u2022".repeat(Math.min(100, input.getValue().length()));
    } else if (element instanceof HtmlCheckBoxInput || element instanceof HtmlRadioButtonInput) {
      text = label(element);
    } else if (element instanceof HtmlImageInput) {
      text = element.getAttribute("alt");
    } else if (element instanceof HtmlInput input) {
      text = input.getValue();
      if (text.isEmpty() && button(element)) {
        text = element instanceof HtmlSubmitInput ? "Submit" : element instanceof HtmlResetInput ? "Reset" : "";
      }
    } else if (element instanceof HtmlTextArea area) {
      text = area.getText();
    } else if (element instanceof HtmlSelect select) {
      List<HtmlOption> chosen = select.getSelectedOptions();
      text = chosen.isEmpty() ? "" : chosen.get(0).getText();
    } else {
      text = words(element);
    }
    return Elements.cut(text.isEmpty() ? element.getAttribute("aria-label") : text);
  }

  private static String label(DomElement element) {
    if (element.getId() != null && !element.getId().isEmpty()) {
      for (DomElement label : ((HtmlPage) element.getPage()).getElementsByTagName("label")) {
        if (label.getAttribute("for").equals(element.getId())) {
          return words(label);
        }
      }
    }
    DomNode up = element.getParentNode();
    return up instanceof DomElement parent && tag(parent).equals("label") ? words(parent) : "";
  }

  static String words(DomElement element) {
    return element.asNormalizedText().strip().replaceAll("\\s+", " ");
  }

  static String description(DomElement element, String text) {
    String label = element.getAttribute("aria-label");
    String other = label.isEmpty() ? element.getAttribute("title") : label;
    return other.equals(text) ? "" : Elements.cut(other);
  }

  static String hint(DomElement element) {
    return element.getAttribute("placeholder");
  }

  static int longest(DomElement element) {
    try {
      return edits(element) ? Integer.parseInt(element.getAttribute("maxlength").strip()) : -1;
    } catch (NumberFormatException e) {
      return -1;
    }
  }

  static int inputType(DomElement element) {
    if (!edits(element)) {
      return 0;
    }
    if (element instanceof HtmlTextArea) {
      return LINES;
    }
    return switch (type(element)) {
      case "number" -> 2;
      case "tel" -> 3;
      case "email" -> 0x21;
      case "url" -> 0x11;
      case "password" -> PASSWORD_TEXT;
      case "date" -> 0x14;
      case "time" -> 0x24;
      default -> TEXT;
    };
  }

  static int flags(DomElement element, boolean clickable) {
    int flags = clickable ? CLICKABLE : 0;
    flags |= element instanceof DisabledElement disabled && disabled.isDisabled() ? 0 : ENABLED;
    flags |= own(element) ? FOCUSABLE : 0;
    flags |= ((HtmlPage) element.getPage()).getFocusedElement() == element ? FOCUSED : 0;
    flags |= element instanceof HtmlPasswordInput ? PASSWORD : 0;
    boolean readonly = element.hasAttribute("readonly");
    flags |= edits(element) && !readonly ? EDITABLE : 0;
    if (element instanceof HtmlCheckBoxInput box) {
      flags |= box.isChecked() ? CHECKABLE | CHECKED : CHECKABLE;
    } else if (element instanceof HtmlRadioButtonInput radio) {
      flags |= radio.isChecked() ? CHECKABLE | CHECKED : CHECKABLE;
    }
    return element.getAttribute("aria-selected").equals("true") ? flags | SELECTED : flags;
  }
}
