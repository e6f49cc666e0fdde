package org.lacis.net.shm;

import java.util.function.BinaryOperator;
import org.lacis.net.Network.Exchange;

/**
 * An exchange whose values are seen, and perhaps changed, before they are told: from name and
 * value.
 */
record TamperedExchange(Exchange inner, BinaryOperator<String> tamper) implements Exchange {

  @Override
  public int rank() {
    return inner.rank();
  }

  @Override
  public int size() {
    return inner.size();
  }

  @Override
  public int jobRank(int rank) {
    return inner.jobRank(rank);
  }

  @Override
  public String jobId() {
    return inner.jobId();
  }

  @Override
  public String[] allGather(String name, String value) {
    return inner.allGather(name, tamper.apply(name, value));
  }
}
