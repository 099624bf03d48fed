import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.concurrent.ConcurrentHashMap;
import org.jacoco.core.data.ExecutionData;
import org.jacoco.core.data.ExecutionDataWriter;

/** Gives instrumented classes their probe arrays; writes what was hit to the file of the property {@code exec}. */
public final class Recorder {
  private static final ConcurrentHashMap<Long, ExecutionData> ALL = new ConcurrentHashMap<>();

  static {
    Runtime.getRuntime().addShutdownHook(new Thread(Recorder::write));
  }

  private Recorder() {}

  public static boolean[] of(long id, String name, int count) {
    return ALL.computeIfAbsent(id, key -> new ExecutionData(key, name, count)).getProbes();
  }

  private static void write() {
    try (OutputStream out = new FileOutputStream(System.getProperty("exec"))) {
      ExecutionDataWriter writer = new ExecutionDataWriter(out);
      for (ExecutionData each : ALL.values()) {
        if (each.hasHits()) {
          writer.visitClassExecution(each);
        }
      }
      writer.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
