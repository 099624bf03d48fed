package org.droidtest.probe;

import android.content.res.Resources;
import android.database.sqlite.SQLiteDatabase;
import android.os.Process;
import android.text.InputType;
import android.util.TypedValue;
import android.widget.EditText;
import java.io.File;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URL;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;

/**
 * Tries what an app must not do to its host. The result says "ALLOWED" and what was had, or
 * "refused" and the exception.
 */
public final class ConfineActivity extends Screen {
    private static final String NOWHERE = "example.invalid";
    private static final String CLIMB = "/../../../../../../../../../../../..";
    private static final int TIMEOUT_MS = 2000;

    private static volatile boolean forever = true;

    private interface Attempt {
        Object make() throws Throwable;
    }

    private EditText port;

    @Override
    void fill() {
        port = new EditText(this);
        port.setId(R.id.port);
        port.setInputType(InputType.TYPE_CLASS_NUMBER);
        port.setText("9");
        add(port);

        away(R.id.socket_remote, () -> connect(NOWHERE, 80));
        away(R.id.socket_local, () -> connect("127.0.0.1", port()));
        away(R.id.channel_local, this::channel);
        away(R.id.udp_local, this::datagram);
        away(R.id.listen, () -> new ServerSocket(0).getLocalPort());
        away(R.id.resolve, () -> InetAddress.getByName("example.com"));
        away(R.id.http, () -> new URL("http://" + NOWHERE + "/").openStream().read());
        away(R.id.http_local, () -> new URL("http://127.0.0.1:" + port() + "/").openStream().read());

        here(R.id.exec, () -> Runtime.getRuntime().exec("id").waitFor());
        here(R.id.process_builder, () -> new ProcessBuilder("id").start().waitFor());
        here(R.id.load_library, () -> load("nothere"));
        here(R.id.exit, () -> exit(3));
        here(R.id.halt, () -> halt(4));
        here(R.id.kill, this::kill);

        here(R.id.read_passwd, () -> read("/etc/passwd"));
        here(R.id.nio_passwd, () -> Files.readAllBytes(Paths.get("/etc/passwd")).length);
        here(R.id.read_process, () -> read("/proc/self/environ"));
        here(R.id.write_tmp, () -> write("/tmp/droidtest-probe"));
        here(R.id.write_home, () -> write(System.getProperty("user.home") + "/droidtest-probe"));
        here(R.id.nio_home, this::nioWrite);
        here(R.id.write_own, () -> write(new File(getFilesDir(), "own").getPath()));
        here(R.id.shared_database, this::database);
        here(R.id.temporary, this::temporary);
        here(R.id.temporary_above, () -> Files.createTempFile("../probe", null));
        here(R.id.write_parent, () -> write(getFilesDir() + CLIMB + "/tmp/droidtest-probe"));
        here(R.id.link_passwd, this::link);

        here(R.id.themes, this::themes);

        button(R.id.sleep_main, this::sleep);
        button(R.id.loop_main, this::loop);
        button(R.id.loop_calls, this::loopWithCalls);
        button(R.id.out_of_memory, this::allocate);
        button(R.id.stack_overflow, () -> result(Integer.toString(descend(0))));
        button(R.id.background_throw, () -> new Thread(this::fail, "probe-background").start());
        button(R.id.background_loop, () -> new Thread(this::spin, "probe-spinning").start());
    }

    /** By Android's own path, in all the ways that a database is opened by one. */
    private String database() {
        String path = "/sdcard/probe.db";
        int flags = SQLiteDatabase.CREATE_IF_NECESSARY;
        SQLiteDatabase.openDatabase(path, null, flags, broken -> {}).close();
        SQLiteDatabase.openDatabase(path, null, SQLiteDatabase.OPEN_READONLY).close();
        SQLiteDatabase.openOrCreateDatabase(path, null, broken -> {}).close();
        SQLiteDatabase.openOrCreateDatabase(path, null).close();
        return path + " " + new File(path).isFile();
    }

    /** In all the ways that a temporary file is made where no folder is named. */
    private String temporary() throws Exception {
        Path[] all = {
            File.createTempFile("own", null).toPath(), File.createTempFile("own", ".txt", null).toPath(),
            Files.createTempFile("own", null), Files.createTempDirectory("own")
        };
        for (Path path : all) {
            if (!path.getParent().toFile().equals(getCacheDir()) || !path.toFile().exists()) {
                return path.toString();
            }
        }
        return all.length + " in the cache";
    }

