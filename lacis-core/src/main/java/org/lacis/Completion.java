package org.lacis;

import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * Where an operation reports that it is complete. Built in are {@link Handler}, {@link
 * CompletionQueue}, {@link Synchronizer}, {@link Counter}, {@link Graph} and {@link #future}; a
 * class of your own will do as well.
 */
@FunctionalInterface
public interface Completion {

  /**
   * For operations whose completion nobody wants to hear of. Failures of such operations are logged
   * by the {@code org.lacis} logger: of those that are of one kind and with one rank the first, the
   * tenth, the hundredth and so on.
   */
  Completion NONE =
      new Completion() {
        private final UnheardFailures failures = new UnheardFailures(System.getLogger("org.lacis"));

        @Override
        public void signal(Status status) {
          CommunicationException error = status.error();
          if (error != null) {
            failures.log(error);
          }
        }

        @Override
        public String toString() {
          return "Completion.NONE";
        }
      };

  /**
   * Called once for each completed operation, by the thread that makes progress, so possibly by
   * several at once.
   *
   * <p>It should be short. It may post further operations but must not wait. An exception it throws
   * is logged and does no other harm.
   *
   * @param status what has completed; it belongs to the caller and is valid during the call only.
   *     To keep it, with its payload, use {@link Status#moveTo}
   */
  void signal(Status status);

  /**
   * Whether operations that signal it are meant to wait for as long as the program runs, like a
   * receive for news that should never come. {@link Lacis#dump} does not list such receives, and
   * {@link Device#pending} does not count them, as nobody misses what they wait for.
   *
   * @return false, unless a class of your own says otherwise
   */
  default boolean isStanding() {
    return false;
  }

  /**
   * Makes a future of a completion, for ordinary Java code. Its {@code get} and {@code join} make
   * no progress: somebody else must, such as the runtime's {@linkplain LacisOptions#progressThread
   * progress thread}. It allocates, so it is not for the hot path.
   *
   * @param result turns the status into the future's value, while the status is valid
   * @param <T> the value's type
   * @return a future that is also a completion object for one operation; it fails with {@link
   *     Status#error()}, or with what {@code result} throws
   */
  static <T> Future<T> future(Function<Status, T> result) {
    return new Future<>(result);
  }

  /**
   * A {@link CompletableFuture} that one operation completes.
   *
   * @param <T> the value's type
   */
  final class Future<T> extends CompletableFuture<T> implements Completion {
    private final Function<Status, T> result;

    private Future(Function<Status, T> result) {
      this.result = result;
    }

    @Override
    public void signal(Status status) {
      Exception error = status.error();
      if (error != null) {
        completeExceptionally(error);
        return;
      }
      try {
        complete(result.apply(status));
      } catch (Throwable e) {
        // An error, too: whoever waits for the future would wait for good.
        completeExceptionally(e);
      }
    }
  }
}
