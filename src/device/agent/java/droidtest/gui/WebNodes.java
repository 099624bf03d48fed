package droidtest.gui;

import android.graphics.Rect;
import android.webkit.WebView;
import droidtest.host.Json;
import droidtest.host.web.Engine;
import java.util.List;

/** Writes the elements of a web view's page as nodes below the view's own. */
final class WebNodes {
  private static final int CLICKABLE = 1;
  private static final int EDITABLE = 1024;
  private static final int VISIBLE = 2048;
  private static final int VIRTUAL = 4096;
  private static final int CLICK = 1;

  private WebNodes() {}

  /** Where a page keeps what is written. */
  interface Page {
    /** The next node's index, after a comma where one is due. */
    int next();

    void add(int element, Rect visible);
  }

  /**
   * @param left where the view starts on the screen
   * @return whether any of them is there to be touched
   */
  static boolean write(StringBuilder json, Page page, WebView view, int index, int window, float left, float top, Rect clip) {
    WebTouch touch = Web.of(view).touch();
    List<Engine.Element> elements = touch.elements();
    int[] nodes = new int[elements.size()];
    boolean offers = false;
    for (int i = 0; i < nodes.length; i++) {
      Engine.Element element = elements.get(i);
      int[] place = touch.place(i);
      Rect visible = new Rect(place[0], place[1], place[2], place[3]);
      visible.offset(Math.round(left), Math.round(top));
      if (!visible.intersect(clip)) {
        visible.set(visible.left, visible.top, visible.left, visible.top);
      }
      nodes[i] = page.next();
      page.add(i, visible);
      int flags = element.flags() | VIRTUAL | (visible.isEmpty() ? 0 : VISIBLE);
      int parent = element.parent() < 0 ? index : nodes[element.parent()];
      json.append("{\"p\":").append(parent).append(",\"w\":").append(window);
      string(json, "c", element.kind());
      string(json, "vc", element.path());
      string(json, "i", element.id());
      string(json, "d", element.description());
      string(json, "t", element.text());
      string(json, "h", element.hint());
      if (element.inputType() != 0) {
        json.append(",\"it\":").append(element.inputType()).append(",\"ia\":0");
      }
      if (element.longest() >= 0) {
        json.append(",\"ml\":").append(element.longest());
      }
      json.append(",\"b\":[").append(visible.left).append(',').append(visible.top).append(',');
      json.append(visible.right).append(',').append(visible.bottom).append("],\"f\":").append(flags);
      if ((flags & CLICKABLE) != 0) {
        json.append(",\"l\":").append(CLICK);
      }
      json.append('}');
      offers |= (flags & VISIBLE) != 0 && (flags & (CLICKABLE | EDITABLE)) != 0;
    }
    return offers;
  }

  private static void string(StringBuilder json, String name, String value) {
    if (!value.isEmpty()) {
      json.append(",\"").append(name).append("\":");
      Json.text(json, value);
    }
  }
}
