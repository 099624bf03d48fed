package twice;

/** The first dex file: what Android loads of the two definitions of Shape and of Report. */
public class Main {
  public static void main(String[] args) throws Exception {
    System.out.println(Report.text());
    System.out.println(Shape.class.isInterface());
    try {
      Class.forName("twice.Other").getMethod("make").invoke(null);
    } catch (java.lang.reflect.InvocationTargetException e) {
      System.out.println(e.getCause().getClass().getSimpleName());
    }
    System.out.println(Class.forName("twice.Other").getMethod("name").invoke(null));
    System.out.println(Class.forName("twice.Report$Line").getModifiers());
    System.out.println(Report.class.getDeclaredClasses().length);
  }
}

interface Shape {}

class Report {
  static class Line {
    int number = 4;
  }

  static String text() {
    return "first " + new Line().number;
  }
}
