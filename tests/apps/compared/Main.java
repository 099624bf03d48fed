package compared;

/** Comparisons with zero on the left, as D8 leaves them in debug builds; prints what they say. */
public class Main {
  static int same(int n) {
    return n;
  }

  static String of(int n) {
    int zero = 0;
    int last = same(n);
    StringBuilder said = new StringBuilder();
    said.append(zero < last ? '<' : ' ');
    said.append(zero <= last ? 'l' : ' ');
    said.append(zero > last ? '>' : ' ');
    said.append(zero >= last ? 'g' : ' ');
    said.append(zero == last ? '=' : ' ');
    return said.toString();
  }

  public static void main(String[] args) {
    for (int n = -1; n <= 1; n++) {
      System.out.println("0" + of(n).replace(" ", "") + n);
    }
  }
}
