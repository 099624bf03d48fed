package droidtest.host.box;

import java.io.IOException;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.nio.channels.SocketChannel;

/** An {@link OfflineChannel} as a socket. What fails to connect is closed with its channel. */
final class OfflineSocket extends Socket {
  private final SocketChannel channel;

  OfflineSocket(SocketChannel channel, CutSocket end) throws SocketException {
    super(end);
    this.channel = channel;
  }

  @Override
  public SocketChannel getChannel() {
    return channel;
  }

  @Override
  public void connect(SocketAddress remote, int timeout) throws IOException {
    Process.channel();
    try {
      super.connect(remote, timeout);
    } catch (IOException e) {
      close();
      throw e;
    }
  }

  @Override
  public void close() throws IOException {
    super.close();
    channel.close();
  }
}
