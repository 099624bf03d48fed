package twice;

/** The second dex file: definitions that Android ignores, and a class that was compiled against them. */
public class Other {
  public static Object make() {
    return new Shape();
  }

  public static String name() {
    return "other";
  }
}

class Shape {}

interface Report {
  interface Line {}
}
