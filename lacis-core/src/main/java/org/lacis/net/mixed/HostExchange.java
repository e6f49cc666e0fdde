package org.lacis.net.mixed;

import org.lacis.net.Network;

/**
 * The exchange of the ranks of one host. Each step is one of all ranks, as the launcher knows no
 * other: so the networks of all hosts are opened in the same steps.
 */
record HostExchange(Network.Exchange all, Hosts hosts) implements Network.Exchange {

  @Override
  public int rank() {
    return hosts.near(all.rank());
  }

  @Override
  public int size() {
    return hosts.count();
  }

  @Override
  public int jobRank(int near) {
    return hosts.rank(near);
  }

  @Override
  public String jobId() {
    return all.jobId();
  }

  @Override
  public byte[] secret() {
    return all.secret();
  }

  @Override
  public String[] allGather(String name, String value) {
    String[] values = all.allGather("host-" + name, value);
    String[] here = new String[hosts.count()];
    for (int near = 0; near < here.length; near++) {
      here[near] = values[hosts.rank(near)];
    }
    return here;
  }

  @Override
  public void requireAll() {
    all.requireAll();
  }
}
