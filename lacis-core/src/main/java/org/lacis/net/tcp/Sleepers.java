package org.lacis.net.tcp;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.lacis.net.NetException;

/**
 * Watches the connections of a device, all with one system call, so that a poll reads only those
 * that have brought something lately, or do now. For the polling thread.
 */
final class Sleepers implements Consumer<SelectionKey> {

  /** Up to so many connections it is cheaper to read each. */
  private static final int FEW = 2;

  private final Selector selector;
  private final Connection[] woken;
  private int count;

  private Sleepers(Selector selector, int connections) {
    this.selector = selector;
    this.woken = new Connection[connections];
  }

  /** Watches connections; null if they are few. */
  static @Nullable Sleepers of(List<Connection> connections) {
    if (connections.size() <= FEW) {
      return null;
    }
    try {
      Selector selector = Selector.open();
      try {
        for (Connection connection : connections) {
          connection.watch(selector);
        }
        return new Sleepers(selector, connections.size());
      } catch (IOException | RuntimeException e) {
        selector.close();
        throw e;
      }
    } catch (IOException e) {
      throw new NetException("cannot watch " + connections.size() + " connections", e);
    }
  }

  /** Wakes those that have something to read; answers how many. */
  int wake() {
    count = 0;
    try {
      selector.selectNow(this);
    } catch (IOException e) {
      throw new NetException("cannot watch connections", e);
    }
    return count;
  }

  @Override
  public void accept(SelectionKey key) {
    Connection connection = (Connection) key.attachment();
    if (connection.wake()) {
      woken[count++] = connection;
    }
  }

  /** One of those woken last. */
  Connection woken(int index) {
    return woken[index];
  }

  /** Ends it; the connections go on without. */
  void close() {
    try {
      selector.close();
    } catch (IOException e) {
      System.getLogger("org.lacis.net.tcp").log(System.Logger.Level.DEBUG, "closing", e);
    }
  }
}
