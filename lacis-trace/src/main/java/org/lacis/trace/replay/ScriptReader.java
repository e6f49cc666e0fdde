package org.lacis.trace.replay;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.lacis.trace.Call;
import org.lacis.trace.CallSink;
import org.lacis.trace.CallType;
import org.lacis.trace.Completions;
import org.lacis.trace.Fields;
import org.lacis.trace.depth.Requests;

/** Makes a script of the calls of a rank. */
final class ScriptReader implements CallSink {
  private static final int PROC_NULL_OF_OPEN_MPI = -2;

  private static final Fields SOURCE = Fields.named("source");
  private static final Fields DEST = Fields.named("dest");
  private static final Fields TAG = Fields.named("tag");
  private static final Fields SEND_TAG = Fields.named("sendtag");
  private static final Fields RECV_TAG = Fields.named("recvtag");
  private static final Fields COMM = Fields.named("comm");
  private static final Fields REQUEST = Fields.named("request");
  private static final Fields REQUESTS = Fields.named("requests");
  private static final Fields COLOR = Fields.named("color");
  private static final Fields KEY = Fields.named("key");
  private static final Fields GROUP2 = Fields.named("group2");

  private static final CallType RECV = CallType.named("MPI_Recv");
  private static final CallType START = CallType.named("MPI_Start");
  private static final CallType RECV_INIT = CallType.named("MPI_Recv_init");
  private static final CallType REQUEST_FREE = CallType.named("MPI_Request_free");
  private static final Set<String> SEND_INITS =
      Set.of("MPI_Send_init", "MPI_Bsend_init", "MPI_Ssend_init", "MPI_Rsend_init");

  /** What makes communicators and groups: names of the argument from, to, and of the numbers. */
  private static final Map<String, String[]> MAKERS =
      Map.ofEntries(
          Map.entry("MPI_Comm_dup", new String[] {"oldcomm", "newcomm", ""}),
          Map.entry("MPI_Comm_split", new String[] {"oldcomm", "newcomm", ""}),
          Map.entry("MPI_Comm_create", new String[] {"oldcomm", "newcomm", ""}),
          Map.entry("MPI_Cart_create", new String[] {"oldcomm", "newcomm", "dims"}),
          Map.entry("MPI_Cart_sub", new String[] {"oldcomm", "newcomm", "remain_dims"}),
          Map.entry("MPI_Comm_group", new String[] {"comm", "group", ""}),
          Map.entry("MPI_Group_incl", new String[] {"group", "newgroup", "ranks"}),
          Map.entry("MPI_Group_excl", new String[] {"group", "newgroup", "ranks"}),
          Map.entry("MPI_Group_range_incl", new String[] {"group", "newgroup", "ranges"}),
          Map.entry("MPI_Group_range_excl", new String[] {"group", "newgroup", "ranges"}),
          Map.entry("MPI_Group_union", new String[] {"group1", "newgroup", ""}),
          Map.entry("MPI_Group_intersection", new String[] {"group1", "newgroup", ""}),
          Map.entry("MPI_Group_difference", new String[] {"group1", "newgroup", ""}));

  private final Script script;
  private final Requests requests = new Requests();

  /** What persistent requests start again and again. */
  private record Persistent(boolean receive, int peer, int tag, int comm) {}

  /** What requests stand for: null if it is no persistent one. */
  private final List<@Nullable Persistent> templates = new ArrayList<>();

  /** Of each of these: the receive that is posted; -1 for none. */
  private final Ints active = new Ints();

  ScriptReader(Script script) {
    this.script = script;
  }

  @Override
  public void call(Call call) {
    CallType type = call.type();
    switch (type.group()) {
      case SEND -> {
        send(DEST.in(call), TAG.in(call), COMM.in(call), call.wallStart());
        if (REQUEST.at(call) >= 0) {
          requests.put(REQUEST.in(call), Requests.NONE);
        }
      }
      case RECEIVE -> receive(call, type);
      case EXCHANGE -> {
        send(DEST.in(call), SEND_TAG.in(call), COMM.in(call), call.wallStart());
        blocking(call, RECV_TAG);
      }
      case START -> start(call, type);
      case COMPLETION ->
          Completions.forEach(call, (request, status) -> complete(call, request, status));
      case PROBE -> script.probes++;
      default -> other(call, type);
    }
  }

  private void send(int dest, int tag, int comm, long time) {
    if (dest >= 0) {
      script.step(Script.SEND, dest, tag, comm, time);
    }
  }

