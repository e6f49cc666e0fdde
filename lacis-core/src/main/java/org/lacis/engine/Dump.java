package org.lacis.engine;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.lacis.Completion;
import org.lacis.Counters;
import org.lacis.Graph;

/**
 * What a runtime has under way, as text. Everything is read without a lock while other threads go
 * on, so that two lines may not fit together; nothing is waited for, and nothing is thrown.
 */
final class Dump {

  /** How many devices and matching engines are shown at most. */
  private static final int OBJECTS = 32;

  /** A device without progress for so long is one that nobody cares for, in nanoseconds. */
  private static final long UNATTENDED = 1_000_000_000;

  /** How many nodes of a graph are named. */
  private static final int NODES = 4;

  private final Engine engine;
  private final long now = System.nanoTime();
  private final StringBuilder text = new StringBuilder();

  /** Receives that have met their message, and only wait for its data. */
  private final Set<Operation> met = Collections.newSetFromMap(new IdentityHashMap<>());

  /** What waits to be matched, by the number of the matching engine. */
  private final Map<Integer, Unmatched> unmatched = new TreeMap<>();

  private final Oldest early;

  private final class Unmatched {
    final Oldest receives = new Oldest("  ", now);
    final Oldest messages = new Oldest("  ", now);
  }

  private Dump(Engine engine) {
    this.engine = engine;
    this.early = new Oldest("", now);
  }

  static String of(Engine engine) {
    return new Dump(engine).write();
  }

  private String write() {
    text.append(engine).append('\n');
    part("peers", this::gone);
    part("waits", this::waits);
    part("graphs", this::graphs);
    part("queues", this::fullQueues);
    part("devices", this::devices);
    part("matching engines", this::matchings);
    part("packet pools", this::pools);
    return text.toString();
  }

  /** Writes a part. A mistake in one must not hide the others from somebody with a hung job. */
  private void part(String name, Runnable writer) {
    try {
      writer.run();
    } catch (RuntimeException e) {
      text.append(name).append(" cannot be shown: ").append(e).append('\n');
    }
  }

  private void gone() {
    StringJoiner ranks = new StringJoiner(", ", "gone: rank ", "\n").setEmptyValue("");
    int left = OBJECTS;
    for (int rank = 0; rank < engine.size() && left > 0; rank++) {
      if (engine.failures.isGone(rank)) {
        ranks.add(--left == 0 ? rank + " and perhaps more" : Integer.toString(rank));
      }
    }
    text.append(ranks);
  }

  private void waits() {
    Oldest waits = new Oldest("", now);
    for (Waits.Wait wait : engine.waits.all()) {
      waits.add(wait.since, () -> name(wait.thread) + " waits for " + wait.what.get());
    }
    waits.appendTo(text, "threads");
  }

  private static String name(Thread thread) {
    return thread.getName().isEmpty() ? "thread #" + thread.threadId() : thread.getName();
  }

  private void graphs() {
    Oldest graphs = new Oldest("", now);
    for (Dag graph : engine.graphs.running()) {
      graphs.add(graph.since(), () -> describe(graph));
    }
    graphs.appendTo(text, "graphs and collectives under way");
  }

  private static String describe(Dag graph) {
    StringJoiner underWay = new StringJoiner(", ").setEmptyValue("none");
    int named = 0;
    int ended = 0;
    int nodes = graph.dagNodes().size();
    for (int i = 0; i < nodes; i++) {
      DagNode node = graph.dagNodes().get(i);
      Graph.State state = node.state();
      if (state == Graph.State.RUNNING || state == Graph.State.RETRYING) {
        if (named++ < NODES) {
          underWay.add(node.name() + (state == Graph.State.RETRYING ? " (no room)" : ""));
        }
      } else if (state != Graph.State.WAITING) {
        ended++;
      }
    }
    return "%s: %s, %d of %d nodes have ended; under way: %s%s"
        .formatted(
            graph.name(),
            graph.progressText(),
            ended,
            nodes,
            underWay,
            named > NODES ? " and " + (named - NODES) + " more" : "");
  }

  /** Queues that hold peers up. Those that no peer knows have room for all that is posted here. */
  private void fullQueues() {
    int left = OBJECTS;
    int number = 0;
    for (Completion completion : engine.completions.all()) {
      if (completion instanceof Queue queue && queue.isFull() && left-- > 0) {
        text.append("%s is full, completion %d%s\n".formatted(queue, number, heldUp(number)));
      }
      number++;
    }
  }

