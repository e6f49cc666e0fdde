package org.lacis.engine;

import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.lacis.BufferList;
import org.lacis.Completion;
import org.lacis.Handler;
import org.lacis.MatchingPolicy;

/**
 * An operation in words, while other threads use it: read without a lock, and thrown away if it was
 * used for something else meanwhile.
 */
final class OperationText {

  private static final int RANK_ONLY = MatchingPolicy.RANK_ONLY.ordinal();
  private static final int TAG_ONLY = MatchingPolicy.TAG_ONLY.ordinal();

  /** Packages whose completion objects say what they are. */
  private static final Set<String> OURS = Set.of("org.lacis.engine", "org.lacis.collective");

  private OperationText() {}

  /** What this use of it is; null if it is over. */
  static @Nullable String of(Operation op, long use) {
    String text =
        switch (op.stateOf(use)) {
          case FREE -> null;
          case RECEIVE, RECEIVE_LATER -> receive(op);
          case ARRIVAL -> arrival(op);
          case SEND -> outgoing(op) + ", waits for its receiver";
          case TRANSFER, BACKLOG -> outgoing(op);
          case PULL -> "fetch from rank " + op.rank + ", tag " + op.tag;
          case FINISH -> "answer to rank " + op.rank;
          case ANSWER -> "answer to rank " + op.rank + " about a message with tag " + op.tag;
          case END -> "the end of an operation, to be told to " + completion(op.done);
          case NOTIFY -> outgoing(op) + ", done but for its signal";
          case DELIVER ->
              "long active message from rank "
                  + op.rank
                  + ", tag "
                  + op.tag
                  + ", for completion "
                  + Frame.index(op.h0)
                  + ", which is full";
        };
    return op.isNamed(use) ? text : null;
  }

  private static String receive(Operation op) {
    int policy = Frame.policy(op.h0);
    BufferList list = op.list;
    return "recv from "
        + (policy == TAG_ONLY || op.rank < 0 ? "any rank" : "rank " + op.rank)
        + (policy == RANK_ONLY || op.tag < 0 ? ", any tag" : ", tag " + op.tag)
        + (policy > TAG_ONLY && op.rank >= 0 ? " (custom key)" : "")
        + (op.lends ? ", any length" : ", up to " + op.length + " bytes")
        + (list == null ? "" : " in " + list.count() + " parts")
        + ", signals "
        + completion(op.done);
  }

  private static String arrival(Operation op) {
    int kind = Frame.kind(op.h0);
    String from = " from rank " + op.rank + ", tag " + op.tag;
    return switch (kind) {
      case Frame.EAGER_SEND -> "message" + from + size(op);
      case Frame.RTS_SEND -> "request to fetch a message" + from + size(op);
      case Frame.SIGNAL -> "signal" + from + ", for completion " + Frame.index(op.h0);
      default -> "active message" + from + size(op) + ", for completion " + Frame.index(op.h0);
    };
  }

  /** Of a message that waits. A frame with a lease is not looked into: it may be given back. */
  private static String size(Operation op) {
    int kind = Frame.kind(op.h0);
    boolean request = kind == Frame.RTS_SEND || kind == Frame.RTS_AM;
    if (Frame.isList(op.h0)) {
      return ", a list";
    }
    if (request && op.lease != 0) {
      return "";
    }
    long length = request ? Frame.rtsLength(op.inlineAddress) : op.length;
    return ", " + length + " bytes";
  }

  private static String outgoing(Operation op) {
    BufferList list = op.list;
    return call(op)
        + " rank "
        + op.rank
        + ", tag "
        + Frame.tag(op.h0)
        + ", "
        + op.length
        + " bytes"
        + (list == null ? "" : " in " + list.count() + " parts")
        + ", signals "
        + completion(op.done);
  }

  private static String call(Operation op) {
    if (op.remoteKey != 0) {
      return op.atomic != 0 ? "atomic at" : op.input ? "get from" : "put to";
    }
    return Frame.kind(op.h0) == Frame.EAGER_AM ? "am to" : "send to";
  }

  /** A completion object in words; those of the program are not asked. */
  static String completion(Completion completion) {
    if (completion == Completion.NONE) {
      return "nobody";
    }
    if (OURS.contains(completion.getClass().getPackageName())) {
      return completion.toString();
    }
    return completion instanceof Handler
        ? "a handler"
        : completion instanceof Completion.Future<?>
            ? "a future"
            : "a " + completion.getClass().getSimpleName();
  }
}
