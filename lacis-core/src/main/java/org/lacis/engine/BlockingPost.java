package org.lacis.engine;

import org.lacis.Completion;
import org.lacis.Post;
import org.lacis.Startable;

/** Posts again and again until there is room, making progress meanwhile. */
final class BlockingPost {

  private BlockingPost() {}

  /**
   * Goes on with a post that was answered with a retry.
   *
   * @param operation what to post; whoever calls it keeps it, so that this makes no object
   * @param what it is, for people who wonder what waits
   */
  static Post again(Engine engine, Startable operation, Completion done, String what) {
    Pause pause = new Pause(engine, "room for " + what);
    try {
      Post answer;
      do {
        pause.after(engine.progress());
        answer = operation.start(done);
      } while (answer.isRetry());
      return answer;
    } finally {
      pause.end();
    }
  }
}
