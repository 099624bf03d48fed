package org.droidtest.hostile;

import java.io.File;
import java.io.RandomAccessFile;
import java.net.DatagramSocket;
import java.net.DatagramPacket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.FileChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Collections;
import java.util.stream.Stream;

/**
 * Attempts to leave a sandbox, by plain Java: as a program of its own what an app could do that had got past every
 * rewritten call, and as a part of the app what it tries first. Prints "escaped" or what held it.
 */
public final class Escape {
  /** The host's: a file to read, a folder that the sandbox may read, a port of TCP and UDP, a socket, a process. */
  private static final Path SECRET = Path.of(Aims.get("SECRET"));
  private static final Path READABLE = Path.of(Aims.get("READABLE"));
  private static final int PORT = Integer.parseInt(Aims.get("PORT"));
  private static final Path SOCKET = Path.of(Aims.get("SOCKET"));
  private static final long VICTIM = Long.parseLong(Aims.get("VICTIM"));
  private static final long HOST = Long.parseLong(Aims.get("HOST"));

  interface Attempt {
    boolean escapes() throws Throwable;
  }

  public static void main(String[] args) {
    System.out.println(outcome(() -> attempt(args[0]).escapes()));
    System.out.flush();
    Runtime.getRuntime().halt(0);
  }

  static String outcome(Attempt attempt) {
    try {
      return attempt.escapes() ? "escaped" : "held";
    } catch (Throwable e) {
      return "held: " + e;
    }
  }

  static boolean reads(Path file) throws Exception {
    return Files.readString(file).startsWith("secret");
  }

