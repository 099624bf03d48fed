package droidtest.app;

import android.system.ErrnoException;
import android.system.OsConstants;
import android.system.StructStat;
import droidtest.host.box.Paths;
import java.io.File;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.function.Function;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.annotation.RealObject;
import org.robolectric.shadow.api.Shadow;
import org.robolectric.shadows.ShadowBlockGuardOs;
import org.robolectric.shadows.ShadowLinux;
import org.robolectric.util.ReflectionHelpers;

/** The system calls of {@code android.system.Os} that work on files; Robolectric's natives do nothing. */
@Implements(className = "libcore.io.Linux", isInAndroidSdk = false)
public class Posix extends ShadowLinux {
  /** A descriptor keeps its streams, so these are there as long as it is. */
  private static final Map<FileDescriptor, WeakReference<FileInputStream>> IN = new WeakHashMap<>();
  private static final Map<FileDescriptor, WeakReference<FileOutputStream>> OUT = new WeakHashMap<>();

  @Override
  @Implementation
  protected FileDescriptor open(String path, int flags, int mode) throws ErrnoException {
    File file = file(path);
    boolean reads = (flags & OsConstants.O_ACCMODE) != OsConstants.O_WRONLY;
    boolean writes = (flags & OsConstants.O_ACCMODE) != OsConstants.O_RDONLY;
    boolean creates = (flags & OsConstants.O_CREAT) != 0;
    // A link to nothing exists, too.
    boolean link = Files.isSymbolicLink(file.toPath());
    if (creates && (flags & OsConstants.O_EXCL) != 0 && (link || file.exists())) {
      throw new ErrnoException("open", OsConstants.EEXIST);
    }
    if (link && (flags & OsConstants.O_NOFOLLOW) != 0) {
      throw new ErrnoException("open", OsConstants.ELOOP);
    }
    if (file.isDirectory()) {
      if (writes || creates) {
        throw new ErrnoException("open", OsConstants.EISDIR);
      }
      return folder();
    }
    if (!file.exists() && !(creates && file.getAbsoluteFile().getParentFile().isDirectory())) {
      throw new ErrnoException("open", OsConstants.ENOENT);
    }
    return Errno.call(
        "open",
        () -> {
          if (creates) {
            file.createNewFile();
          }
          RandomAccessFile opened = new RandomAccessFile(file, writes ? "rw" : "r");
          if (writes && (flags & OsConstants.O_TRUNC) != 0) {
            opened.setLength(0);
          }
          return Descriptors.opened(opened, reads, (flags & OsConstants.O_APPEND) != 0, false);
        });
  }

  /**
   * Java opens no folders. A program opens one to {@code fsync} or {@code fstat} it, so the descriptor is that of an empty
   * file without a name, which is known as the folder's.
   */
  private static FileDescriptor folder() throws ErrnoException {
    return Errno.call(
        "open",
        () -> {
          File empty = File.createTempFile("folder", null);
          RandomAccessFile opened = new RandomAccessFile(empty, "r");
          empty.delete();
          return Descriptors.opened(opened, true, false, true);
        });
  }

  @Implementation
  protected void close(FileDescriptor file) throws ErrnoException {
    Errno.valid("close", file);
    RandomAccessFile known = Descriptors.remove(file);
    if (known != null) {
      Errno.call("close", () -> {
        known.close();
        return null;
      });
    }
  }

  @Override
  @Implementation
  protected StructStat fstat(FileDescriptor file) throws ErrnoException {
    Errno.valid("fstat", file);
    if (Descriptors.isFolder(file)) {
      return new StructStat(0, 0, OsConstants.S_IFDIR | 0700, 2, getuid(), getuid(), 0, 4096, 0, 0, 0, 4096, 8);
    }
    long size = Errno.call("fstat", () -> in(file).size());
    int user = getuid();
    return new StructStat(0, 0, OsConstants.S_IFREG | 0600, 1, user, user, 0, size, 0, 0, 0, 4096, (size + 511) / 512);
  }

  @Implementation
  protected int read(FileDescriptor file, ByteBuffer buffer) throws ErrnoException {
    readable("read", file);
    return transfer("read", () -> in(file).read(buffer), file);
  }

