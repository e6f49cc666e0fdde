package org.lacis.net;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import org.lacis.net.Network.Exchange;

/**
 * One collective step of which all ranks have the same end: each gives a value or the reason why it
 * has none, and if one has none all fail with that reason, instead of waiting for it. Values may
 * contain any character.
 */
public final class Gather {

  private static final String FAILED = "!";
  private static final int REASON_LIMIT = 200;

  private final Exchange exchange;
  private final String name;

  /**
   * A step.
   *
   * @param name what is exchanged, see {@link Exchange#allGather}; the network's name comes first
   */
  public Gather(Exchange exchange, String name) {
    this.exchange = exchange;
    this.name = name;
  }

  /**
   * Gives this rank's value.
   *
   * @return the values of all ranks
   * @throws NetException if a rank has failed
   */
  public String[] all(String value) {
    String[] values = exchange.allGather(name, encode(value));
    for (int rank = 0; rank < values.length; rank++) {
      values[rank] = URLDecoder.decode(values[rank], StandardCharsets.UTF_8);
      if (values[rank].startsWith(FAILED)) {
        throw new NetException(
            "rank "
                + exchange.jobRank(rank)
                + " fails in step "
                + name
                + ": "
                + values[rank].substring(FAILED.length()));
      }
    }
    return values;
  }

  /** Tells the others that this rank has failed. */
  public void fail(RuntimeException why) {
    String reason = String.valueOf(why.getMessage());
    exchange.allGather(
        name, encode(FAILED + reason.substring(0, Math.min(REASON_LIMIT, reason.length()))));
  }

  private static String encode(String value) {
    return URLEncoder.encode(value, StandardCharsets.UTF_8);
  }
}
