package org.lacis.trace.replay;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.lacis.trace.Call;
import org.lacis.trace.CallSink;
import org.lacis.trace.CallType;
import org.lacis.trace.Completions;
import org.lacis.trace.Fields;
import org.lacis.trace.depth.Requests;

/** Makes steps of the calls of a rank. */
final class StepReader implements CallSink {
  private static final int PROC_NULL_OF_OPEN_MPI = -2;

  private static final Fields SOURCE = Fields.named("source");
  private static final Fields DEST = Fields.named("dest");
  private static final Fields TAG = Fields.named("tag");
  private static final Fields SEND_TAG = Fields.named("sendtag");
  private static final Fields RECV_TAG = Fields.named("recvtag");
  private static final Fields COMM = Fields.named("comm");
  private static final Fields FLAG = Fields.named("flag");
  private static final Fields REQUEST = Fields.named("request");
  private static final Fields REQUESTS = Fields.named("requests");

  private static final CallType RECV = CallType.named("MPI_Recv");
  private static final CallType START = CallType.named("MPI_Start");
  private static final CallType RECV_INIT = CallType.named("MPI_Recv_init");
  private static final CallType REQUEST_FREE = CallType.named("MPI_Request_free");
  private static final Set<CallType> SEND_INITS =
      Set.of(
          CallType.named("MPI_Send_init"),
          CallType.named("MPI_Bsend_init"),
          CallType.named("MPI_Ssend_init"),
          CallType.named("MPI_Rsend_init"));

  /** Takes steps when there are enough of them. */
  interface Taker {
    void take(Steps steps) throws IOException;
  }

  /** Is told how many more bytes of a file were read. */
  interface Distance {
    void more(long bytes);
  }

  private final int room;
  private final Taker taker;
  private final Distance distance;
  private final Requests requests = new Requests();
  private final List<@Nullable Slot> slots = new ArrayList<>();
  private final Ints freeSlots = new Ints();

  /** What a call has completed, and where the statuses are. */
  private final List<Slot> done = new ArrayList<>();

  private final Ints statuses = new Ints();
  private Steps steps;
  private int receives;
  private long offset;
  private long read;

  /** Whether something was sent to nobody: then receives of any source may be from nobody too. */
  private boolean knowsNobody;

  StepReader(int room, Taker taker, Distance distance) {
    this.room = room;
    this.taker = taker;
    this.distance = distance;
    steps = new Steps(room);
  }

  /** Hands over the last steps. */
  void finish() throws IOException {
    if (steps.size() > 0) {
      taker.take(steps);
    }
  }

  @Override
  public void call(Call call) throws IOException {
    CallType type = call.type();
    offset = call.offset();
    switch (type.group()) {
      case SEND -> {
        send(DEST.in(call), TAG.in(call), COMM.in(call), call.wallStart());
        reuse(call);
      }
      case RECEIVE -> receive(call, type);
      case EXCHANGE -> {
        send(DEST.in(call), SEND_TAG.in(call), COMM.in(call), call.wallStart());
        blocking(call, RECV_TAG);
      }
      case START -> start(call, type);
      case COMPLETION -> complete(call);
      case PROBE -> probe(call);
      default -> other(call, type);
    }
  }

  private void step(int kind, int a, int b, int c, long time) throws IOException {
    makeRoom();
    steps.add(kind, a, b, c, time);
  }

  private void makeRoom() throws IOException {
    if (steps.isFull()) {
      taker.take(steps);
      steps = new Steps(room);
      distance.more(offset - read);
      read = offset;
    }
  }

  private void send(int dest, int tag, int comm, long time) throws IOException {
    if (dest >= 0) {
      step(Steps.SEND, dest, tag, comm, time);
    } else {
      knowsNobody = true;
      step(Steps.NOBODY, 0, 0, 0, time);
    }
  }

  private void receive(Call call, CallType type) throws IOException {
    if (type == RECV) {
      blocking(call, TAG);
      return;
    }
    reuse(call);
    if (SOURCE.in(call) == PROC_NULL_OF_OPEN_MPI) {
      step(Steps.NOBODY, 1, 0, 0, call.wallStart());
      return;
    }
    var slot = new Slot(false, true, SOURCE.in(call), TAG.in(call), COMM.in(call));
    slot.active = post(slot, call.wallStart());
    put(REQUEST.in(call), slot);
  }

  private int post(Slot slot, long time) throws IOException {
    step(Steps.POST, slot.peer, slot.tag, slot.comm, time);
    return receives++;
  }

  private void blocking(Call call, Fields tagOf) throws IOException {
    if (SOURCE.in(call) == PROC_NULL_OF_OPEN_MPI) {
      step(Steps.NOBODY, 1, 0, 0, call.wallStart());
      return;
    }
    var slot = new Slot(false, true, SOURCE.in(call), tagOf.in(call), COMM.in(call));
    slot.active = post(slot, call.wallStart());
    done(call, slot, 0);
  }

