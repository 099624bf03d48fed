package droidtest.web;

import droidtest.host.web.Engine;
import droidtest.host.web.Engine.Element;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.htmlunit.Page;
import org.htmlunit.TextPage;
import org.htmlunit.html.BaseFrameElement;
import org.htmlunit.html.DomElement;
import org.htmlunit.html.DomNode;
import org.htmlunit.html.DomText;
import org.htmlunit.html.HtmlImage;
import org.htmlunit.html.HtmlPage;

/** What a page shows: elements to touch, and texts, in the order of the document. */
final class Elements {
  private static final int MOST = 400;
  private static final int LONGEST = 500;
  private static final int ENABLED = 16;

  private final List<DomElement> acted = new ArrayList<>();
  private List<Element> found;
  private Set<DomNode> above;

  void clear() {
    acted.clear();
  }

  List<Element> of(Page page) {
    found = new ArrayList<>();
    acted.clear();
    if (page instanceof HtmlPage html) {
      document(html, -1, "");
    } else if (page instanceof TextPage text) {
      add(null, -1, "android.widget.TextView", "/text", cut(text.getContent()), ENABLED);
    }
    return found;
  }

  private void document(HtmlPage page, int parent, String path) {
    if (page.getBody() == null) {
      return;
    }
    above = new HashSet<>();
    for (DomElement element : page.getBody().getDomElementDescendants()) {
      if (Roles.touchable(element) || element instanceof BaseFrameElement) {
        for (DomNode up = element.getParentNode(); up != null && above.add(up); up = up.getParentNode()) {
          // Each is marked once.
        }
      }
    }
    boolean delegated = Roles.listens(page) || Roles.listens(page.getDocumentElement()) || Roles.listensAsWindow(page);
    Set<DomNode> outer = above;
    walk(page.getBody(), parent, path + "/html/body", delegated || Roles.listens(page.getBody()));
    above = outer;
  }

  /** @param delegated whether an element above listens for clicks that are meant for those below */
  private void walk(DomElement from, int parent, String path, boolean delegated) {
    for (DomElement element : from.getChildElements()) {
      if (found.size() >= MOST || !Roles.shown(element)) {
        continue;
      }
      String here = path + "/" + element.getTagName().toLowerCase(java.util.Locale.ROOT);
      if (element instanceof BaseFrameElement frame) {
        if (frame.getEnclosedPage() instanceof HtmlPage inner) {
          Set<DomNode> outer = above;
          document(inner, parent, here);
          above = outer;
        }
        continue;
      }
      boolean touchable = Roles.touchable(element);
      boolean holds = above.contains(element);
      boolean listens = delegated || Roles.listens(element);
      int index = parent;
      boolean list = !Roles.own(element) && (holds || Roles.list(element));
      if (touchable && !list) {
        index = add(element, parent, Roles.kind(element), here, Roles.text(element), Roles.flags(element, true));
      } else if (!holds && says(element)) {
        String text = element instanceof HtmlImage image ? image.getAltAttribute() : cut(Roles.words(element));
        if (!text.isEmpty()) {
          // A list of many texts below one listener is many things to touch.
          boolean leaf = simple(element);
          if (leaf) {
            String kind = element instanceof HtmlImage ? "android.widget.Image" : "android.widget.TextView";
            add(element, parent, kind, here, text, Roles.flags(element, listens));
            continue;
          }
        }
      } else if (holds) {
        loose(element, parent, here, listens);
      }
      if (!touchable || holds || list) {
        walk(element, index, here, listens);
      }
    }
  }

  /** The text next to the elements that are to be touched. */
  private void loose(DomElement element, int parent, String path, boolean delegated) {
    StringBuilder text = new StringBuilder();
    for (DomNode child : element.getChildren()) {
      if (child instanceof DomText) {
        text.append(child.getTextContent()).append(' ');
      }
    }
    String words = cut(text.toString().strip().replaceAll("\\s+", " "));
    if (!words.isEmpty()) {
      add(element, parent, "android.widget.TextView", path + "/text()", words, Roles.flags(element, delegated));
    }
  }

  private static boolean says(DomElement element) {
    return element instanceof HtmlImage || !element.getTextContent().isBlank();
  }

  /** Whether an element is one visible text: it has text itself, or only such elements below. */
  private static boolean simple(DomElement element) {
    if (element instanceof HtmlImage) {
      return true;
    }
    for (DomNode child : element.getChildren()) {
      if (child instanceof DomText && !child.getTextContent().isBlank()) {
        return true;
      }
    }
    return false;
  }

  static String cut(String text) {
    return text.length() > LONGEST ? text.substring(0, LONGEST) : text;
  }

  private int add(DomElement element, int parent, String kind, String path, String text, int flags) {
    String id = element == null ? "" : element.getId();
    found.add(
        new Element(
            parent, kind, path, id == null ? "" : id, text, element == null ? "" : Roles.description(element, text),
            element == null ? "" : Roles.hint(element), flags, element == null ? 0 : Roles.inputType(element),
            element == null ? -1 : Roles.longest(element), null));
    acted.add(element);
    return found.size() - 1;
  }

  void act(int index, String kind, String text, Engine.Host host) throws IOException {
    DomElement element = index >= 0 && index < acted.size() ? acted.get(index) : null;
    if (element != null && element.getPage() instanceof HtmlPage && element.isAttachedToPage()) {
      Acts.act(element, kind, text, host);
    }
  }
}
