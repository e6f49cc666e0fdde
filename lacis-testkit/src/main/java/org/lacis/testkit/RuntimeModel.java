package org.lacis.testkit;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.lacis.Completion;
import org.lacis.CompletionQueue;
import org.lacis.Device;
import org.lacis.Handler;
import org.lacis.Lacis;
import org.lacis.MatchingPolicy;
import org.lacis.Post;
import org.lacis.Region;
import org.lacis.RemoteCompletion;
import org.lacis.Status;

/**
 * Random operations of every kind among the ranks of a job, checked against what must have become
 * of each: nothing lost, doubled, misdelivered or torn. One thread drives all ranks, so that a seed
 * gives the same run again on a network that is itself deterministic.
 *
 * <p>Every message has a number, which is also the seed of its content.
 */
public final class RuntimeModel {

  private static final int LONGEST = 20_000;
  private static final int SLOTS = 64;
  private static final int MOST_UNDER_WAY = 96;
  private static final int TAGS = 5;
  private static final MatchingPolicy[] POLICIES = {
    MatchingPolicy.RANK_TAG, MatchingPolicy.RANK_ONLY, MatchingPolicy.TAG_ONLY
  };

  private final Job job;
  private final RandomGenerator random;
  private final List<Party> parties = new ArrayList<>();

  /** Lengths of messages that were sent and have not arrived, by number. */
  private final Map<Long, Sent> sent = new HashMap<>();

  /** Completions that must still come, by number of the operation; each exactly once. */
  private final BitSet awaited = new BitSet();

  private long numbers;
  private int underWay;

  /** What the model knows of a message under way. */
  private record Sent(int from, int to, int tag, MatchingPolicy policy, int length) {}

  /** A rank with what it has registered. */
  private final class Party {
    final Lacis lacis;
    final Device[] devices;
    final CompletionQueue queue;
    final RemoteCompletion toQueue;
    final RemoteCompletion toHandler;
    final Region region;
    final ArrayDeque<Integer> freeSlots = new ArrayDeque<>();
    final Status status = Status.create();

    Party(Lacis lacis, Device second) {
      this.lacis = lacis;
      this.devices = new Device[] {lacis.device(), second};
      this.queue = lacis.newCompletionQueue(64);
      this.toQueue = lacis.register(queue);
      this.toHandler = lacis.register((Handler) s -> arrived(lacis.rank(), s));
      this.region = lacis.allocate((long) SLOTS * LONGEST);
      for (int i = 0; i < SLOTS; i++) {
        freeSlots.add(i);
      }
    }

    int rank() {
      return lacis.rank();
    }
  }

  private RuntimeModel(Job job, RandomGenerator random) {
    this.job = job;
    this.random = random;
  }

  /**
   * Runs it.
   *
   * @param job freshly opened; it is left with nothing under way
   * @param random where all choices come from
   * @param operations how many
   */
  public static void run(Job job, RandomGenerator random, int operations) {
    new RuntimeModel(job, random).run(operations);
  }

  private void run(int operations) {
    List<Device> second = job.newDevices();
    for (int rank = 0; rank < job.size(); rank++) {
      parties.add(new Party(job.rank(rank), second.get(rank)));
    }
    for (int i = 0; i < operations; i++) {
      job.until("fewer operations under way", () -> drained(MOST_UNDER_WAY - 1));
      switch (random.nextInt(4)) {
        case 0, 1 -> sendAndReceive();
        case 2 -> activeMessage();
        default -> transfer();
      }
      if (random.nextInt(4) == 0) {
        job.progress();
        popQueues();
      }
    }
    job.until("all messages to arrive", () -> drained(0));
    job.until("all completions to come", awaited::isEmpty);
    assertThat(sent).as("messages that never arrived").isEmpty();
    for (Party party : parties) {
      party.region.close();
      party.status.close();
    }
  }

  private boolean drained(int most) {
    popQueues();
    return underWay <= most;
  }

  private void popQueues() {
    for (Party party : parties) {
      while (party.queue.pop(party.status)) {
        arrived(party.rank(), party.status);
      }
      party.status.close();
    }
  }

  // ---- operations

  private void sendAndReceive() {
    Party from = anyone();
    Party to = anyone();
    long number = numbers++;
    int tag = random.nextInt(TAGS);
    MatchingPolicy policy = POLICIES[random.nextInt(POLICIES.length)];
    int length = length();
    sent.put(number, new Sent(from.rank(), to.rank(), tag, policy, length));
    underWay++;
    Runnable send = () -> send(from, to, number, tag, policy, length);
    Runnable receive = () -> receive(from, to, tag, policy);
    boolean early = random.nextBoolean();
    (early ? receive : send).run();
    if (random.nextInt(3) == 0) {
      job.progress();
    }
    (early ? send : receive).run();
  }

  private void send(Party from, Party to, long number, int tag, MatchingPolicy policy, int length) {
    MemorySegment buffer = filled(number, length);
    Device device = device(from);
    boolean retry = random.nextBoolean();
    post(
        number,
        done ->
            policy == MatchingPolicy.RANK_TAG && retry
                ? device.send(to.rank(), buffer, tag, done)
                : device
                    .send()
                    .to(to.rank())
                    .buffer(buffer)
                    .tag(tag)
                    .matching(policy)
                    .allowRetry(retry)
                    .post(done));
  }

  /** Which of the messages of its key it gets is not said: all fit. */
  private void receive(Party from, Party to, int tag, MatchingPolicy policy) {
    MemorySegment buffer = memory(LONGEST);
    Device device = device(to);
    boolean[] once = {false};
    Handler got =
        status -> {
          assertThat(once[0]).as("a receive is complete once").isFalse();
          once[0] = true;
          arrived(to.rank(), status);
        };
    job.insist(
        "a receive",
        () -> device.recv().from(from.rank()).buffer(buffer).tag(tag).matching(policy).post(got));
  }