  @Implementation
  protected int read(FileDescriptor file, byte[] bytes, int offset, int count) throws ErrnoException {
    return read(file, ByteBuffer.wrap(bytes, offset, count));
  }

  @Implementation
  protected int readv(FileDescriptor file, Object[] buffers, int[] offsets, int[] counts) throws ErrnoException {
    int sum = 0;
    for (int i = 0; i < buffers.length; i++) {
      int done = read(file, part(buffers[i], offsets[i], counts[i]));
      sum += done;
      if (done < counts[i]) {
        break;
      }
    }
    return sum;
  }

  @Implementation
  protected int pread(FileDescriptor file, ByteBuffer buffer, long at) throws ErrnoException {
    Errno.positive("pread", at);
    readable("pread", file);
    return transfer("pread", () -> in(file).read(buffer, at), file);
  }

  @Override
  @Implementation
  protected int pread(FileDescriptor file, byte[] bytes, int offset, int count, long at) throws ErrnoException {
    return pread(file, ByteBuffer.wrap(bytes, offset, count), at);
  }

  @Implementation
  protected int write(FileDescriptor file, ByteBuffer buffer) throws ErrnoException {
    return transfer(
        "write",
        () -> {
          FileChannel channel = out(file);
          if (Descriptors.appends(file)) {
            channel.position(channel.size());
          }
          return channel.write(buffer);
        },
        file);
  }

  @Implementation
  protected int write(FileDescriptor file, byte[] bytes, int offset, int count) throws ErrnoException {
    return write(file, ByteBuffer.wrap(bytes, offset, count));
  }

  @Implementation
  protected int writev(FileDescriptor file, Object[] buffers, int[] offsets, int[] counts) throws ErrnoException {
    int sum = 0;
    for (int i = 0; i < buffers.length; i++) {
      sum += write(file, part(buffers[i], offsets[i], counts[i]));
    }
    return sum;
  }

  @Implementation
  protected int pwrite(FileDescriptor file, ByteBuffer buffer, long at) throws ErrnoException {
    Errno.positive("pwrite", at);
    return transfer("pwrite", () -> out(file).write(buffer, at), file);
  }

  @Implementation
  protected int pwrite(FileDescriptor file, byte[] bytes, int offset, int count, long at) throws ErrnoException {
    return pwrite(file, ByteBuffer.wrap(bytes, offset, count), at);
  }

  @Implementation
  protected long lseek(FileDescriptor file, long offset, int whence) throws ErrnoException {
    Errno.valid("lseek", file);
    if (whence < OsConstants.SEEK_SET || whence > OsConstants.SEEK_END) {
      throw new ErrnoException("lseek", OsConstants.EINVAL);
    }
    long to =
        Errno.call(
            "lseek",
            () -> {
              FileChannel channel = in(file);
              if (whence == OsConstants.SEEK_SET) {
                return offset;
              }
              return offset + (whence == OsConstants.SEEK_CUR ? channel.position() : channel.size());
            });
    Errno.positive("lseek", to);
    return Errno.call("lseek", () -> in(file).position(to).position());
  }

  @Implementation
  protected void ftruncate(FileDescriptor file, long length) throws ErrnoException {
    Errno.valid("ftruncate", file);
    Errno.positive("ftruncate", length);
    Errno.call(
        "ftruncate",
        () -> {
          FileChannel channel = out(file);
          if (channel.size() > length) {
            long position = channel.position();
            channel.truncate(length).position(position);
          }
          extend(channel, length);
          return null;
        });
  }

  @Implementation
  protected void posix_fallocate(FileDescriptor file, long offset, long length) throws ErrnoException {
    Errno.valid("posix_fallocate", file);
    Errno.positive("posix_fallocate", Math.min(offset, length));
    Errno.call(
        "posix_fallocate",
        () -> {
          extend(out(file), offset + length);
          return null;
        });
  }

  /** Nobody takes the power from this device. */
  @Implementation
  protected void fsync(FileDescriptor file) throws ErrnoException {
    Errno.valid("fsync", file);
  }

