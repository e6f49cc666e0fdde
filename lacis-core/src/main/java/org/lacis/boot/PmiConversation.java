package org.lacis.boot;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The server's talk with one rank that has shown its token: answers every request until the rank is
 * gone.
 */
final class PmiConversation {
  private static final int MAX_NAME = 256;
  private static final int MAX_KEY = 64;
  private static final int MAX_VALUE = 1024;

  private final int rank;
  private final PmiChannel channel;
  private final PmiState state;
  private final byte[] classes;
  private boolean initialized;

  PmiConversation(int rank, PmiChannel channel, PmiState state, byte[] classes) {
    this.rank = rank;
    this.channel = channel;
    this.state = state;
    this.classes = classes;
  }

  void run() throws IOException {
    channel.write(PmiLine.of("initack").with("rc", 0));
    channel.write(PmiLine.of("set").with("size", state.size()));
    channel.write(PmiLine.of("set").with("rank", rank));
    channel.write(PmiLine.of("set").with("debug", 0));
    try {
      PmiLine line;
      while ((line = channel.readLine()) != null) {
        if (!early(line)) {
          requireInit(line);
          answer(line);
        }
      }
    } catch (BootException e) {
      state.listener().misbehaved(rank, String.valueOf(e.getMessage()));
    }
  }

  /** What a rank may ask or tell before it takes part. */
  private boolean early(PmiLine line) throws IOException {
    switch (line.command()) {
      case "lacis_classes" ->
          channel.write(PmiLine.of("classes").with("length", classes.length), classes);
      case PmiLauncher.STACKS -> stacks(line);
      case "init" -> init(line);
      case PmiLauncher.MISSED ->
          state
              .listener()
              .missed(
                  rank,
                  rankIn(line),
                  Math.max(0, line.number("millis")),
                  PmiValue.decode("why", line.field("why")));
      case "abort" -> state.listener().aborted(rank, line.number("exitcode"));
      default -> {
        return false;
      }
    }
    return true;
  }

  private int rankIn(PmiLine line) {
    int other = line.number("rank");
    if (other < 0 || other >= state.size()) {
      throw new BootException("rank " + other + " is missed, of " + state.size());
    }
    return other;
  }

  private void stacks(PmiLine line) throws IOException {
    String stacks = text("stacks", line.number("length"), RankStacks.MAX_BYTES);
    String report = text("a report", line.number("report"), RankReports.MAX_BYTES);
    state.listener().stacks(rank, stacks, report);
  }

  private String text(String what, int length, int limit) throws IOException {
    if (length < 0 || length > limit) {
      throw new BootException(what + " of " + length + " bytes");
    }
    return new String(channel.readBytes(length), StandardCharsets.UTF_8);
  }

  private void init(PmiLine line) throws IOException {
    boolean good = line.number("pmi_version") == 1;
    if (good) {
      initialized = true;
      state.opened(rank);
    }
    channel.write(
        PmiLine.of("response_to_init")
            .with("pmi_version", 1)
            .with("pmi_subversion", 1)
            .with("rc", good ? 0 : -1));
  }

  private void requireInit(PmiLine line) {
    if (!initialized) {
      throw new BootException(PmiLine.quoted(line.toString()) + " before init");
    }
  }

  private void answer(PmiLine line) throws IOException {
    switch (line.command()) {
      case "get_maxes" ->
          channel.write(
              PmiLine.of("maxes")
                  .with("kvsname_max", MAX_NAME)
                  .with("keylen_max", MAX_KEY)
                  .with("vallen_max", MAX_VALUE));
      case "get_appnum" -> channel.write(PmiLine.of("appnum").with("appnum", 0));
      case "get_universe_size" ->
          channel.write(PmiLine.of("universe_size").with("size", state.size()));
      case "get_my_kvsname" -> channel.write(PmiLine.of("my_kvsname").with("kvsname", state.kvs()));
      case "put" -> put(line);
      case "get" -> get(line);
      case "barrier_in" -> state.join(rank);
      case "lacis_missing" ->
          channel.write(PmiLine.of("missing").with("ranks", Ranks.list(state.missing(), ",")));
      case PmiLauncher.OPEN -> {
        int count = line.number("count");
        if (count < 0) {
          throw new BootException(count + " open runtimes");
        }
        state.holds(rank, count > 0);
      }
      case "finalize" -> {
        channel.write(PmiLine.of("finalize_ack"));
        state.listener().finished(rank);
      }
      default -> throw new BootException("unknown command " + PmiLine.quoted(line.command()));
    }
  }

  private void put(PmiLine line) throws IOException {
    String key = line.field("key");
    String value = line.field("value");
    String refusal = null;
    if (!line.field("kvsname").equals(state.kvs())) {
      refusal = "unknown_kvsname";
    } else if (key.length() >= MAX_KEY || value.length() >= MAX_VALUE) {
      refusal = "too_long";
    } else if (!state.put(key, value)) {
      refusal = "no_more_room";
    }
    channel.write(result("put_result", refusal));
  }

  private void get(PmiLine line) throws IOException {
    String key = line.field("key");
    String value = null;
    String refusal = null;
    if (!line.field("kvsname").equals(state.kvs())) {
      refusal = "unknown_kvsname";
    } else {
      value = state.get(key);
      if (value == null) {
        refusal = "key_not_found";
      }
    }
    channel.write(result("get_result", refusal).with("value", value == null ? "unknown" : value));
  }

  private static PmiLine result(String command, @Nullable String refusal) {
    return PmiLine.of(command)
        .with("rc", refusal == null ? 0 : -1)
        .with("msg", refusal == null ? "success" : refusal);
  }
}
