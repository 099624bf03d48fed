package droidtest.host.chromium;

import droidtest.host.Host;
import droidtest.host.Json;
import droidtest.sched.Apart;
import java.io.ByteArrayOutputStream;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * The connection to the one Chromium of this process: two named pipes, which the tool's side has made and holds open
 * for a Chromium of its own (it starts when we open them). Messages end with a zero byte. What blocks runs on threads
 * that take no turns with the app's.
 */
final class Pipe {
  /** Instead of a message: Chromium is gone. */
  static final Map<String, Object> END = Map.of();
  private static final int CHUNK = 1 << 16;
  /** A longer message is not a page's: the connection is given up. */
  private static final int LONGEST = 256 << 20;

  /** As many pairs of pipes there are, each for one start of Chromium. */
  private static final int STARTS = 8;

  private static Pipe open;
  private static int starts;

  /** Reads or writes, apart from the app's threads. */
  private static final class Worker extends Thread implements Apart {
    Worker(Runnable work, String name) {
      super(null, work, name);
      setDaemon(true);
    }
  }

  private final BlockingQueue<byte[]> unsent = new LinkedBlockingQueue<>();
  private final Map<Integer, BlockingQueue<Map<String, Object>>> asked = new ConcurrentHashMap<>();
  private final Map<String, BlockingQueue<Map<String, Object>>> sessions = new ConcurrentHashMap<>();
  private int last;
  private volatile boolean over;

  private Pipe(Path folder, int start) {
    String key = Host.wire().key();
    new Worker(() -> write(folder.resolve(key + "-in" + start)), "chromium writer").start();
    new Worker(() -> read(folder.resolve(key + "-out" + start)), "chromium reader").start();
  }

  /** The connection of this process; a new one, to a new Chromium, where the last one is over. */
  static synchronized Pipe of(Path folder) throws IOException {
    if (open == null || open.over) {
      if (starts == STARTS) {
        throw new IOException("Chromium has ended too often");
      }
      open = new Pipe(folder, ++starts);
    }
    return open;
  }

  boolean over() {
    return over;
  }

  /** @param inbox where this session's events go */
  void attach(String session, BlockingQueue<Map<String, Object>> inbox) {
    sessions.put(session, inbox);
    if (over) {
      inbox.add(END);
    }
  }

  void detach(String session) {
    sessions.remove(session);
  }

  /**
   * Sends a command.
   *
   * @param session null for the browser itself
   * @param inbox where the answer goes, null for none
   * @return the command's number
   */
  synchronized int send(String session, String method, Map<String, ?> params, BlockingQueue<Map<String, Object>> inbox) {
    int id = ++last;
    Map<String, Object> message = new LinkedHashMap<>();
    message.put("id", id);
    message.put("method", method);
    message.put("params", params);
    if (session != null) {
      message.put("sessionId", session);
    }
    if (inbox != null) {
      asked.put(id, inbox);
      if (over) {
        inbox.add(END);
      }
    }
    unsent.add((Message.write(message) + "\0").getBytes(StandardCharsets.UTF_8));
    return id;
  }

  private void write(Path fifo) {
    try (OutputStream out = new FileOutputStream(fifo.toFile())) {
      while (!over) {
        byte[] next = unsent.take();
        out.write(next);
        out.flush();
      }
    } catch (IOException e) {
      end();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      end();
    }
  }

  private void read(Path fifo) {
    try (InputStream in = new FileInputStream(fifo.toFile())) {
      ByteArrayOutputStream message = new ByteArrayOutputStream();
      byte[] chunk = new byte[CHUNK];
      for (int length = in.read(chunk); length >= 0; length = in.read(chunk)) {
        int from = 0;
        for (int i = 0; i < length; i++) {
          if (chunk[i] == 0) {
            message.write(chunk, from, i - from);
            from = i + 1;
            heard(message.toString(StandardCharsets.UTF_8));
            message.reset();
          }
        }
        message.write(chunk, from, length - from);
        if (message.size() > LONGEST) {
          break;
        }
      }
    } catch (IOException | RuntimeException e) {
      // Broken or not to be understood: as good as its end.
    } finally {
      end();
    }
  }

  @SuppressWarnings("unchecked")
  private void heard(String text) {
    if (!(Json.parse(text) instanceof Map<?, ?> map)) {
      return;
    }
    Map<String, Object> message = (Map<String, Object>) map;
    if (message.get("id") instanceof Long id) {
      BlockingQueue<Map<String, Object>> inbox = asked.remove(id.intValue());
      if (inbox != null) {
        inbox.add(message);
      }
      return;
    }
    Map<?, ?> info = Message.map(message.get("params"), "targetInfo");
    if ("Target.targetCreated".equals(message.get("method")) && !Message.text(info, "openerId").isEmpty()) {
      // A web view has one window: where it would lead is known from the page that opened it.
      send(null, "Target.closeTarget", Map.of("targetId", Message.text(info, "targetId")), null);
      return;
    }
    BlockingQueue<Map<String, Object>> inbox =
        message.get("sessionId") instanceof String session ? sessions.get(session) : null;
    if (inbox != null) {
      inbox.add(message);
    }
  }

  private void end() {
    over = true;
    asked.values().forEach(inbox -> inbox.add(END));
    sessions.values().forEach(inbox -> inbox.add(END));
    // Wakes the writer, which closes its pipe then.
    unsent.add(new byte[0]);
  }
}
