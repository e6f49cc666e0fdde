package org.lacis.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.ThreadMXBean;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.lacis.Lacis;
import org.lacis.LacisOptions;
import org.lacis.MatchingOptions;
import org.lacis.collective.Collective;
import org.lacis.collective.CollectiveOptions;
import org.lacis.collective.Reduction;
import org.lacis.testkit.OperationCase.Form;

/**
 * No message allocates anything in steady state. For networks that do not either; a subclass per
 * network opens the ranks.
 */
public abstract class AllocationContract {

  /** What measuring itself may take, in bytes, whatever the number of messages. */
  private static final long MARGIN = 64 << 10;

  private static final int ROUND = 10_000;
  private static final int ROUNDS = 400;
  private static final int PHASES = 3;

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  /** The three protocols. */
  enum Protocol {
    INJECT,
    BUFFER_COPY,
    ZERO_COPY;

    int size(Lacis lacis) {
      return switch (this) {
        case INJECT -> 8;
        case BUFFER_COPY -> 3072;
        case ZERO_COPY -> lacis.eagerLimit() + 8;
      };
    }
  }

  /** Opens a job on the network under test. */
  public abstract Job open(int ranks, LacisOptions options);

  /** By what the numbers of messages are divided; more than 1 for a slow network. */
  protected int share() {
    return 1;
  }

  /** Whether operations that end in this way are measured; fewer for a slow network. */
  protected boolean wants(Witness.Kind ending) {
    return true;
  }

  static List<Arguments> everyWay() {
    List<Arguments> ways = new ArrayList<>();
    for (Protocol protocol : Protocol.values()) {
      for (Witness.Kind ending :
          List.of(Witness.Kind.HANDLER, Witness.Kind.QUEUE, Witness.Kind.SYNCHRONIZER)) {
        for (Form form : Form.values()) {
          ways.add(Arguments.of(protocol, ending, form));
        }
      }
    }
    return ways;
  }

  @ParameterizedTest
  @MethodSource("everyWay")
  void sendsAndReceivesAllocateNothing(Protocol protocol, Witness.Kind ending, Form form) {
    int messages = protocol == Protocol.ZERO_COPY ? 100_000 : 1_000_000;
    measure(Exchange.Kind.SEND, protocol, ending, form, BufferKind.NATIVE, messages);
  }

  static List<Arguments> everyMemory() {
    List<Arguments> ways = new ArrayList<>();
    for (Protocol protocol : Protocol.values()) {
      for (BufferKind memory : BufferKind.values()) {
        ways.add(Arguments.of(protocol, memory));
      }
    }
    return ways;
  }

  @ParameterizedTest
  @MethodSource("everyMemory")
  void messagesFromMemoryOfEveryKindAllocateNothing(Protocol protocol, BufferKind memory) {
    for (Exchange.Kind kind : EnumSet.complementOf(EnumSet.of(Exchange.Kind.ATOMIC))) {
      measure(kind, protocol, Witness.Kind.HANDLER, Form.POSITIONAL, memory, 30_000);
    }
  }

  @ParameterizedTest
  @MethodSource("everyWay")
  void listsAllocateNothing(Protocol protocol, Witness.Kind ending, Form form) {
    if (form == Form.FLUENT) {
      measure(Exchange.Kind.SEND_LIST, protocol, ending, form, BufferKind.NATIVE, 30_000);
      measure(Exchange.Kind.SEND_TO_ANY_LENGTH, protocol, ending, form, BufferKind.NATIVE, 30_000);
      measure(Exchange.Kind.ACTIVE_LIST, protocol, ending, form, BufferKind.NATIVE, 30_000);
      measure(Exchange.Kind.PUT_LIST, protocol, ending, form, BufferKind.NATIVE, 30_000);
      measure(Exchange.Kind.GET_LIST, protocol, ending, form, BufferKind.NATIVE, 30_000);
    }
  }

  @ParameterizedTest
  @MethodSource("everyWay")
  void activeMessagesAllocateNothing(Protocol protocol, Witness.Kind ending, Form form) {
    measure(Exchange.Kind.ACTIVE_MESSAGE, protocol, ending, form, BufferKind.NATIVE, 30_000);
  }

  @ParameterizedTest
  @MethodSource("everyWay")
  void putsAllocateNothing(Protocol protocol, Witness.Kind ending, Form form) {
    measure(Exchange.Kind.PUT, protocol, ending, form, BufferKind.NATIVE, 30_000);
  }

  @ParameterizedTest
  @MethodSource("everyWay")
  void getsAllocateNothing(Protocol protocol, Witness.Kind ending, Form form) {
    measure(Exchange.Kind.GET, protocol, ending, form, BufferKind.NATIVE, 30_000);
  }

