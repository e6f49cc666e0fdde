package org.lacis.engine;

import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.lacis.Completion;
import org.lacis.CompletionQueue;
import org.lacis.Counter;
import org.lacis.Graph;
import org.lacis.Lacis;
import org.lacis.MatchingEngine;
import org.lacis.MatchingOptions;
import org.lacis.PacketPool;
import org.lacis.PeerMemory;
import org.lacis.PoolOptions;
import org.lacis.QueueOptions;
import org.lacis.Region;
import org.lacis.RemoteCompletion;
import org.lacis.RemoteRegion;
import org.lacis.Rights;
import org.lacis.Synchronizer;

/** The objects that a runtime gives out, their names and their numbers. */
abstract class EngineObjects extends DevicePoster implements Lacis {

  private static final System.Logger LOG = System.getLogger("org.lacis");

  final IndexTable<Completion> completions = new IndexTable<>();
  final IndexTable<Matching> matchings = new IndexTable<>();
  final Graphs graphs = new Graphs();
  private final Names names = new Names();

  private Engine engine() {
    return device0().engine;
  }

  @Override
  public MatchingEngine newMatchingEngine(MatchingOptions how) {
    synchronized (matchings) {
      return newMatchingEngine("#" + matchings.nextIndex(), how);
    }
  }

  @Override
  public MatchingEngine newMatchingEngine(String name, MatchingOptions how) {
    engine().requireUsable();
    Objects.requireNonNull(name, "name");
    Matching added;
    synchronized (matchings) {
      added = new Matching(engine(), matchings.nextIndex(), name, how);
      matchings.add(added);
    }
    for (Operation m = matchings.unpark(added.index);
        m != null;
        m = matchings.unpark(added.index)) {
      m.table.device.incoming.unpark(m, added);
    }
    return added;
  }

  @Override
  public PacketPool newPacketPool(PoolOptions how) {
    return newPacketPool(names.next(Names.Kind.POOL), how);
  }

  @Override
  public PacketPool newPacketPool(String name, PoolOptions how) {
    engine().requireUsable();
    return engine().pools.add(Objects.requireNonNull(name, "name"), how);
  }

  @Override
  public CompletionQueue newCompletionQueue(int capacity) {
    return newCompletionQueue(QueueOptions.bounded(capacity));
  }

  @Override
  public CompletionQueue newCompletionQueue(QueueOptions how) {
    return newCompletionQueue(names.next(Names.Kind.QUEUE), how);
  }

  @Override
  public CompletionQueue newCompletionQueue(String name, QueueOptions how) {
    return new Queue(engine(), Objects.requireNonNull(name, "name"), how);
  }

  @Override
  public Synchronizer newSynchronizer(int threshold) {
    return newSynchronizer(names.next(Names.Kind.SYNCHRONIZER), threshold);
  }

  @Override
  public Synchronizer newSynchronizer(String name, int threshold) {
    return new Sync(engine(), Objects.requireNonNull(name, "name"), threshold);
  }

  @Override
  public Counter newCounter() {
    return newCounter(names.next(Names.Kind.COUNTER));
  }

  @Override
  public Counter newCounter(String name) {
    return new Count(engine(), Objects.requireNonNull(name, "name"));
  }

  @Override
  public Graph newGraph() {
    return newGraph(names.next(Names.Kind.GRAPH));
  }

  @Override
  public Graph newGraph(String name) {
    return graphs.add(new Dag(engine(), engine().nesting, engine().clock, name));
  }

  @Override
  public RemoteCompletion register(Completion completion) {
    engine().requireUsable();
    RemoteCompletion name =
        new RemoteCompletion(completions.add(Objects.requireNonNull(completion, "completion")));
    int index = name.index();
    for (Operation m = completions.unpark(index); m != null; m = completions.unpark(index)) {
      m.table.device.incoming.unpark(m, completion);
    }
    return name;
  }

  @Override
  public void deregister(RemoteCompletion completion) {
    completions.replace(completion.index(), new Deregistered(completion.index()));
  }

  @Override
  public Region register(MemorySegment segment, Rights rights) {
    return register(names.next(Names.Kind.REGION), segment, rights);
  }

  @Override
  public Region register(String name, MemorySegment segment, Rights rights) {
    return engine().regions.register(Objects.requireNonNull(name, "name"), segment, rights);
  }

  @Override
  public Region allocate(long bytes, int alignment) {
    return allocate(names.next(Names.Kind.REGION), bytes, alignment);
  }

  @Override
  public Region allocate(String name, long bytes, int alignment) {
    return engine().regions.allocate(Objects.requireNonNull(name, "name"), bytes, alignment);
  }

  @Override
  public @Nullable PeerMemory map(RemoteRegion region) {
    return engine().regions.map(region);
  }

  /** Stands where a completion object was. */
  private record Deregistered(int index) implements Completion {
    @Override
    public void signal(org.lacis.Status status) {
      LOG.log(
          System.Logger.Level.WARNING,
          "a message from rank {0} for the deregistered completion {1} is dropped",
          status.rank(),
          index);
    }
  }
}