  @Implementation
  protected void fdatasync(FileDescriptor file) throws ErrnoException {
    Errno.valid("fdatasync", file);
  }

  @Implementation
  protected boolean access(String path, int mode) throws ErrnoException {
    File file = file(path);
    if (!file.exists()) {
      throw new ErrnoException("access", OsConstants.ENOENT);
    }
    if ((mode & OsConstants.R_OK) != 0 && !file.canRead()
        || (mode & OsConstants.W_OK) != 0 && !file.canWrite()
        || (mode & OsConstants.X_OK) != 0 && !file.canExecute()) {
      throw new ErrnoException("access", OsConstants.EACCES);
    }
    return true;
  }

  @Implementation
  protected void remove(String path) throws ErrnoException {
    Errno.call("remove", () -> {
      Files.delete(file(path).toPath());
      return null;
    });
  }

  @Implementation
  protected void unlink(String path) throws ErrnoException {
    // A link to a folder is not one.
    if (Files.isDirectory(file(path).toPath(), LinkOption.NOFOLLOW_LINKS)) {
      throw new ErrnoException("unlink", OsConstants.EISDIR);
    }
    Errno.call("unlink", () -> {
      Files.delete(file(path).toPath());
      return null;
    });
  }

  @Implementation
  protected void rename(String from, String to) throws ErrnoException {
    Errno.call(
        "rename",
        () -> Files.move(file(from).toPath(), file(to).toPath(), StandardCopyOption.ATOMIC_MOVE));
  }

  @Implementation
  protected int getpid() {
    return android.os.Process.myPid();
  }

  @Implementation
  protected int gettid() {
    return android.os.Process.myTid();
  }

  @Implementation
  protected int getuid() {
    return android.os.Process.myUid();
  }

  /** Also for calls by reflection, whose paths the translator does not lead into the device's folder. */
  private static File file(String path) {
    return new File(Paths.useName(path));
  }

  private static void extend(FileChannel channel, long length) throws IOException {
    if (channel.size() < length) {
      channel.write(ByteBuffer.allocate(1), length - 1);
    }
  }

  private static ByteBuffer part(Object buffer, int offset, int count) {
    if (buffer instanceof byte[]) {
      return ByteBuffer.wrap((byte[]) buffer, offset, count);
    }
    ByteBuffer part = ((ByteBuffer) buffer).duplicate();
    part.position(offset).limit(offset + count);
    return part;
  }

  private static FileChannel in(FileDescriptor file) {
    return stream(IN, file, FileInputStream::new).getChannel();
  }

  private static FileChannel out(FileDescriptor file) {
    return stream(OUT, file, FileOutputStream::new).getChannel();
  }

  private static <T> T stream(
      Map<FileDescriptor, WeakReference<T>> streams, FileDescriptor file, Function<FileDescriptor, T> make) {
    synchronized (streams) {
      WeakReference<T> known = streams.get(file);
      T stream = known == null ? null : known.get();
      if (stream == null) {
        stream = make.apply(file);
        streams.put(file, new WeakReference<>(stream));
      }
      return stream;
    }
  }

  private static void readable(String name, FileDescriptor file) throws ErrnoException {
    if (Descriptors.isFolder(file)) {
      throw new ErrnoException(name, OsConstants.EISDIR);
    }
    if (!Descriptors.isReadable(file)) {
      throw new ErrnoException(name, OsConstants.EBADF);
    }
  }

  /** At the end of a file the system's count is zero, Java's is less. */
  private static int transfer(String name, Errno.Call<Integer> call, FileDescriptor file) throws ErrnoException {
    Errno.valid(name, file);
    return Math.max(0, Errno.call(name, call));
  }

  /** What looks at the thread's policy before a call; it does not find Android's fields of a descriptor. */
  @Implements(className = "libcore.io.BlockGuardOs", isInAndroidSdk = false)
  public static class Guard extends ShadowBlockGuardOs {
    @RealObject private Object real;

    @Override
    @Implementation
    protected void close(FileDescriptor file) throws ErrnoException {
      Object system = ReflectionHelpers.getField(real, "os");
      ((Posix) Shadow.extract(system)).close(file);
    }
  }
}