  @ParameterizedTest
  @EnumSource(Form.class)
  void atomicsAllocateNothing(Form form) {
    for (Witness.Kind ending :
        List.of(Witness.Kind.HANDLER, Witness.Kind.QUEUE, Witness.Kind.SYNCHRONIZER)) {
      if (wants(ending)) {
        measure(Exchange.Kind.ATOMIC, Protocol.INJECT, ending, form, BufferKind.NATIVE, 30_000);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void orderedMatchingAllocatesNothing(Protocol protocol) {
    for (MatchingOptions kind : List.of(MatchingOptions.list(), MatchingOptions.ordered())) {
      try (Job job = open(2, Job.OPTIONS.withMatching(kind))) {
        Exchange exchange =
            new Exchange(
                job,
                Exchange.Kind.SEND,
                Form.POSITIONAL,
                Witness.Kind.HANDLER,
                BufferKind.NATIVE,
                protocol.size(job.rank(0)));
        measure(kind.kind().toString(), 30_000, exchange::repeat);
        exchange.close();
      }
    }
  }

  @Test
  void waitingAllocatesNothing() {
    try (Job job = open(2, Job.OPTIONS)) {
      measure("waits", 100_000, new SelfTalk(job.rank(0))::waits);
    }
  }

  @Test
  void aHandlerThatPostsFromWithinAPostAllocatesNothing() {
    try (Job job = open(2, Job.OPTIONS)) {
      SelfTalk talk = new SelfTalk(job.rank(0));
      measure("answers", 100_000, talk::answers);
      talk.end();
    }
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void graphsAllocateNothing(Protocol protocol) {
    try (Job job = open(2, Job.OPTIONS);
        GraphTalk talk = new GraphTalk(job.rank(0), protocol.size(job.rank(0)))) {
      measure("runs of a graph", 100_000, talk::repeat);
    }
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void collectivesAllocateNothing(Protocol protocol) {
    try (Job job = open(2, Job.OPTIONS)) {
      int bytes = protocol.size(job.rank(0));
      allreducesAllocateNothing(job, _ -> Talk.memory(bytes), 100_000);
    }
  }

  /** So long that members touch each other's memory, where they can. */
  @ParameterizedTest
  @EnumSource(
      value = BufferKind.class,
      names = {"NATIVE", "HEAP", "ALLOCATED"})
  void longCollectivesAllocateNothing(BufferKind kind) {
    try (Job job = open(2, Job.OPTIONS)) {
      allreducesAllocateNothing(job, rank -> kind.allocate(rank, 100_000).segment(), 3000);
    }
  }

  @Test
  void longCollectivesInArraysAllocateNothing() {
    try (Job job = open(2, Job.OPTIONS)) {
      allreducesAllocateNothing(job, _ -> MemorySegment.ofArray(new long[12_500]), 3000);
    }
  }

  private void allreducesAllocateNothing(Job job, Function<Lacis, MemorySegment> memory, int runs) {
    try (Ensemble ensemble = Ensemble.of(job, CollectiveOptions.defaults())) {
      List<Collective<?>> sum = new ArrayList<>();
      for (int member = 0; member < 2; member++) {
        MemorySegment buffer = memory.apply(job.rank(member));
        sum.add(ensemble.member(member).newAllreduce(buffer, buffer, Reduction.SUM_LONG));
      }
      Collective<?> one = sum.get(0);
      Collective<?> other = sum.get(1);
      measure(
          "allreduces",
          runs,
          times -> {
            for (int i = 0; i < times; i++) {
              one.start();
              other.start();
              for (int looks = 0; !one.test() || !other.test(); looks++) {
                if (looks == 10_000_000) {
                  throw new AssertionError("it does not end: " + one.describe());
                }
                job.rank(0).progress();
                job.rank(1).progress();
              }
            }
          });
    }
  }

  private void measure(
      Exchange.Kind kind,
      Protocol protocol,
      Witness.Kind ending,
      Form form,
      BufferKind memory,
      int messages) {
    assumeTrue(wants(ending), "other endings are enough");
    try (Job job = open(2, Job.OPTIONS)) {
      Exchange exchange = new Exchange(job, kind, form, ending, memory, protocol.size(job.rank(0)));
      measure(kind.toString(), messages, exchange::repeat);
      exchange.close();
    }
  }

  /**
   * Does it until the compilers are done, that is, until it allocates nothing; then measures. More
   * under way than ever before makes a pool grow once: only what is allocated in every phase is
   * allocated by messages.
   */
  private void measure(String what, int all, IntConsumer repeat) {
    int messages = all / share();
    for (int i = 0; i < ROUNDS; i++) {
      long before = allocated();
      repeat.accept(Math.min(ROUND, all) / share());
      if (allocated() - before < 1024) {
        break;
      }
    }
    long bytes = Long.MAX_VALUE;
    for (int i = 0; i < PHASES && bytes >= MARGIN / share(); i++) {
      long before = allocated();
      repeat.accept(messages);
      bytes = allocated() - before;
    }
    assertThat(bytes).as("bytes allocated by %d × %s", messages, what).isLessThan(MARGIN / share());
  }

  private static long allocated() {
    return THREADS.getCurrentThreadAllocatedBytes();
  }
}
