package org.droidtest.hostile;

import static java.lang.invoke.MethodType.methodType;

import java.io.BufferedReader;
import java.io.FileInputStream;
import java.io.FileReader;
import java.io.InputStream;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Method;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.ProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** Attempts to get past the rewritten calls: by reflection, by method handles, by calls that nobody thought of. */
final class Around {
  private static final String SECRET = Aims.get("SECRET");
  private static final InetSocketAddress PORT = new InetSocketAddress("127.0.0.1", Integer.parseInt(Aims.get("PORT")));

  private Around() {}

  /** A path as Java makes it, wherever it leads. */
  static Path raw(String path) throws Exception {
    return (Path) Path.class.getMethod("of", String.class, String[].class).invoke(null, path, new String[0]);
  }

  private static Process started(String... command) throws Exception {
    return (Process) Runtime.class.getMethod("exec", String[].class).invoke(Runtime.getRuntime(), (Object) command);
  }

  static Escape.Attempt attempt(String name) {
    switch (name) {
      case "reflected_file": return () -> Escape.reads(raw(SECRET));
      case "reflected_stream": return () ->
          FileInputStream.class.getConstructor(String.class).newInstance(SECRET).read() == 's';
      case "reflected_link": return () -> Escape.reads(Files.createSymbolicLink(raw("reflected"), raw(SECRET)));
      case "reflected_root": return () -> Escape.reads(raw("/proc/self/root" + SECRET));
      case "reflected_exec": return () -> started("/bin/true").waitFor() == 0;
      case "reflected_session": return () -> started("/usr/bin/setsid", "-f", "/bin/true").waitFor() == 0;
      case "reflected_builder": return () -> {
        ProcessBuilder builder = new ProcessBuilder("/bin/true");
        return ((Process) ProcessBuilder.class.getMethod("start").invoke(builder)).waitFor() == 0;
      };
      case "reflected_loader": return () -> {
        try (Stream<Path> files = Files.list(raw("/lib64"))) {
          Path loader = files.filter(file -> file.getFileName().toString().startsWith("ld-linux")).findFirst().orElseThrow();
          return started(loader.toString(), "/bin/true").waitFor() == 0;
        }
      };
      case "reflected_channel": return () ->
          ((SocketChannel) SocketChannel.class.getMethod("open", SocketAddress.class).invoke(null, PORT)).isConnected();
      case "reflected_unix": return () ->
          ((SocketChannel) SocketChannel.class.getMethod("open", SocketAddress.class)
                  .invoke(null, UnixDomainSocketAddress.of(raw(Aims.get("SOCKET")))))
              .isConnected();
      case "reflected_datagram": return () -> {
        Method open = DatagramChannel.class.getMethod("open", ProtocolFamily.class);
        DatagramChannel channel = (DatagramChannel) open.invoke(null, StandardProtocolFamily.INET);
        return channel.send(ByteBuffer.wrap(new byte[] {1}), PORT) == 1;
      };
      case "reflected_environment": return () ->
          System.class.getMethod("getenv", String.class).invoke(null, "CARGO_MANIFEST_DIR") != null;
      case "handle_file": return () -> {
        MethodHandle of = MethodHandles.lookup().findStatic(Path.class, "of", methodType(Path.class, String.class, String[].class));
        return Escape.reads((Path) of.invoke(SECRET, new String[0]));
      };
      case "handle_stream": return () -> {
        MethodHandle open = MethodHandles.lookup().findConstructor(FileInputStream.class, methodType(void.class, String.class));
        try (InputStream in = (InputStream) open.invoke(SECRET)) {
          return in.read() == 's';
        }
      };
      case "handle_exec": return () -> {
        MethodHandle exec = MethodHandles.lookup().findVirtual(Runtime.class, "exec", methodType(Process.class, String.class));
        return ((Process) exec.invoke(Runtime.getRuntime(), "/bin/true")).waitFor() == 0;
      };
      case "environment": return () -> System.getenv("CARGO_MANIFEST_DIR") != null;
      case "file_reader": return () -> new BufferedReader(new FileReader(SECRET)).readLine().startsWith("secret");
      case "path_root": return () ->
          Escape.reads(Path.of("/sdcard").toAbsolutePath().getRoot().resolve(SECRET.substring(1)));
      case "path_resolved": return () -> Escape.reads(Path.of("/sdcard").resolve(SECRET));
      case "path_of_uri": return () -> Escape.reads(Path.of(java.net.URI.create("file://" + SECRET)));
      case "url_file": return () -> new java.net.URL("file:" + SECRET).openStream().read() == 's';
      case "native_library": return () -> {
        System.load(library());
        return true;
      };
      default: return null;
    }
  }

  /** A library that the machine has. */
  static String library() throws Exception {
    for (String folder : new String[] {"/lib/x86_64-linux-gnu", "/lib/aarch64-linux-gnu", "/usr/lib64", "/lib64", "/usr/lib"}) {
      Path file = raw(folder + "/libm.so.6");
      if (Files.exists(file)) {
        return file.toString();
      }
    }
    throw new IllegalStateException("this machine's libraries lie elsewhere");
  }
}
