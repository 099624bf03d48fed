package org.droidtest.outside;

import android.net.ConnectivityManager;
import android.net.Network;
import android.webkit.WebView;
import android.webkit.WebViewClient;
import android.widget.LinearLayout;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.net.URL;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.security.cert.X509Certificate;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.json.JSONObject;

/** What the app gets from the network. */
public final class NetworkActivity extends Screen {
    private static final String API = "https://api.example.org";

    private interface Call {
        String run() throws Exception;
    }

    private WebView web;
    private String heard = "";

    @Override
    void fill() {
        getSystemService(ConnectivityManager.class)
            .registerDefaultNetworkCallback(new ConnectivityManager.NetworkCallback() {
                @Override
                public void onAvailable(Network network) {
                    heard += " available";
                }

                @Override
                public void onLost(Network network) {
                    heard += " lost";
                }
            });
        button(R.id.net_json, () -> load(() -> new JSONObject(get(API + "/v1/items")).getString("title")));
        button(R.id.net_error, () -> load(() -> get(API + "/v1/broken")));
        button(R.id.net_slow, () -> load(() -> get(API + "/v1/slow")));
        button(R.id.net_turns, () -> load(() -> get(API + "/v1/turns")));
        button(R.id.net_missing, () -> load(() -> get(API + "/v1/none?n=1")));
        button(R.id.net_plain, () -> load(() -> get("http://api.example.org:8080/plain?q=a%20b")));
        button(R.id.net_unknown, () -> load(() -> get("https://nowhere.example.org/")));
        button(R.id.net_refused, () -> load(() -> get("http://down.example.org/")));
        button(R.id.net_reset, () -> load(() -> post("/v1/reset", true)));
        button(R.id.net_timeout, () -> load(() -> get(API + "/v1/timeout")));
        button(R.id.net_post, () -> load(() -> post("/v1/items", true) + " " + post("/v1/items", false)));
        button(R.id.net_head, () -> load(this::head));
        button(R.id.net_tls, () -> load(this::tls));
        button(R.id.net_alpn, () -> load(this::alpn));
        button(R.id.net_socket, () -> load(() -> WebSocketClient.talk("/v1/talk")));
        button(R.id.net_silent, () -> load(() -> WebSocketClient.talk("/v1/none")));
        button(R.id.net_channel, () -> load(this::channel));
        button(R.id.net_channel_address, () -> load(this::channelToAddress));
        button(R.id.net_names, () -> load(this::names));
        button(R.id.net_held, () -> load(this::held));
        button(R.id.net_state, () -> result(state()));
        button(R.id.net_heard, () -> result("heard" + heard));
        button(R.id.net_main, () -> result(said(() -> get(API + "/v1/items"))));
        button(R.id.net_page, () -> web.loadUrl("https://www.example.org/start"));
        web = new WebView(this);
        web.getSettings().setJavaScriptEnabled(true);
        web.setWebViewClient(new WebViewClient());
        web.setLayoutParams(new LinearLayout.LayoutParams(-1, 400));
        add(web);
    }

    /** Shows that it loads, then what came. */
    private void load(Call call) {
        result("loading");
        new Thread(() -> result(said(call))).start();
    }

    private static String said(Call call) {
        try {
            return call.run();
        } catch (Exception e) {
            return e.getClass().getSimpleName() + ": " + e.getMessage();
        }
    }

    private static HttpURLConnection open(String address) throws IOException {
        HttpURLConnection connection = (HttpURLConnection) new URL(address).openConnection();
        connection.setConnectTimeout(5000);
        connection.setReadTimeout(8000);
        return connection;
    }

    private static String get(String address) throws IOException {
        return text(open(address));
    }

    private static String text(HttpURLConnection connection) throws IOException {
        int status = connection.getResponseCode();
        try (InputStream in = status < 400 ? connection.getInputStream() : connection.getErrorStream()) {
            String body = in == null ? "" : read(in).trim();
            return status == 200 ? body : status + " " + connection.getResponseMessage() + " " + body;
        }
    }

