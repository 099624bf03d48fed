package droidtest.app;

import java.io.FileDescriptor;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.WeakHashMap;

/** What {@link Posix} has opened, and how; the framework's own objects close their files themselves. */
final class Descriptors {
  /** One call of {@code open}. */
  private static final class Opened {
    final WeakReference<RandomAccessFile> file;
    final boolean reads;
    final boolean appends;
    final boolean folder;

    Opened(RandomAccessFile file, boolean reads, boolean appends, boolean folder) {
      this.file = new WeakReference<>(file);
      this.reads = reads;
      this.appends = appends;
      this.folder = folder;
    }
  }

  private static final Map<FileDescriptor, Opened> OPEN = new WeakHashMap<>();

  private Descriptors() {}

  /**
   * @param reads false where it was opened for writing only
   * @param appends it writes at the end, wherever it reads
   * @param folder it stands for a folder
   */
  static FileDescriptor opened(RandomAccessFile file, boolean reads, boolean appends, boolean folder) throws IOException {
    FileDescriptor descriptor = file.getFD();
    synchronized (OPEN) {
      OPEN.put(descriptor, new Opened(file, reads, appends, folder));
    }
    return descriptor;
  }

  /** The file to close; null if {@link Posix} did not open it. */
  static RandomAccessFile remove(FileDescriptor descriptor) {
    synchronized (OPEN) {
      Opened opened = OPEN.remove(descriptor);
      return opened == null ? null : opened.file.get();
    }
  }

  static boolean isFolder(FileDescriptor descriptor) {
    Opened opened = find(descriptor);
    return opened != null && opened.folder;
  }

  static boolean isReadable(FileDescriptor descriptor) {
    Opened opened = find(descriptor);
    return opened == null || opened.reads;
  }

  static boolean appends(FileDescriptor descriptor) {
    Opened opened = find(descriptor);
    return opened != null && opened.appends;
  }

  private static Opened find(FileDescriptor descriptor) {
    synchronized (OPEN) {
      return OPEN.get(descriptor);
    }
  }
}
