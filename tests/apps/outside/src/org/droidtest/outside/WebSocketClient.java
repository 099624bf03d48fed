package org.droidtest.outside;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;
import javax.net.ssl.SSLContext;

/** A web socket by hand, as RFC 6455 has it. */
final class WebSocketClient {
    private static final String KEY = "dGhlIHNhbXBsZSBub25jZQ==";

    private WebSocketClient() {}

    /** Says two things, one of them in two parts, and gives what came, up to the end. */
    static String talk(String path) throws Exception {
        try (Socket socket = SSLContext.getDefault().getSocketFactory().createSocket("api.example.org", 443)) {
            socket.setSoTimeout(60_000);
            String ask =
                    "GET " + path + " HTTP/1.1\r\nHost: api.example.org\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: " + KEY
                            + "\r\nSec-WebSocket-Version: 13\r\n\r\n";
            socket.getOutputStream().write(ask.getBytes(StandardCharsets.UTF_8));
            DataInputStream in = new DataInputStream(socket.getInputStream());
            String first = line(in);
            boolean accepted = false;
            for (String header = line(in); !header.isEmpty(); header = line(in)) {
                accepted |= header.equals("Sec-WebSocket-Accept: " + accept());
            }
            if (!first.contains(" 101 ")) {
                return "no socket: " + first;
            }
            StringBuilder all = new StringBuilder(accepted ? "accepted" : "not accepted");
            all.append(' ').append(message(in));
            socket.getOutputStream().write(frame(0x81, "one"));
            all.append(' ').append(message(in)).append(' ').append(message(in));
            socket.getOutputStream().write(frame(0x89, "alive?"));
            all.append(' ').append(message(in));
            socket.getOutputStream().write(frame(0x01, "t"));
            socket.getOutputStream().write(frame(0x80, "wo"));
            all.append(' ').append(message(in));
            socket.getOutputStream().write(frame(0x88, "\u0003\u00e8"));
            all.append(' ').append(message(in));
            return all.append(' ').append(in.read()).toString();
        }
    }

    private static String accept() throws Exception {
        byte[] text = (KEY + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").getBytes(StandardCharsets.US_ASCII);
        return Base64.getEncoder().encodeToString(MessageDigest.getInstance("SHA-1").digest(text));
    }

    private static String line(DataInputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = in.read(); next >= 0 && next != '\n'; next = in.read()) {
            line.append((char) next);
        }
        return line.toString().trim();
    }

    private static byte[] frame(int kind, String text) throws IOException {
        byte[] mask = {1, 2, 3, 4};
        byte[] data = text.getBytes(StandardCharsets.ISO_8859_1);
        ByteArrayOutputStream frame = new ByteArrayOutputStream();
        frame.write(kind);
        frame.write(0x80 | data.length);
        frame.write(mask);
        for (int i = 0; i < data.length; i++) {
            frame.write(data[i] ^ mask[i % 4]);
        }
        return frame.toByteArray();
    }

    /** Its kind, and its text or size. */
    private static String message(DataInputStream in) throws IOException {
        int kind = in.read() & 15;
        int size = in.read();
        if (size == 126) {
            size = in.readUnsignedShort();
        }
        byte[] data = new byte[size];
        in.readFully(data);
        return kind + ":" + (kind == 1 && size < 100 ? new String(data, StandardCharsets.UTF_8) : "" + size);
    }
}