  private void start(Call call, CallType type) throws IOException {
    if (type == START) {
      start(REQUEST.in(call), call.wallStart());
      return;
    }
    int list = REQUESTS.at(call);
    for (int i = 0; i < call.length(list); i++) {
      start(call.element(list, i), call.wallStart());
    }
  }

  private void start(int request, long time) throws IOException {
    Slot slot = slot(request);
    if (slot == null || !slot.persistent) {
      return;
    }
    if (slot.receive) {
      slot.active = post(slot, time);
    } else {
      send(slot.peer, slot.tag, slot.comm, time);
    }
  }

  private void complete(Call call) throws IOException {
    done.clear();
    statuses.clear();
    Completions.forEach(
        call,
        (request, status) -> {
          Slot slot = slot(request);
          if (slot != null && slot.active >= 0 && !slot.ends) {
            slot.ends = true;
            done.add(slot);
            statuses.add(status);
            if (!slot.persistent) {
              forget(request);
            }
          }
        });
    for (int i = 0; i < done.size(); i++) {
      done(call, done.get(i), statuses.get(i));
    }
  }

  private void done(Call call, Slot slot, int status) throws IOException {
    int receive = slot.active;
    slot.active = -1;
    slot.ends = false;
    int at = Completions.statuses(call);
    if (at < 0 || status < 0 || status >= call.length(at)) {
      boolean nobody = slot.peer == Steps.ANY && knowsNobody;
      if (nobody) {
        step(Steps.GONE, receive, 1, 0, call.wallStop());
      } else {
        step(Steps.DONE, receive, Steps.ANY, Steps.ANY, call.wallStop());
      }
      return;
    }
    int tag = call.status(at, status, Call.STATUS_TAG);
    boolean cancelled = call.status(at, status, Call.STATUS_CANCELLED) != 0;
    // A receive from nobody has a status that does not fit.
    if (cancelled || (slot.tag != Steps.ANY && slot.tag != tag)) {
      boolean nobody = !cancelled && slot.peer == Steps.ANY;
      step(Steps.GONE, receive, nobody ? 1 : 0, 0, call.wallStop());
    } else {
      int source = call.status(at, status, Call.STATUS_SOURCE);
      step(Steps.DONE, receive, source, tag, call.wallStop());
    }
  }

  private void probe(Call call) throws IOException {
    int at = Completions.statuses(call);
    boolean found = FLAG.at(call) < 0 || FLAG.in(call) != 0;
    if (found && at >= 0 && call.length(at) > 0) {
      int source = call.status(at, 0, Call.STATUS_SOURCE);
      int tag = call.status(at, 0, Call.STATUS_TAG);
      if (source >= 0 && (TAG.in(call) == Steps.ANY || TAG.in(call) == tag)) {
        step(Steps.PROBED, source, tag, COMM.in(call), call.wallStop());
      }
    }
  }

  private void other(Call call, CallType type) throws IOException {
    if (type == RECV_INIT || SEND_INITS.contains(type)) {
      reuse(call);
      int peer = type == RECV_INIT ? SOURCE.in(call) : DEST.in(call);
      if (peer != PROC_NULL_OF_OPEN_MPI) {
        put(REQUEST.in(call), new Slot(true, type == RECV_INIT, peer, TAG.in(call), COMM.in(call)));
      }
    } else if (type == REQUEST_FREE) {
      forget(REQUEST.in(call));
    } else {
      Making making = Making.of(call);
      if (making != null) {
        makeRoom();
        steps.makings.add(making);
        steps.add(Steps.MAKE, steps.makings.size() - 1, 0, 0, call.wallStart());
      }
    }
  }

  // ---- requests

  private @Nullable Slot slot(int request) {
    int at = requests.get(request);
    return at == Requests.NONE ? null : slots.get(at);
  }

  private void put(int request, Slot slot) {
    int at = freeSlots.size() > 0 ? freeSlots.removeLast() : slots.size();
    if (at == slots.size()) {
      slots.add(slot);
    } else {
      slots.set(at, slot);
    }
    requests.put(request, at);
  }

  /**
   * The request of a call, if it has one, stands for something new. A receive that it stood for was
   * complete, though nobody has waited for it: MPICH has one request for all receives from nobody.
   */
  private void reuse(Call call) throws IOException {
    if (REQUEST.at(call) < 0) {
      return;
    }
    Slot slot = slot(REQUEST.in(call));
    if (slot != null && slot.active >= 0) {
      if (slot.peer == Steps.ANY) {
        step(Steps.GONE, slot.active, 1, 0, call.wallStart());
      } else {
        step(Steps.DONE, slot.active, Steps.ANY, Steps.ANY, call.wallStart());
      }
    }
    forget(REQUEST.in(call));
  }

  private void forget(int request) {
    int at = requests.get(request);
    if (at != Requests.NONE) {
      slots.set(at, null);
      freeSlots.add(at);
      requests.put(request, Requests.NONE);
    }
  }
}
