package org.lacis.testkit;

import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.lacis.BufferList;
import org.lacis.MatchingPolicy;
import org.lacis.Packet;
import org.lacis.RemoteCompletion;
import org.lacis.testkit.ModelTask.Lent;
import org.lacis.testkit.ModelTask.Shape;
import org.lacis.testkit.ModelTask.Way;

/** What a {@link ModelWorker} does next, drawn at random; and the memory for it. */
final class ModelChoices {

  private static final Witness.Kind[] ENDINGS = {
    Witness.Kind.HANDLER,
    Witness.Kind.QUEUE,
    Witness.Kind.SYNCHRONIZER,
    Witness.Kind.COUNTER,
    Witness.Kind.FUTURE,
    Witness.Kind.NONE
  };

  private static final int CLASSES = 20;
  private static final int SCRIBBLED = 4096;

  private final ModelWorker worker;
  private final Model model;
  private final RandomGenerator random;
  private final int rank;
  private final int injectLimit;
  private final int eagerLimit;

  /** By peer: slots of this worker in the peer's region that are free. */
  private final List<Deque<Long>> slots = new ArrayList<>();

  /** Free native memory by powers of two. */
  private final List<Deque<MemorySegment>> memory = new ArrayList<>();

  ModelChoices(ModelWorker worker, int index, RandomGenerator random) {
    this.worker = worker;
    this.model = worker.model;
    this.random = random;
    this.rank = worker.lacis.rank();
    this.injectLimit = worker.lacis.injectLimit();
    this.eagerLimit = worker.lacis.eagerLimit();
    int first = (rank * model.workersPerRank + index) * Model.SLOTS;
    for (int peer = 0; peer < model.job.size(); peer++) {
      Deque<Long> own = new ArrayDeque<>();
      for (int i = 0; i < Model.SLOTS; i++) {
        own.add((long) (first + i) * Model.SLOT_BYTES + Model.FENCE);
      }
      slots.add(own);
    }
    for (int i = 0; i <= CLASSES; i++) {
      memory.add(new ArrayDeque<>());
    }
  }

  /** The next operation; null if there is no slot for it now. */
  @Nullable ModelTask next() {
    int peer = random.nextInt(model.job.size());
    return switch (random.nextInt(10)) {
      case 0 -> transfer(peer, Parcel.Kind.PUT);
      case 1 -> transfer(peer, Parcel.Kind.PUT_SIGNAL);
      case 2 -> transfer(peer, Parcel.Kind.GET);
      case 3 -> transfer(peer, Parcel.Kind.GET_SIGNAL);
      case 4, 5 -> active(peer);
      default -> send(peer);
    };
  }

  private ModelTask send(int peer) {
    MatchingPolicy policy = MatchingPolicy.values()[random.nextInt(4)];
    int engine = random.nextInt(model.engines.size());
    int size = size();
    if (policy == MatchingPolicy.RANK_ONLY || policy == MatchingPolicy.CUSTOM) {
      size = Math.min(size, Model.GROUP_BYTES);
    }
    boolean plain = random.nextBoolean();
    Parcel parcel =
        new Parcel(
            model.nextNumber(),
            Parcel.Kind.SEND,
            rank,
            peer,
            size,
            plain ? MatchingPolicy.RANK_TAG : policy,
            plain ? 0 : engine,
            0);
    model.start(parcel);
    model.orders.get(peer).add(parcel);
    return message(parcel, plain && !parcel.isList() && random.nextBoolean(), null);
  }

  private ModelTask active(int peer) {
    Parcel parcel = parcel(Parcel.Kind.ACTIVE, peer, size(), 0);
    RemoteCompletion target;
    if (random.nextInt(8) == 0) {
      target = model.targets.get(peer).counting();
    } else {
      target = target(parcel);
      model.start(parcel);
    }
    return message(parcel, !parcel.isList() && random.nextBoolean(), target);
  }

  /** A send or active message, in a buffer or in a packet. */
  private ModelTask message(Parcel parcel, boolean positional, @Nullable RemoteCompletion target) {
    Packet packet =
        !positional && !parcel.isList() && parcel.size() <= eagerLimit && random.nextInt(4) == 0
            ? worker.lacis.packetPool().get()
            : null;
    Witness.Kind ending = ending(positional);
    Lent lent =
        packet != null
            ? new Lent(packet.segment().asSlice(0, parcel.size()), null, null)
            : lend(parcel.size(), ending);
    Pattern.fill(lent.buffer(), parcel.number());
    Shape shape = parcel.isList() ? cut(lent.buffer(), parcel) : Shape.WHOLE;
    return new ModelTask(
        worker, parcel, false, lent, shape, way(positional, ending, target, packet));
  }

  /** The receive for a send. */
  ModelTask receive(Parcel parcel) {
    boolean positional =
        parcel.policy() == MatchingPolicy.RANK_TAG && parcel.via() == 0 && random.nextBoolean();
    Witness.Kind ending = ending(positional);
    if (!parcel.isUnique() && !ending.tells()) {
      ending = Witness.Kind.HANDLER;
    }
    int room = parcel.isUnique() ? parcel.size() + random.nextInt(3) : Model.GROUP_BYTES;
    Lent lent = lend(room, ending);
    if (parcel.isUnique()) {
      Pattern.spoil(lent.buffer(), 0, parcel.size(), parcel.number());
    }
    Shape shape = positional ? Shape.WHOLE : receiveShape(parcel, lent.buffer(), ending);
    return new ModelTask(worker, parcel, true, lent, shape, way(positional, ending, null, null));
  }

