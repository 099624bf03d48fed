package droidtest.host.box;

import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;

/** An {@link OfflineChannel} at a selector, which never selects it: nothing happens on it. */
final class OfflineKey extends SelectionKey {
  private final SelectableChannel channel;
  private final Selector selector;
  private volatile boolean cancelled;
  private volatile int interest;

  OfflineKey(SelectableChannel channel, Selector selector, int interest) {
    this.channel = channel;
    this.selector = selector;
    this.interest = interest;
  }

  @Override
  public SelectableChannel channel() {
    return channel;
  }

  @Override
  public Selector selector() {
    return selector;
  }

  @Override
  public boolean isValid() {
    return !cancelled && channel.isOpen() && selector.isOpen();
  }

  @Override
  public void cancel() {
    cancelled = true;
  }

  @Override
  public int interestOps() {
    return interest;
  }

  @Override
  public SelectionKey interestOps(int ops) {
    interest = ops;
    return this;
  }

  @Override
  public int readyOps() {
    return 0;
  }
}