  private void receive(Call call, CallType type) {
    if (type == RECV) {
      blocking(call, TAG);
      return;
    }
    requests.put(REQUEST.in(call), Requests.NONE);
    if (SOURCE.in(call) != PROC_NULL_OF_OPEN_MPI) {
      int receive = script.post(SOURCE.in(call), TAG.in(call), COMM.in(call), call.wallStart());
      requests.put(REQUEST.in(call), template(null, receive));
    }
  }

  private void blocking(Call call, Fields tagOf) {
    if (SOURCE.in(call) != PROC_NULL_OF_OPEN_MPI) {
      int receive = script.post(SOURCE.in(call), tagOf.in(call), COMM.in(call), call.wallStart());
      got(call, receive, 0);
      script.done(receive, call.wallStop());
    }
  }

  private int template(@Nullable Persistent persistent, int receive) {
    templates.add(persistent);
    active.add(receive);
    return templates.size() - 1;
  }

  private void start(Call call, CallType type) {
    if (type == START) {
      start(REQUEST.in(call), call.wallStart());
      return;
    }
    int list = REQUESTS.at(call);
    for (int i = 0; i < call.length(list); i++) {
      start(call.element(list, i), call.wallStart());
    }
  }

  private void start(int request, long time) {
    int template = requests.get(request);
    Persistent what = template == Requests.NONE ? null : templates.get(template);
    if (what == null) {
      return;
    }
    if (what.receive) {
      active.set(template, script.post(what.peer, what.tag, what.comm, time));
    } else {
      send(what.peer, what.tag, what.comm, time);
    }
  }

  private void complete(Call call, int request, int status) {
    int template = requests.get(request);
    if (template == Requests.NONE || active.get(template) < 0) {
      return;
    }
    int receive = active.get(template);
    got(call, receive, status);
    script.done(receive, call.wallStop());
    active.set(template, -1);
    if (templates.get(template) == null) {
      requests.put(request, Requests.NONE);
    }
  }

  /** Notes what a status says of a receive. */
  private void got(Call call, int receive, int status) {
    int statuses = Completions.statuses(call);
    if (statuses < 0 || status < 0 || status >= call.length(statuses)) {
      return;
    }
    if (call.status(statuses, status, Call.STATUS_CANCELLED) != 0) {
      script.cancelled.set(receive, 1);
      return;
    }
    if (script.gotSource.get(receive) == Script.ANY) {
      script.gotSource.set(receive, call.status(statuses, status, Call.STATUS_SOURCE));
    }
    if (script.gotTag.get(receive) == Script.ANY) {
      script.gotTag.set(receive, call.status(statuses, status, Call.STATUS_TAG));
    }
  }

  private void other(Call call, CallType type) {
    String name = type.name();
    if (type == RECV_INIT || SEND_INITS.contains(name)) {
      int peer = type == RECV_INIT ? SOURCE.in(call) : DEST.in(call);
      var again = new Persistent(type == RECV_INIT, peer, TAG.in(call), COMM.in(call));
      boolean nowhere = peer == PROC_NULL_OF_OPEN_MPI;
      requests.put(REQUEST.in(call), nowhere ? Requests.NONE : template(again, -1));
    } else if (type == REQUEST_FREE) {
      requests.put(REQUEST.in(call), Requests.NONE);
    } else {
      String[] maker = MAKERS.get(name);
      if (maker != null) {
        make(call, type, maker);
      }
    }
  }

  private void make(Call call, CallType type, String[] names) {
    List<Integer> numbers = new ArrayList<>();
    int list = names[2].isEmpty() ? -1 : type.indexOf(names[2]);
    if (list >= 0 && call.length(list) > 0) {
      int each = names[2].equals("ranges") ? 3 : 1;
      for (int i = 0; i < call.length(list) * each; i++) {
        numbers.add(call.element(list, i));
      }
    }
    int other =
        GROUP2.at(call) >= 0
            ? GROUP2.in(call)
            : type.name().equals("MPI_Comm_create") ? call.intValue(type.indexOf("group")) : 0;
    boolean split = type.name().equals("MPI_Comm_split");
    script.makings.add(
        new Making(
            type.name().substring(4),
            call.intValue(type.indexOf(names[0])),
            call.intValue(type.indexOf(names[1])),
            other,
            split ? COLOR.in(call) : 0,
            split ? KEY.in(call) : 0,
            numbers));
    script.step(Script.MAKE, script.makings.size() - 1, 0, 0, call.wallStart());
  }
}
