package org.lacis.testkit;

import java.lang.foreign.MemorySegment;
import org.lacis.Completion;
import org.lacis.Handler;
import org.lacis.Lacis;
import org.lacis.Post;
import org.lacis.Status;
import org.lacis.Synchronizer;

/** Messages of a rank to itself, in code that allocates nothing itself. */
final class SelfTalk implements Handler {

  private final Lacis lacis;
  private final MemorySegment message = Talk.memory(8);
  private final MemorySegment buffer = Talk.memory(8);
  private final Synchronizer synchronizer;

  /** Whether the first message was sent that others answer. */
  private boolean begun;

  SelfTalk(Lacis lacis) {
    this.lacis = lacis;
    this.synchronizer = lacis.newSynchronizer();
  }

  /** Each message is waited for with a call that makes progress until it is there. */
  void waits(int times) {
    for (int i = 0; i < times; i++) {
      send();
      receive(synchronizer);
      if (!synchronizer.await(Job.LIMIT)) {
        throw new AssertionError("a message to oneself does not come");
      }
    }
  }

  /**
   * Each receive finds its message waiting, so that its handler, which sends the next one, runs
   * within the post.
   */
  void answers(int times) {
    if (!begun) {
      begun = true;
      send();
    }
    for (int i = 0; i < times; i++) {
      while (lacis.matchingEngine().waitingMessages() == 0) {
        lacis.progress();
      }
      receive(this);
    }
  }

  /** Takes the last message. */
  void end() {
    while (lacis.matchingEngine().waitingMessages() == 0) {
      lacis.progress();
    }
    receive(Completion.NONE);
  }

  @Override
  public void signal(Status status) {
    send();
  }

  private void send() {
    Post answer;
    do {
      answer = lacis.send().to(lacis.rank()).buffer(message).post(Completion.NONE);
    } while (answer.isRetry());
  }

  private void receive(Completion done) {
    Post answer;
    do {
      answer = lacis.recv().from(lacis.rank()).buffer(buffer).post(done);
    } while (answer.isRetry());
  }
}
