package org.lacis.engine;

import java.time.Duration;
import org.lacis.boot.Boot;
import org.lacis.boot.BootException;
import org.lacis.net.NetException;
import org.lacis.net.Network;

/** The bootstrap, seen as what a network needs of it. */
record BootExchange(Boot boot, Duration timeout) implements Network.Exchange {

  @Override
  public int rank() {
    return boot.rank();
  }

  @Override
  public int size() {
    return boot.size();
  }

  @Override
  public String jobId() {
    return boot.jobId();
  }

  @Override
  public byte[] secret() {
    return boot.secret();
  }

  @Override
  public String[] allGather(String name, String value) {
    boot.put(name + "-" + rank(), value);
    try {
      boot.fence(timeout);
    } catch (BootException e) {
      throw lost(e);
    }
    String[] all = new String[size()];
    for (int r = 0; r < all.length; r++) {
      all[r] = boot.get(name + "-" + r);
    }
    return all;
  }

  @Override
  public void requireAll() {
    try {
      boot.requireAll();
    } catch (BootException e) {
      throw lost(e);
    }
  }

  private static RuntimeException lost(BootException e) {
    return e.lostRank() < 0 ? e : new NetException(e.lostRank(), String.valueOf(e.getMessage()));
  }
}
