package droidtest.host.web;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What runs the pages of one web view. An engine lives in a class loader of its own: what crosses this border are the
 * interfaces and records of this package and classes of Java itself. Calls come from one thread at a time, an engine thread.
 */
public interface Engine {
  /** The browser's name. Without a word of Android in it, hybrid frameworks take the page for one on a desk. */
  String AGENT =
      "Mozilla/5.0 (Linux; Android 14; Device Build/UP1A; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0"
          + " Chrome/120.0.0.0 Mobile Safari/537.36";

  /** What an engine asks the device for, on its own thread. */
  interface Host {
    /** What is at this address; null when only a network could tell, and there is one. */
    Answer fetch(String url, String method, Map<String, String> headers) throws IOException;

    /** A page is left for another one, or, with {@code history:N}, by so many steps of the history. */
    void navigate(String url, String method);

    /** {@code alert}, {@code confirm} or {@code prompt}: null when it was declined. */
    String dialog(String kind, String url, String message, String initial);

    /** A list to choose from, such as a select element's: the choice's index, -1 for none. */
    int choose(List<String> options, int chosen);

    /** A message of the page's scripts; {@code level} as in {@code console}, {@code uncaught} for an error. */
    void console(String level, String message, String source, int line);

    /** Calls a method of an object that the app has put into its pages. */
    Object call(String object, String method, Object[] arguments);
  }

  /** What an address holds. */
  record Answer(int status, String reason, String type, String charset, byte[] body, Map<String, String> headers) {}

  /**
   * An element of a page that a person would see or touch.
   *
   * @param parent index of the element above it, -1 for the page
   * @param kind class by role, as Chromium's accessibility names it
   * @param path canonical XPath, repeated siblings without their index
   * @param flags the protocol's flags of nodes
   * @param longest most characters it takes, -1 for any number
   * @param box left, top, right and bottom in the view, in pixels; null if the engine has no layout
   */
  record Element(
      int parent, String kind, String path, String id, String text, String description, String hint, int flags,
      int inputType, int longest, int[] box) {}

  /**
   * How the next page is to be loaded.
   *
   * @param universal whether pages of files may read what other sites have
   * @param width of the view, in pixels, as its height
   * @param density pixels for each dp
   */
  record Setting(
      boolean scripts, boolean universal, String agent, int width, int height, float density, Map<String, Set<String>> objects) {}

  /** Whether it reads the JavaScript of today: what it cannot read is the page's fault then. */
  default boolean modern() {
    return false;
  }

  /** The view has another size, in pixels. */
  default void size(int width, int height) throws IOException {}

  /** Scrolls what is at this place of the view, by so many pixels. */
  default void scroll(int x, int y, int dx, int dy) throws IOException {}

  /**
   * How far the page is scrolled down, how far it can be, and how high it is, in pixels, as of the elements given last;
   * null if the engine has no layout.
   */
  default int[] extent() {
    return null;
  }

  /** Shows a page: its content, or, with no body, what the network has at this address. */
  void load(String url, Answer page, Setting setting) throws IOException;

  /** Runs a script in the page, and gives its result as JSON. */
  String script(String source);

  /** Moves to another place of the page, which was there before: Back, or forward. */
  void place(String url);

  /** Whether the page's address was changed last without a new place in the history. */
  default boolean replaced() {
    return false;
  }

  /** A touch or a text for one of the elements given last: {@code click}, {@code long}, {@code text}, {@code enter}. */
  void act(int element, String kind, String text) throws IOException;

  /** When the page's first timer is due, on the device's clock; -1 when there is none. */
  long due();

  /** Runs the timers that are due. */
  void timers();

  /** What the page shows, in its order. */
  List<Element> elements();

  /** What the page looks like, as a PNG of the view's size; null if the engine does not paint. */
  default byte[] picture() throws IOException {
    return null;
  }

  String url();

  String title();

  void close();
}
