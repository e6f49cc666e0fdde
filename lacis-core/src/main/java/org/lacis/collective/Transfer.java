package org.lacis.collective;

import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;
import org.lacis.CommunicationException;
import org.lacis.Completion;
import org.lacis.Post;
import org.lacis.Posting;
import org.lacis.Startable;
import org.lacis.Status;

/** A send or receive of a collective. What goes wrong with it is everybody's concern. */
final class Transfer implements Startable, Completion {

  private final Members members;
  private final boolean out;
  private final int rank;
  private final MemorySegment buffer;
  private final IntUnaryOperator tags;
  private final int step;
  private @Nullable Completion done;

  Transfer(
      Members members,
      boolean out,
      int member,
      MemorySegment buffer,
      IntUnaryOperator tags,
      int step) {
    this.members = members;
    this.out = out;
    this.rank = members.group.rank(member);
    this.buffer = buffer;
    this.tags = tags;
    this.step = step;
  }

  @Override
  public Post start(Completion end) {
    done = end;
    try {
      Posting posting = out ? members.device.send().to(rank) : members.device.recv().from(rank);
      Post answer =
          posting.buffer(buffer).tag(tags.applyAsInt(step)).matching(members.engine).post(this);
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
    CommunicationException error = status.error();
    Objects.requireNonNull(done)
        .signal(error == null ? status : Status.failure(members.failed(error)));
  }
}