  private Shape receiveShape(Parcel parcel, MemorySegment buffer, Witness.Kind ending) {
    if (ending.tells() && random.nextInt(4) == 0) {
      return Shape.ANY_LENGTH;
    }
    if (!parcel.isUnique() || random.nextBoolean()) {
      return Shape.WHOLE;
    }
    return parcel.isList() ? cut(buffer, parcel) : cut(buffer, parcel.size(), random);
  }

  /** The cut that both sides make if one makes it. */
  private static Shape cut(MemorySegment buffer, Parcel parcel) {
    return cut(buffer, parcel.size(), new SplittableRandom(parcel.number()));
  }

  /** Cuts so many bytes at random; the last part has the rest of the buffer too. */
  private static Shape cut(MemorySegment buffer, int bytes, RandomGenerator random) {
    MemorySegment[] parts = new MemorySegment[random.nextInt(1, 6)];
    long at = 0;
    for (int i = 0; i < parts.length - 1; i++) {
      long length = random.nextLong(bytes - at + 1);
      parts[i] = buffer.asSlice(at, length);
      at += length;
    }
    parts[parts.length - 1] = buffer.asSlice(at);
    return new Shape(BufferList.of(parts), false);
  }

  private @Nullable ModelTask transfer(int peer, Parcel.Kind kind) {
    Long slot = slots.get(peer).poll();
    if (slot == null) {
      return null;
    }
    int most = Model.SLOT_BYTES - 2 * Model.FENCE;
    Parcel parcel = parcel(kind, peer, Math.min(size(), most), slot);
    boolean positional = random.nextBoolean();
    Witness.Kind ending = ending(positional);
    Lent lent = lend(parcel.size(), ending);
    MemorySegment there = model.regions.get(peer).segment();
    if (kind.puts()) {
      Pattern.fill(lent.buffer(), parcel.number());
      Pattern.mark(there, slot - Model.FENCE, parcel.size() + 2 * Model.FENCE);
      Pattern.spoil(there, slot, parcel.size(), parcel.number());
    } else {
      Pattern.fill(there, slot, parcel.size(), parcel.number());
      Pattern.spoil(lent.buffer(), 0, parcel.size(), parcel.number());
    }
    model.start(parcel);
    RemoteCompletion target = kind.signals() ? target(parcel) : null;
    Shape shape =
        positional || random.nextBoolean()
            ? Shape.WHOLE
            : cut(lent.buffer(), parcel.size(), random);
    return new ModelTask(worker, parcel, false, lent, shape, way(positional, ending, target, null));
  }

  private Parcel parcel(Parcel.Kind kind, int peer, int size, long place) {
    int target = random.nextInt(ModelTargets.TELLING);
    return new Parcel(
        model.nextNumber(), kind, rank, peer, size, MatchingPolicy.RANK_TAG, target, place);
  }

  private RemoteCompletion target(Parcel parcel) {
    return model.targets.get(parcel.peer()).telling(parcel.via());
  }

  /** The positional forms carry no context, by which a queue's completions are told apart. */
  private Witness.Kind ending(boolean positional) {
    Witness.Kind drawn = ENDINGS[random.nextInt(ENDINGS.length)];
    return positional && drawn == Witness.Kind.QUEUE ? Witness.Kind.HANDLER : drawn;
  }

  private Way way(
      boolean positional,
      Witness.Kind ending,
      @Nullable RemoteCompletion target,
      @Nullable Packet packet) {
    return new Way(
        random.nextInt(model.devices.size()),
        ending,
        !positional,
        random.nextInt(3) > 0,
        random.nextInt(4) > 0,
        target,
        packet);
  }

  /** All protocols, their limits, and now and then something long. */
  private int size() {
    return switch (random.nextInt(10)) {
      case 0 -> 0;
      case 1, 2, 3 -> random.nextInt(1, injectLimit + 1);
      case 4, 5, 6 -> random.nextInt(injectLimit + 1, eagerLimit + 1);
      case 7 -> (random.nextBoolean() ? injectLimit : eagerLimit) + random.nextInt(2);
      case 8 -> random.nextInt(eagerLimit + 1, 4 * eagerLimit);
      default -> random.nextInt(20) == 0 ? random.nextInt(300_000) : random.nextInt(20_000);
    };
  }

  private Lent lend(int bytes, Witness.Kind ending) {
    int fenced = bytes + 2 * Model.FENCE;
    // Nobody says when memory of an operation with NONE is free: it is not used again.
    if (ending == Witness.Kind.NONE || random.nextInt(4) == 0) {
      return lent(MemorySegment.ofArray(new byte[fenced]), bytes, null);
    }
    MemorySegment found = memory.get(sizeClass(fenced)).poll();
    MemorySegment whole = found != null ? found : Talk.memory(1L << sizeClass(fenced));
    return lent(whole.asSlice(0, fenced), bytes, whole);
  }

  private static Lent lent(MemorySegment fenced, int bytes, @Nullable MemorySegment memory) {
    Pattern.mark(fenced, 0, fenced.byteSize());
    return new Lent(fenced.asSlice(Model.FENCE, bytes), fenced, memory);
  }

  private static int sizeClass(long bytes) {
    return 64 - Long.numberOfLeadingZeros(bytes - 1);
  }

  /** What an operation used is free. */
  void giveBack(ModelTask task) {
    Parcel parcel = task.parcel;
    if (parcel.kind() != Parcel.Kind.SEND && parcel.kind() != Parcel.Kind.ACTIVE) {
      slots.get(parcel.peer()).add(parcel.place());
    }
    MemorySegment whole = task.memory;
    if (whole != null) {
      // Whoever still reads it is to notice.
      whole.asSlice(0, Math.min(whole.byteSize(), SCRIBBLED)).fill((byte) 0xA5);
      memory.get(sizeClass(whole.byteSize())).add(whole);
    }
  }
}