    /** As many copies of a theme as an app with many activities has; what is applied to one is not in the others. */
    private String themes() {
        List<Resources.Theme> copies = new ArrayList<>();
        for (int i = 0; i < 2000; i++) {
            Resources.Theme copy = getResources().newTheme();
            copy.setTo(getTheme());
            copies.add(copy);
        }
        copies.get(0).applyStyle(android.R.style.Theme_Dialog, true);
        return floats(getTheme()) + " " + floats(copies.get(0)) + " " + floats(copies.get(1999));
    }

    private static boolean floats(Resources.Theme theme) {
        TypedValue value = new TypedValue();
        return theme.resolveAttribute(android.R.attr.windowIsFloating, value, true) && value.data != 0;
    }

    /** Android refuses the network to the main thread, so such attempts are made on another. */
    private void away(int id, Attempt attempt) {
        button(id, () -> new Thread(() -> tell(attempt), "probe-" + name(id)).start());
    }

    private void here(int id, Attempt attempt) {
        button(id, () -> tell(attempt));
    }

    private void tell(Attempt attempt) {
        try {
            result("ALLOWED " + attempt.make());
        } catch (Throwable e) {
            result("refused: " + e.getClass().getName() + ": " + e.getMessage());
        }
    }

    private int port() {
        return Integer.parseInt(port.getText().toString());
    }

    private static Object connect(String host, int port) throws Exception {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(host, port), TIMEOUT_MS);
            return socket;
        }
    }

    private Object channel() throws Exception {
        try (SocketChannel channel = SocketChannel.open()) {
            channel.connect(new InetSocketAddress("127.0.0.1", port()));
            return channel;
        }
    }

    private Object datagram() throws Exception {
        try (DatagramSocket socket = new DatagramSocket()) {
            byte[] bytes = {1};
            InetAddress host = InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
            socket.send(new DatagramPacket(bytes, bytes.length, host, port()));
            return socket;
        }
    }

    private static Object load(String library) {
        System.loadLibrary(library);
        return library;
    }

    private static Object exit(int status) {
        System.exit(status);
        return "to live on after exit";
    }

    private static Object halt(int status) {
        Runtime.getRuntime().halt(status);
        return "to live on after halt";
    }

    private Object kill() {
        Process.killProcess(Process.myPid());
        return "to live on after killProcess";
    }

    private static Object read(String path) throws Exception {
        try (FileInputStream file = new FileInputStream(path)) {
            return file.read();
        }
    }

    private static Object write(String path) throws Exception {
        try (FileOutputStream file = new FileOutputStream(path)) {
            file.write(1);
            return path;
        }
    }

    private Object nioWrite() throws Exception {
        String path = System.getProperty("user.home") + "/droidtest-probe";
        return Files.write(Paths.get(path), new byte[] {1});
    }

    /** Through a symbolic link in a folder of its own. */
    private Object link() throws Exception {
        File link = new File(getFilesDir(), "link");
        link.delete();
        Files.createSymbolicLink(link.toPath(), Paths.get("/etc/passwd"));
        return read(link.getPath());
    }

    private void sleep() {
        try {
            Thread.sleep(8000);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        result("slept");
    }

    private void loop() {
        spin();
        result("ended");
    }

    private void spin() {
        while (forever) {}
    }

    /** Something else first, then a loop whose calls take turns. */
    private void loopWithCalls() {
        burn(200);
        takeTurns();
        result("ended");
    }

    private void takeTurns() {
        while (forever) {
            early();
            late();
        }
    }

    private void early() {
        burn(20);
    }

    private void late() {
        burn(30);
    }

    /** By work, not by the clock, which stands still while an event is handled. */
    private static void burn(int millions) {
        for (int turn = 0; forever && turn < millions * 1_000_000; turn++) {}
    }

    private void allocate() {
        List<byte[]> all = new ArrayList<>();
        while (forever) {
            all.add(new byte[16 << 20]);
        }
        result(Integer.toString(all.size()));
    }

    private static int descend(int depth) {
        return forever ? descend(depth + 1) + 1 : depth;
    }

    private void fail() {
        throw new IllegalStateException("thrown on a background thread");
    }
}
