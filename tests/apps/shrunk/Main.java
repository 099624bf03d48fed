package shrunk;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.reflect.Constructor;
import java.util.ArrayList;
import java.util.List;

/** What R8 writes and a class file may not hold; prints what came of it. */
public class Main {
  static class Base {
    final String name;

    Base(String name) {
      this.name = name;
    }
  }

  static class Middle extends Base {
    Middle(String name) {
      super(name);
    }
  }

  /** Its constructor and that of its superclass do nothing else: R8 calls that of Base. */
  static class Leaf extends Middle {
    Leaf(String name) {
      super(name);
    }

    String greet() {
      return "leaf " + name;
    }
  }

  static final class Plain {
    int value = 7;
  }

  interface Top {
    default String hello() {
      return "top";
    }
  }

  interface Below extends Top {}

  static class Greeter implements Below {
    @Override
    public String hello() {
      return "greeter above " + Below.super.hello();
    }
  }

  enum Size {
    SMALL, LARGE
  }

  @Retention(RetentionPolicy.RUNTIME)
  @interface Sized {
    Size value();
  }

  @Sized(Size.LARGE)
  static class Box {}

  public static void main(String[] args) {
    List<Leaf> leaves = new ArrayList<>();
    Leaf last = null;
    for (int i = 0; i < 3; i++) {
      Leaf next = new Leaf("n" + i);
      if (last == null || i % 2 == 0) {
        last = next;
      }
      leaves.add(next);
    }
    for (Leaf each : leaves) {
      System.out.println(each.greet());
    }
    System.out.println(last.greet() + " " + new Plain().value);
    System.out.println(new Greeter().hello());
    System.out.println("size " + Box.class.getAnnotation(Sized.class).value().name());
    for (Constructor<?> each : Leaf.class.getDeclaredConstructors()) {
      System.out.println("constructor of " + each.getParameterCount());
    }
  }
}
