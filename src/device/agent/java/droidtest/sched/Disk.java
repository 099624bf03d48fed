package droidtest.sched;

import java.io.File;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * What a file system gives back differently in every run: the order of a folder's entries, and dates of the machine's
 * clock. A file that was written gets the virtual date of the first look at it; nanoseconds that no app sees mark it.
 */
public final class Disk {
  /** Nanoseconds below a millisecond of each date that was set here. */
  private static final int MARK = 271_828;

  private static volatile Path[] device;

  private Disk() {}

  /** @param folders files below them get virtual dates */
  public static void below(Path... folders) {
    Path[] all = new Path[folders.length];
    for (int ix = 0; ix < all.length; ix++) {
      all[ix] = folders[ix].toAbsolutePath().normalize();
    }
    device = all;
  }

  /** Before the dates of a file are read. */
  public static void dated(File file) {
    if (device != null) {
      dated(file.toPath());
    }
  }

  /** Before the dates of a file are read. */
  public static void dated(Path path) {
    if (ours(path) && Scheduler.self() != null && !Scheduler.over()) {
      change(path, Scheduler.wall(), false);
    }
  }

  /** After an app has set the date of a file: it is kept. */
  public static void signed(File file) {
    if (device != null) {
      signed(file.toPath());
    }
  }

  /** After an app has set the date of a file: it is kept. */
  public static void signed(Path path) {
    if (ours(path)) {
      change(path, 0, true);
    }
  }

  private static boolean ours(Path path) {
    Path[] folders = device;
    if (folders == null) {
      return false;
    }
    for (Path folder : folders) {
      if (path.getFileSystem() == folder.getFileSystem() && path.toAbsolutePath().startsWith(folder)) {
        return true;
      }
    }
    return false;
  }

  /** Sets the date, or marks the one it has. */
  private static void change(Path path, long ms, boolean keep) {
    try {
      // Not by java.nio.file.Files, whose methods call this.
      BasicFileAttributeView view =
          path.getFileSystem().provider()
              .getFileAttributeView(path, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
      BasicFileAttributes now = view.readAttributes();
      FileTime date = now.lastModifiedTime();
      if (now.isSymbolicLink() || date.to(TimeUnit.NANOSECONDS) % 1_000_000 == MARK) {
        return;
      }
      long marked = (keep ? date.toMillis() : ms) * 1_000_000 + MARK;
      FileTime virtual = FileTime.from(marked, TimeUnit.NANOSECONDS);
      view.setTimes(virtual, virtual, virtual);
    } catch (IOException | RuntimeException e) {
      // It is not there, or not ours to change: it has the date it has.
    }
  }

  /** Names of a folder's entries, or null, in the order of their characters. */
  public static String[] sorted(String[] names) {
    if (names != null) {
      Arrays.sort(names);
    }
    return names;
  }

  /** The same for a stream of entries, which are read when they are requested first. */
  public static DirectoryStream<Path> sorted(DirectoryStream<Path> entries) {
    return device == null ? entries : new Sorted(entries);
  }

  private static final class Sorted implements DirectoryStream<Path> {
    private final DirectoryStream<Path> entries;

    Sorted(DirectoryStream<Path> entries) {
      this.entries = entries;
    }

    @Override
    public Iterator<Path> iterator() {
      List<Path> all = new ArrayList<>();
      for (Path entry : entries) {
        all.add(entry);
      }
      all.sort(Comparator.naturalOrder());
      Iterator<Path> each = all.iterator();
      return new Iterator<>() {
        @Override
        public boolean hasNext() {
          return each.hasNext();
        }

        @Override
        public Path next() {
          return each.next();
        }
      };
    }

    @Override
    public void close() throws IOException {
      entries.close();
    }
  }
}
