package org.lacis.trace;

/** Which requests a call has completed. */
public final class Completions {
  /** Takes a request that is complete. */
  @FunctionalInterface
  public interface Sink {

    /**
     * Takes one.
     *
     * @param status where its status is among those of the call; -1 if it has none
     */
    void completed(int request, int status);
  }

  private static final Fields REQUEST = Fields.named("request");
  private static final Fields REQUESTS = Fields.named("requests");
  private static final Fields FLAG = Fields.named("flag");
  private static final Fields INDEX = Fields.named("index");
  private static final Fields INDICES = Fields.named("indices");
  private static final Fields STATUS = Fields.named("status");
  private static final Fields STATUSES = Fields.named("statuses");

  private Completions() {}

  /** The place of the statuses of a call that completes requests; -1 if it has none. */
  public static int statuses(Call call) {
    int many = STATUSES.at(call);
    return many >= 0 ? many : STATUS.at(call);
  }

  /** Hands out the requests that a call of the group COMPLETION has completed. */
  public static void forEach(Call call, Sink sink) {
    if (FLAG.at(call) >= 0 && FLAG.in(call) == 0) {
      return;
    }
    int requests = REQUESTS.at(call);
    if (requests < 0) {
      hand(call, REQUEST.in(call), 0, sink);
    } else if (INDICES.at(call) >= 0) {
      int indices = INDICES.at(call);
      for (int i = 0; i < call.length(indices); i++) {
        one(call, requests, call.element(indices, i), i, sink);
      }
    } else if (INDEX.at(call) >= 0) {
      one(call, requests, INDEX.in(call), 0, sink);
    } else {
      for (int i = 0; i < call.length(requests); i++) {
        one(call, requests, i, i, sink);
      }
    }
  }

  /**
   * None is complete if the index is out of bounds: so a call says that there was nothing to do.
   */
  private static void one(Call call, int requests, int index, int status, Sink sink) {
    if (index >= 0 && index < call.length(requests)) {
      hand(call, call.element(requests, index), status, sink);
    }
  }

  private static void hand(Call call, int request, int status, Sink sink) {
    int statuses = statuses(call);
    sink.completed(request, statuses >= 0 && status < call.length(statuses) ? status : -1);
  }
}
