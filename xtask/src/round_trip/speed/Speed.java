import java.util.Random;
import org.apache.commons.codec.binary.Hex;
import org.apache.commons.codec.digest.MurmurHash3;
import org.apache.commons.codec.digest.XXHash32;
import org.apache.commons.codec.language.DoubleMetaphone;
import org.apache.commons.codec.language.Metaphone;
import org.apache.commons.collections4.list.TreeList;
import org.apache.commons.collections4.map.LRUMap;
import org.apache.commons.collections4.map.LinkedMap;
import org.locationtech.jts.geom.Coordinate;
import org.locationtech.jts.geom.Geometry;
import org.locationtech.jts.geom.GeometryFactory;

/** Work that keeps a processor busy with the code of libraries; prints the shortest of some rounds of each, in ms. */
public class Speed {
  private static final int ROUNDS = 12;
  /** Rounds until all of the code is compiled. */
  private static final int FIRST = 4;
  private static long sink;

  public static void main(String[] args) {
    measure("commons-codec", Speed::codec);
    measure("commons-collections4", Speed::collections);
    measure("jts-core", Speed::geometry);
    if (sink == 42) {
      System.err.println("the results are used");
    }
  }

  private static void measure(String name, Runnable work) {
    long best = Long.MAX_VALUE;
    for (int round = 0; round < ROUNDS; round++) {
      long start = System.nanoTime();
      for (int i = 0; i < 3; i++) {
        work.run();
      }
      long took = System.nanoTime() - start;
      if (round >= FIRST) {
        best = Math.min(best, took);
      }
    }
    System.out.println(name + " " + best / 1e6);
  }

  private static void codec() {
    byte[] bytes = new byte[3000];
    new Random(1).nextBytes(bytes);
    Metaphone one = new Metaphone();
    DoubleMetaphone two = new DoubleMetaphone();
    for (int i = 0; i < 300; i++) {
      String text = org.apache.commons.codec.binary.Base64.encodeBase64String(bytes);
      sink += org.apache.commons.codec.binary.Base64.decodeBase64(text).length;
      sink += Hex.encodeHex(bytes).length;
      sink += MurmurHash3.hash32x86(bytes);
      XXHash32 hash = new XXHash32();
      hash.update(bytes, 0, bytes.length);
      sink += hash.getValue();
      sink += one.metaphone("Schmidtberger").hashCode() + two.doubleMetaphone("Thumbelina").hashCode();
    }
  }

  private static void collections() {
    LinkedMap<Integer, Integer> linked = new LinkedMap<>();
    LRUMap<Integer, Integer> recent = new LRUMap<>(500);
    TreeList<Integer> list = new TreeList<>();
    Random random = new Random(2);
    for (int i = 0; i < 60_000; i++) {
      int key = random.nextInt(3000);
      linked.put(key, i);
      recent.put(key, i);
      list.add(list.isEmpty() ? 0 : random.nextInt(list.size()), key);
      if (list.size() > 2000) {
        list.remove(random.nextInt(list.size()));
      }
      if (i % 3 == 0) {
        linked.remove((Object) (key / 2));
      }
    }
    for (int each : list) {
      sink += each;
    }
    sink += linked.size() + recent.size();
  }

  private static void geometry() {
    GeometryFactory factory = new GeometryFactory();
    Random random = new Random(3);
    Geometry all = null;
    for (int i = 0; i < 60; i++) {
      Geometry circle = factory.createPoint(new Coordinate(random.nextInt(100), random.nextInt(100))).buffer(10);
      all = all == null ? circle : all.union(circle);
    }
    sink += all.getNumPoints() + (long) all.convexHull().getArea();
  }
}
