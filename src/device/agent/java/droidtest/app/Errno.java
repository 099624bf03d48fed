package droidtest.app;

import android.system.ErrnoException;
import android.system.OsConstants;
import java.io.FileDescriptor;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.Map;

/** The numbers of errors that system calls end with. */
final class Errno {
  /** Ends of the messages of the machine, which Java gives no numbers. */
  private static final Map<String, Integer> ERRORS =
      Map.of(
          "Bad file descriptor", OsConstants.EBADF, "Stream Closed", OsConstants.EBADF,
          "Permission denied", OsConstants.EACCES, "No space left on device", OsConstants.ENOSPC,
          "Broken pipe", OsConstants.EPIPE, "Is a directory", OsConstants.EISDIR,
          "Directory not empty", OsConstants.ENOTEMPTY, "Not a directory", OsConstants.ENOTDIR,
          "Invalid argument", OsConstants.EINVAL, "Illegal seek", OsConstants.ESPIPE);

  /** What a system call does. */
  interface Call<T> {
    T run() throws IOException;
  }

  private Errno() {}

  static void valid(String name, FileDescriptor file) throws ErrnoException {
    if (file == null || !file.valid()) {
      throw new ErrnoException(name, OsConstants.EBADF);
    }
  }

  static void positive(String name, long argument) throws ErrnoException {
    if (argument < 0) {
      throw new ErrnoException(name, OsConstants.EINVAL);
    }
  }

  static <T> T call(String name, Call<T> call) throws ErrnoException {
    // An interrupted thread may use files; Java's channels would close them.
    boolean interrupted = Thread.interrupted();
    try {
      return call.run();
    } catch (AccessDeniedException e) {
      throw new ErrnoException(name, OsConstants.EACCES, e);
    } catch (FileAlreadyExistsException e) {
      throw new ErrnoException(name, OsConstants.EEXIST, e);
    } catch (NoSuchFileException e) {
      throw new ErrnoException(name, OsConstants.ENOENT, e);
    } catch (DirectoryNotEmptyException e) {
      throw new ErrnoException(name, OsConstants.ENOTEMPTY, e);
    } catch (IOException e) {
      String message = String.valueOf(e.getMessage());
      for (Map.Entry<String, Integer> error : ERRORS.entrySet()) {
        if (message.contains(error.getKey())) {
          throw new ErrnoException(name, error.getValue(), e);
        }
      }
      throw new ErrnoException(name, OsConstants.EIO, e);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