  private String heldUp(int completion) {
    StringJoiner held = new StringJoiner(" and ", ": behind it wait messages of ", "");
    held.setEmptyValue("");
    for (EngineDevice device : engine.devices()) {
      StringJoiner ranks = new StringJoiner(", ", "rank ", " on " + device).setEmptyValue("");
      for (int rank = 0; rank < engine.size(); rank++) {
        if (device.watch.isHeldUp(rank, completion)) {
          ranks.add(Integer.toString(rank));
        }
      }
      if (!ranks.toString().isEmpty()) {
        held.add(ranks.toString());
      }
    }
    return held.toString();
  }

  private void devices() {
    EngineDevice[] devices = engine.devices();
    for (int i = 0; i < devices.length; i++) {
      if (i == OBJECTS) {
        text.append("and ").append(devices.length - i).append(" more devices\n");
        return;
      }
      device(devices[i]);
    }
  }

  private void device(EngineDevice device) {
    Oldest underWay = new Oldest("  ", now);
    Oldest backlog = new Oldest("  ", now);
    device.forEachOperation(
        op -> {
          if (op.state.isPulled()) {
            Operation receive = op.receive;
            if (receive != null) {
              met.add(receive);
            }
          }
        });
    device.forEachOperation(op -> sort(op, underWay, backlog));
    text.append(device).append(": ").append(underWay.count()).append(" under way, ");
    text.append(backlog.count()).append(" in the backlog\n");
    long quiet = now - device.watch.lastPoll();
    if (quiet > UNATTENDED) {
      text.append("  nobody has made progress on it for ");
      text.append(Oldest.seconds(quiet)).append('\n');
    }
    underWay.appendTo(text, "under way");
    backlog.appendTo(text, "backlog");
    text.append("  counters: ").append(counters(device.counters())).append('\n');
  }

  private void sort(Operation op, Oldest underWay, Oldest backlog) {
    long use = op.wireId();
    Operation.State state = op.stateOf(use);
    int index = Frame.index(op.h0);
    Oldest place =
        switch (state) {
          case FREE -> null;
          case RECEIVE ->
              met.contains(op) || op.done.isStanding() ? null : unmatched(index).receives;
          case ARRIVAL -> isForMatching(op) ? unmatched(index).messages : early;
          case SEND, PULL, TRANSFER -> underWay;
          case BACKLOG, RECEIVE_LATER, FINISH, ANSWER, NOTIFY, DELIVER, END -> backlog;
        };
    if (place != null) {
      place.add(op.since, () -> OperationText.of(op, use));
    }
  }

  private boolean isForMatching(Operation op) {
    int kind = Frame.kind(op.h0);
    return (kind == Frame.EAGER_SEND || kind == Frame.RTS_SEND)
        && engine.matchings.get(Frame.index(op.h0)) != null;
  }

  private Unmatched unmatched(int index) {
    return unmatched.computeIfAbsent(index, _ -> new Unmatched());
  }

  private static String counters(Counters counters) {
    return counters.asMap().entrySet().stream()
        .filter(entry -> entry.getKey().equals("polls") || !isNothing(entry.getValue()))
        .map(entry -> entry.getKey() + " " + entry.getValue())
        .collect(Collectors.joining("; "));
  }

  /** Whether it is zero, or not counted. */
  private static boolean isNothing(Object value) {
    return switch (value) {
      case String _ -> true;
      case Long n -> n == 0;
      case Counters.Traffic traffic -> traffic.messages() == 0;
      case Counters.Posts posts -> posts.equals(Counters.Posts.NONE);
      default -> false;
    };
  }

  private void matchings() {
    int left = OBJECTS;
    for (Map.Entry<Integer, Unmatched> entry : unmatched.entrySet()) {
      if (left-- == 0) {
        text.append("and more matching engines\n");
        break;
      }
      Unmatched waiting = entry.getValue();
      Matching matching = engine.matchings.get(entry.getKey());
      text.append(matching);
      text.append(
          ": %d receives and %d messages have not met\n"
              .formatted(waiting.receives.count(), waiting.messages.count()));
      waiting.receives.appendTo(text, "receives");
      waiting.messages.appendTo(text, "messages");
    }
    early.appendTo(text, "messages for what this rank has not made or registered yet");
  }

  private void pools() {
    int left = OBJECTS;
    for (Pool pool : engine.pools.all()) {
      if (left-- == 0) {
        text.append("and more packet pools\n");
        break;
      }
      int packets = pool.options().packets();
      text.append(
          "%s: %d of %d packets in use\n".formatted(pool, packets - pool.available(), packets));
    }
  }
}
