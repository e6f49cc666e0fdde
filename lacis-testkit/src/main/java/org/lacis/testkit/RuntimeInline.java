package org.lacis.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lacis.Completion;
import org.lacis.CompletionQueue;
import org.lacis.Lacis;
import org.lacis.Post;
import org.lacis.RemoteCompletion;
import org.lacis.Status;

/** Messages inside a frame: of how many bytes, and who keeps them. */
interface RuntimeInline extends RuntimeSuite {

  @ParameterizedTest
  @ValueSource(ints = {0, 41, 104, 105, 128})
  default void whatFitsIntoAFrameIsDoneAtOnce(int asked) {
    try (Job job = open(2, Job.OPTIONS.withInjectBytes(asked).withCounters(true))) {
      int limit = job.rank(0).injectLimit();
      assertThat(limit).isBetween(8, 128);
      int injected = 0;
      int next = 0;
      for (int size : List.of(0, 7, limit - 1, limit, limit + 1)) {
        for (Witness.Kind kind : Witness.Kind.values()) {
          for (boolean early : new boolean[] {true, false}) {
            Witness arrived = Witness.of(kind, job.rank(1));
            RemoteCompletion target = new RemoteCompletion(next++);
            if (!early) {
              job.rank(1).register(arrived.completion());
            }
            MemorySegment message = Talk.filled(size, next);
            Post answer =
                job.insist(
                    "an active message",
                    () -> job.rank(0).am(1, message, 3, target, Completion.NONE));
            message.fill((byte) -1);
            assertThat(answer).isEqualTo(Post.DONE);
            injected += size <= limit ? 1 : 0;
            if (early) {
              job.progressOn();
              job.rank(1).register(arrived.completion());
            }
            job.progressOn();
            job.until("a message of " + size + " bytes", arrived::heard);
            if (kind.tells()) {
              Pattern.check(kind + " of " + size, arrived.told().payload(), 0, size, next);
            }
          }
        }
      }
      assertThat(job.rank(0).device().counters().injected().messages()).isEqualTo(injected);
    }
  }

  @Test
  default void aQueueKeepsWhatCameInsideFrames() {
    try (Job job = open(2, Job.OPTIONS.withInjectBytes(128));
        CompletionQueue queue = job.rank(1).newCompletionQueue(64)) {
      Lacis sender = job.rank(0);
      RemoteCompletion target = job.rank(1).register(queue);
      int messages = 64;
      for (int i = 0; i < messages; i++) {
        MemorySegment message = Talk.filled(sender.injectLimit(), i);
        int tag = i;
        job.insist("a message", () -> sender.am(1, message, tag, target, Completion.NONE));
      }
      job.until("all messages", () -> queue.length() == messages);
      Status[] kept = new Status[messages];
      Arrays.setAll(kept, i -> Status.create());
      assertThat(queue.pop(kept)).isEqualTo(messages);
      Set<Integer> tags = new TreeSet<>();
      for (Status status : List.of(kept)) {
        Pattern.check("what was kept", status.payload(), status.tag());
        tags.add(status.tag());
        status.close();
      }
      assertThat(tags).hasSize(messages);
    }
  }
}