  static Attempt attempt(String name) {
    switch (name) {
      case "file": return () -> reads(SECRET);
      case "file_channel": return () -> FileChannel.open(SECRET).size() > 0;
      case "file_random": return () -> new RandomAccessFile(SECRET.toFile(), "r").read() == 's';
      case "file_exists": return () -> Files.exists(SECRET);
      case "file_listed": return () -> SECRET.getParent().toFile().list().length > 0;
      case "file_overwritten": return () -> Files.writeString(SECRET, "secret, but mine") != null;
      case "file_created_beside": return () -> Files.writeString(SECRET.resolveSibling("made"), "x") != null;
      case "file_deleted": return () -> Files.deleteIfExists(SECRET);
      case "link": return () -> reads(Files.createSymbolicLink(Path.of("link"), SECRET));
      case "link_chain": return () -> {
        Files.createSymbolicLink(Path.of("first"), SECRET.getParent());
        return reads(Path.of("first").resolve(SECRET.getFileName()));
      };
      case "hard_link": return () -> reads(Files.createLink(Path.of("hard"), SECRET));
      case "dots": return () -> {
        StringBuilder up = new StringBuilder();
        for (int i = 0; i < 40; i++) {
          up.append("../");
        }
        return reads(Path.of(up + SECRET.toString().substring(1)));
      };
      case "proc_root": return () -> reads(Path.of("/proc/self/root" + SECRET));
      case "proc_cwd": return () -> reads(Path.of("/proc/self/cwd/../../../../../../../.." + SECRET));
      case "proc_parent_root": return () -> reads(Path.of("/proc/" + HOST + "/root" + SECRET));
      case "proc_environment": return () -> Files.readAllBytes(Path.of("/proc/" + HOST + "/environ")).length > 0;
      case "proc_command_line": return () -> Files.readAllBytes(Path.of("/proc/" + HOST + "/cmdline")).length > 0;
      case "proc_memory": return () -> new RandomAccessFile("/proc/" + HOST + "/mem", "r") != null;
      case "proc_descriptors": return () -> new File("/proc/" + HOST + "/fd").list().length > 0;
      case "read_only_created": return () -> Files.writeString(READABLE.resolve("made"), "x") != null;
      case "read_only_overwritten": return () -> Files.writeString(READABLE.resolve("data"), "mine") != null;
      case "read_only_appended": return () -> Files.writeString(READABLE.resolve("data"), "x", StandardOpenOption.APPEND) != null;
      case "read_only_moved": return () -> Files.move(READABLE.resolve("data"), READABLE.resolve("moved"), StandardCopyOption.ATOMIC_MOVE) != null;
      case "read_only_mode": return () -> Files.setPosixFilePermissions(READABLE.resolve("data"), PosixFilePermissions.fromString("rwxrwxrwx")) != null;
      case "read_only_link": return () -> Files.createLink(Path.of("mine"), READABLE.resolve("data")) != null;
      case "tcp": return () -> {
        new Socket("127.0.0.1", PORT).close();
        return true;
      };
      case "tcp_channel": return () -> SocketChannel.open(new InetSocketAddress("127.0.0.1", PORT)).isConnected();
      case "tcp_six": return () -> SocketChannel.open(new InetSocketAddress("::ffff:127.0.0.1", PORT)).isConnected();
      case "udp": return () -> {
        DatagramSocket socket = new DatagramSocket();
        socket.send(new DatagramPacket(new byte[] {1}, 1, InetAddress.getByName("127.0.0.1"), PORT));
        return true;
      };
      case "udp_channel": return () ->
          DatagramChannel.open(StandardProtocolFamily.INET).send(ByteBuffer.wrap(new byte[] {1}), new InetSocketAddress("127.0.0.1", PORT)) == 1;
      case "unix_socket": return () -> SocketChannel.open(UnixDomainSocketAddress.of(SOCKET)).isConnected();
      case "interfaces": return () -> {
        for (NetworkInterface each : Collections.list(NetworkInterface.getNetworkInterfaces())) {
          if (each.isUp()) {
            return true;
          }
        }
        return false;
      };
      case "exec": return () -> new ProcessBuilder("/bin/true").start().waitFor() == 0;
      case "exec_shell": return () -> Runtime.getRuntime().exec(new String[] {"/bin/sh", "-c", "exit 0"}).waitFor() == 0;
      case "exec_loader": return () -> {
        try (Stream<Path> files = Files.list(Path.of("/lib64"))) {
          Path loader = files.filter(file -> file.getFileName().toString().startsWith("ld-linux")).findFirst().orElseThrow();
          return new ProcessBuilder(loader.toString(), "/bin/true").start().waitFor() == 0;
        }
      };
      case "exec_own": return () -> {
        Path mine = Files.copy(Path.of("/bin/true"), Path.of("program"));
        mine.toFile().setExecutable(true);
        return new ProcessBuilder(mine.toAbsolutePath().toString()).start().waitFor() == 0;
      };
      case "process_seen": return () -> ProcessHandle.of(HOST).isPresent();
      case "processes_seen": return () -> ProcessHandle.allProcesses().count() > 1;
      case "process_killed": return () -> ProcessHandle.of(VICTIM).orElseThrow().destroyForcibly();
      case "large_file": return () -> {
        new RandomAccessFile("large", "rw").setLength(2L << 30);
        return true;
      };
      case "device_files": return () -> new File("/dev/pts").list() != null || Files.exists(Path.of("/dev/tty"));
      case "system_files": return () -> new File("/sys/class").list().length > 0;
      case "mounts_of_the_host": return () -> new File("/home").exists() || new File("/var").exists();
      case "host_name": return () -> !Files.readString(Path.of("/proc/sys/kernel/hostname")).trim().equals("localhost");
      case "watchers": return () -> {
        // A user has 128 for all programs.
        for (int count = 0; count < 32; count++) {
          FileSystems.getDefault().newWatchService();
        }
        return true;
      };
      case "port_taken": return () -> {
        try (ServerSocket ignored = new ServerSocket(PORT)) {
          // Free here: this is another network.
          return false;
        } catch (java.net.BindException e) {
          return true;
        }
      };
      default: return null;
    }
  }
}