    private static String read(InputStream in) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        byte[] part = new byte[1000];
        for (int count = in.read(part); count >= 0; count = in.read(part)) {
            out.write(part, 0, count);
        }
        return out.toString("UTF-8");
    }

    private static String post(String path, boolean chunked) throws IOException {
        HttpURLConnection connection = open(API + path);
        connection.setDoOutput(true);
        byte[] body = new byte[5000];
        if (chunked) {
            connection.setChunkedStreamingMode(700);
        } else {
            connection.setRequestProperty("Expect", "100-continue");
            connection.setFixedLengthStreamingMode(body.length);
        }
        connection.getOutputStream().write(body);
        connection.getOutputStream().close();
        return text(connection);
    }

    private String head() throws IOException {
        HttpURLConnection connection = open(API + "/v1/items");
        connection.setRequestMethod("HEAD");
        return text(connection) + connection.getHeaderField("Content-Length") + " " + connection.getContentType() + " "
                + connection.getHeaderField("X-Kind");
    }

    /** By sockets, as OkHttp goes: two requests on one connection, with the session looked at. */
    private String tls() throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, null, null);
        SSLSocketFactory factory = context.getSocketFactory();
        Socket raw = new Socket();
        raw.connect(new java.net.InetSocketAddress(InetAddress.getByName("api.example.org"), 443), 1000);
        SSLSocket socket = (SSLSocket) factory.createSocket(raw, "api.example.org", 443, true);
        AtomicInteger shaken = new AtomicInteger();
        socket.addHandshakeCompletedListener(event -> shaken.incrementAndGet());
        socket.setSoTimeout(2000);
        socket.startHandshake();
        X509Certificate peer = (X509Certificate) socket.getSession().getPeerCertificates()[0];
        peer.checkValidity();
        peer.verify(peer.getPublicKey());
        boolean verified = HttpsURLConnection.getDefaultHostnameVerifier() != null;
        StringBuilder all = new StringBuilder(shaken + " " + socket.getSession().getProtocol() + " ");
        all.append(peer.getSubjectAlternativeNames()).append(verified ? " " : "?");
        for (int i = 0; i < 2; i++) {
            String ask = "GET /v1/items HTTP/1.1\r\nHost: api.example.org\r\n\r\n";
            socket.getOutputStream().write(ask.getBytes("UTF-8"));
            StringBuilder head = new StringBuilder();
            while (head.indexOf("}") < 0) {
                head.append((char) socket.getInputStream().read());
            }
            all.append(head.substring(0, head.indexOf("\r"))).append(' ');
        }
        try {
            socket.getInputStream().read();
        } catch (java.net.SocketTimeoutException e) {
            all.append("quiet");
        }
        socket.close();
        return all.append(raw.isClosed() ? " closed" : "").toString();
    }

    /** Which protocol of those that an app offers is chosen: HTTP/1.1, or none where it is not among them. */
    private String alpn() throws Exception {
        StringBuilder all = new StringBuilder();
        for (String[] offered : new String[][] {{"h2", "http/1.1"}, {"h2"}}) {
            try (SSLSocket socket = (SSLSocket) SSLContext.getDefault().getSocketFactory().createSocket("api.example.org", 443)) {
                javax.net.ssl.SSLParameters parameters = socket.getSSLParameters();
                parameters.setApplicationProtocols(offered);
                socket.setSSLParameters(parameters);
                socket.startHandshake();
                all.append('"').append(socket.getApplicationProtocol()).append("\" ");
            }
        }
        return all.toString().trim();
    }

    /** A channel opens, has options, waits at a selector as an event loop's, and does not connect. */
    private String channel() throws IOException {
        try (SocketChannel channel = SocketChannel.open(); Selector selector = Selector.open()) {
            channel.configureBlocking(false);
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            SelectionKey key = channel.register(selector, 0, this);
            key.interestOps(SelectionKey.OP_CONNECT);
            String before = channel.socket().getTcpNoDelay() + " " + channel.socket().getKeepAlive() + " " + selector.selectNow();
            String gone = said(() -> "" + channel.connect(InetSocketAddress.createUnresolved("nobody.example.org", 80)));
            key.cancel();
            return before + " " + gone + " " + channel.isOpen();
        }
    }

    private String channelToAddress() throws IOException {
        SocketChannel channel = SelectorProvider.provider().openSocketChannel();
        return said(() -> "" + channel.connect(new InetSocketAddress("198.18.0.1", 80))) + " " + channel.isOpen();
    }

    private String names() throws IOException {
        String known = InetAddress.getByName("api.example.org").getHostAddress();
        return known + " " + said(() -> InetAddress.getByName("nobody.example.org").getHostAddress());
    }

    /** A connection that is open for long. */
    private String held() throws IOException {
        try (Socket socket = new Socket("api.example.org", 8080)) {
            String ask = "GET /late HTTP/1.1\r\nHost: api.example.org:8080\r\n\r\n";
            socket.getOutputStream().write(ask.getBytes("UTF-8"));
            return "read " + socket.getInputStream().read();
        }
    }

    private String state() {
        ConnectivityManager network = getSystemService(ConnectivityManager.class);
        android.net.NetworkInfo info = network.getActiveNetworkInfo();
        return (info != null && info.isConnected() ? "connected " : "cut off ") + (network.getActiveNetwork() != null);
    }
}
