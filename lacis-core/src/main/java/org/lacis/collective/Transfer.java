package org.lacis.collective;

import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;
import org.lacis.CommunicationException;
import org.lacis.Completion;
import org.lacis.ErrorKind;
import org.lacis.Post;
import org.lacis.Startable;
import org.lacis.Status;

/** A send or receive of a collective. What goes wrong with it is everybody's concern. */
final class Transfer implements Startable, Completion {

  /** For whoever needs no more than to know that it was done; never filled. */
  private static final Status DONE = Status.create();

  private final Members members;
  private final boolean out;
  private final int rank;
  private final MemorySegment buffer;
  private final IntUnaryOperator tags;
  private final int step;
  private final int kind;
  private @Nullable Completion done;

  Transfer(
      Members members,
      boolean out,
      int member,
      MemorySegment buffer,
      IntUnaryOperator tags,
      int step,
      int kind) {
    this.members = members;
    this.out = out;
    this.rank = members.group.rank(member);
    this.buffer = buffer;
    this.tags = tags;
    this.step = step;
    this.kind = kind;
  }

  @Override
  public Post start(Completion end) {
    done = end;
    try {
      int tag = members.tag(tags.applyAsInt(step), kind);
      Post answer =
          out
              ? members.device.send(rank, buffer, tag, members.engine, members.policy, this)
              : members.device.recv(rank, buffer, tag, members.engine, members.policy, this);
      if (members.broken()) {
        // The engine was closed while this was posted: it may have missed it.
        members.engine.close();
      }
      return answer;
    } catch (RuntimeException e) {
      throw members.failed(e);
    }
  }

  @Override
  public void signal(Status status) {
    CommunicationException error = out ? status.error() : received(status);
    Objects.requireNonNull(done)
        .signal(error == null ? DONE : Status.failure(members.failed(error)));
  }

  /** What is wrong with what was received; null if nothing is. */
  private @Nullable CommunicationException received(Status status) {
    CommunicationException error = status.error();
    boolean come = error == null || error.kind() == ErrorKind.TRUNCATED;
    int tag = status.tag();
    if (come && members.tellsKinds() && Kinds.of(tag) != kind) {
      return mismatch(
          "rank %d is in %s, rank %d in %s: members make the same calls in the same order"
              .formatted(rank, Kinds.name(tag), members.lacis.rank(), Kinds.name(kind)));
    }
    if (come && (error != null || status.length() != buffer.byteSize())) {
      String sent = error == null ? status.length() + " bytes" : "more";
      return mismatch(
          "rank %d has sent %s, but rank %d expects %d of it: members have to agree about lengths in %s"
              .formatted(rank, sent, members.lacis.rank(), buffer.byteSize(), Kinds.name(kind)));
    }
    return error;
  }

  private CommunicationException mismatch(String message) {
    return new CommunicationException(ErrorKind.MISMATCH, rank, message);
  }

  @Override
  public String toString() {
    return "a step of " + Kinds.name(kind);
  }
}