  private void activeMessage() {
    Party from = anyone();
    Party to = anyone();
    long number = numbers++;
    int tag = random.nextInt(TAGS);
    int length = length();
    sent.put(number, new Sent(from.rank(), to.rank(), tag, MatchingPolicy.RANK_TAG, length));
    underWay++;
    RemoteCompletion target = random.nextBoolean() ? to.toQueue : to.toHandler;
    MemorySegment buffer = filled(number, length);
    Device device = device(from);
    post(number, done -> device.am(to.rank(), buffer, tag, target, done));
  }

  private void transfer() {
    Party from = anyone();
    Party to = anyone();
    Integer slot = to.freeSlots.poll();
    if (slot == null) {
      return;
    }
    boolean put = random.nextBoolean();
    long number = numbers++;
    int length = length();
    long offset = (long) slot * LONGEST;
    MemorySegment there = to.region.segment().asSlice(offset, length);
    MemorySegment here = put ? filled(number, length) : memory(length);
    if (!put) {
      fill(there, number);
    }
    underWay++;
    Handler end =
        status -> {
          assertThat(status.error()).isNull();
          complete(number);
          check(put ? there : here, number, length);
          to.freeSlots.add(slot);
          underWay--;
        };
    awaited.set((int) number);
    Device device = device(from);
    Post answer =
        job.insist(
            put ? "a put" : "a get",
            () ->
                put
                    ? device.put(here, to.region.remote(), offset, end)
                    : device.get(here, to.region.remote(), offset, end));
    if (answer.isDone()) {
      complete(number);
      check(put ? there : here, number, length);
      to.freeSlots.add(slot);
      underWay--;
    }
  }

  private interface Call {
    Post post(Completion done);
  }

  /** Posts what is sent; its completion, if there is one, must come once. */
  private void post(long number, Call call) {
    awaited.set((int) number);
    Handler done =
        status -> {
          assertThat(status.error()).isNull();
          complete(number);
        };
    if (job.insist("a message", () -> call.post(done)).isDone()) {
      complete(number);
    }
  }

  private void complete(long number) {
    assertThat(awaited.get((int) number)).as("operation %d is complete once", number).isTrue();
    awaited.clear((int) number);
  }

  // ---- arrivals

  private void arrived(int at, Status status) {
    assertThat(status.error()).isNull();
    long number = status.length() < Long.BYTES ? shortNumber(at, status) : status.longAt(0);
    Sent message = sent.remove(number);
    if (message == null) {
      throw new AssertionError("message " + number + " arrives once more, or was never sent");
    }
    assertThat(status.rank()).isEqualTo(message.from);
    assertThat(at).isEqualTo(message.to);
    assertThat(status.tag()).isEqualTo(message.tag);
    assertThat(status.length()).isEqualTo(message.length);
    check(status.buffer(), number, message.length);
    underWay--;
  }

  /** Too short to carry its number: any message that looks like it. */
  private long shortNumber(int at, Status status) {
    for (Map.Entry<Long, Sent> entry : sent.entrySet()) {
      Sent message = entry.getValue();
      if (message.to == at
          && message.from == status.rank()
          && message.tag == status.tag()
          && message.length == status.length()
          && mismatch(status.buffer(), entry.getKey(), message.length) < 0) {
        return entry.getKey();
      }
    }
    throw new AssertionError("rank " + at + " got what nobody has sent: " + status);
  }

  // ---- content

  private static byte content(long number, int index) {
    return (byte) ((number * 0x9E3779B97F4A7C15L) >>> 56 ^ index * 31L);
  }

  private static void fill(MemorySegment buffer, long number) {
    for (int i = 0; i < buffer.byteSize(); i++) {
      buffer.set(JAVA_BYTE, i, content(number, i));
    }
    if (buffer.byteSize() >= Long.BYTES) {
      buffer.set(JAVA_LONG_UNALIGNED, 0, number);
    }
  }

  private static int mismatch(MemorySegment buffer, long number, int length) {
    for (int i = length < Long.BYTES ? 0 : Long.BYTES; i < length; i++) {
      if (buffer.get(JAVA_BYTE, i) != content(number, i)) {
        return i;
      }
    }
    return -1;
  }

  private static void check(MemorySegment buffer, long number, int length) {
    int at = mismatch(buffer, number, length);
    assertThat(at).as("byte of message %d that is wrong", number).isNegative();
    if (length >= Long.BYTES) {
      assertThat(buffer.get(JAVA_LONG_UNALIGNED, 0)).isEqualTo(number);
    }
  }

  // ---- choices

  private Party anyone() {
    return parties.get(random.nextInt(parties.size()));
  }

  private Device device(Party party) {
    return party.devices[random.nextInt(party.devices.length)];
  }

  /** Mostly short, sometimes in a packet, now and then without a copy. */
  private int length() {
    return switch (random.nextInt(8)) {
      case 0 -> random.nextInt(8);
      case 1, 2, 3, 4 -> 8 + random.nextInt(40);
      case 5, 6 -> 41 + random.nextInt(8_000);
      default -> 8_193 + random.nextInt(LONGEST - 8_193);
    };
  }

  private MemorySegment memory(int length) {
    return random.nextBoolean()
        ? MemorySegment.ofArray(new byte[length])
        : Arena.ofAuto().allocate(length, 1);
  }

  private MemorySegment filled(long number, int length) {
    MemorySegment buffer = memory(length);
    fill(buffer, number);
    return buffer;
  }
}
