package droidtest.framework;

/**
 * The attributes of one XML element, as resource ids. Robolectric's parser reads them out of the file again, by objects of
 * their own, whenever one is requested; applying a style requests each of a hundred attributes one after the other.
 */
public final class Names {
  /** A parser that is at an element. */
  public interface Parser {
    /** How many attributes the element has; 0 if it is none. */
    int countAttributes();

    /** The resource id of an attribute's name, 0 if it has none. */
    int readNameId(int ix);
  }

  private final Object node;
  private final int event;
  private final int count;
  private final int[] ids;

  private Names(Object node, int event, Parser parser) {
    this.node = node;
    this.event = event;
    count = parser.countAttributes();
    ids = new int[count];
    for (int ix = 0; ix < ids.length; ix++) {
      ids[ix] = parser.readNameId(ix);
    }
  }

  /** What is known of the parser's place: what was known, where it still is there. */
  public static Names at(Object node, int event, Names known, Parser parser) {
    return known != null && known.node == node && known.event == event ? known : new Names(node, event, parser);
  }

  /** As {@link Parser#countAttributes}. */
  public int count() {
    return count;
  }

  /** As {@link Parser#readNameId}. */
  public int id(int ix) {
    return ix >= 0 && ix < ids.length ? ids[ix] : 0;
  }
}
