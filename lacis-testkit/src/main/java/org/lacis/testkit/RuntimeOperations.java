package org.lacis.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.function.BiConsumer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.lacis.Completion;
import org.lacis.Lacis;
import org.lacis.Post;
import org.lacis.Region;
import org.lacis.RemoteCompletion;
import org.lacis.RemoteRegion;
import org.lacis.Rights;
import org.lacis.testkit.BufferKind.Buffer;
import org.lacis.testkit.OperationCase.Form;

/**
 * Every operation, in both forms, of every size, in every kind of memory, with every kind of
 * completion object.
 */
interface RuntimeOperations extends RuntimeSuite {

  @ParameterizedTest
  @EnumSource
  default void whatIsSentIsReceived(Form form) {
    forEveryCase(form, RuntimeOperations::sendAndReceive);
  }

  @ParameterizedTest
  @EnumSource
  default void anActiveMessageSignalsItsTargetWithThePayload(Form form) {
    forEveryCase(form, RuntimeOperations::activeMessage);
  }

  @ParameterizedTest
  @EnumSource
  default void whatIsPutIsInTheRemoteRegion(Form form) {
    forEveryCase(form, (job, c) -> put(job, c, false));
  }

  @ParameterizedTest
  @EnumSource
  default void aPutWithSignalTellsTheTargetOnceTheDataIsThere(Form form) {
    forEveryCase(form, (job, c) -> put(job, c, true));
  }

  @ParameterizedTest
  @EnumSource
  default void whatIsGotIsWhatTheRemoteRegionHas(Form form) {
    forEveryCase(form, (job, c) -> get(job, c, false));
  }

  @ParameterizedTest
  @EnumSource
  default void aGetWithSignalTellsTheTargetThatTheDataWasRead(Form form) {
    forEveryCase(form, (job, c) -> get(job, c, true));
  }

  private void forEveryCase(Form form, BiConsumer<Job, OperationCase> action) {
    try (Job job = open(2)) {
      for (OperationCase c : OperationCase.all(form, job.rank(0))) {
        try {
          action.accept(job, c);
        } catch (RuntimeException e) {
          throw new AssertionError(c.toString(), e);
        }
      }
    }
  }

  private static void sendAndReceive(Job job, OperationCase c) {
    Lacis sender = job.rank(0);
    Lacis receiver = job.rank(1);
    Witness sent = Witness.of(c.ending(), sender);
    Witness received = Witness.of(c.ending(), receiver);
    try (Buffer from = c.memory().allocate(sender, c.size());
        Buffer to = c.memory().allocate(receiver, c.size())) {
      c.fill(from.segment());
      Post receive =
          job.insist("a receive", () -> recv(receiver, c, to.segment(), received.completion()));
      assertThat(receive).as("%s: answer to the receive", c).isEqualTo(Post.POSTED);
      Post send = job.insist("a send", () -> send(sender, c, from.segment(), sent.completion()));
      job.await(c + ": receive", received, receive);
      job.await(c + ": send", sent, send);
      c.check(to.segment());
      c.checkLocal(received, receive, 0, c.tag(), to.segment());
      c.checkLocal(sent, send, 1, c.tag(), from.segment());
    }
  }

  private static Post send(Lacis lacis, OperationCase c, MemorySegment buffer, Completion done) {
    return c.fluent()
        ? lacis.send().tag(c.tag()).to(1).context(c).buffer(buffer).post(done)
        : lacis.send(1, buffer, c.tag(), done);
  }

  private static Post recv(Lacis lacis, OperationCase c, MemorySegment buffer, Completion done) {
    return c.fluent()
        ? lacis.recv().buffer(buffer).context(c).from(0).tag(c.tag()).post(done)
        : lacis.recv(0, buffer, c.tag(), done);
  }

  private static void activeMessage(Job job, OperationCase c) {
    Lacis sender = job.rank(0);
    Witness sent = Witness.of(c.ending(), sender);
    Witness arrived = Witness.of(c.ending(), job.rank(1));
    RemoteCompletion target = job.rank(1).register(arrived.completion());
    try (Buffer from = c.memory().allocate(sender, c.size())) {
      MemorySegment buffer = from.segment();
      c.fill(buffer);
      Post answer =
          job.insist(
              "an active message",
              () ->
                  c.fluent()
                      ? sender
                          .am()
                          .target(target)
                          .buffer(buffer)
                          .to(1)
                          .tag(c.tag())
                          .context(c)
                          .post(sent.completion())
                      : sender.am(1, buffer, c.tag(), target, sent.completion()));
      job.await(c + ": active message", sent, answer);
      job.until("the arrival of " + c, arrived::heard);
      c.checkLocal(sent, answer, 1, c.tag(), buffer);
      if (c.ending().tells()) {
        c.checkTold(arrived.told(), 0, c.tag());
        c.check(arrived.told().payload());
      }
    }
  }

  private static void put(Job job, OperationCase c, boolean signal) {
    Lacis origin = job.rank(0);
    Witness done = Witness.of(c.ending(), origin);
    Witness told = Witness.of(c.ending(), job.rank(1));
    RemoteCompletion target = job.rank(1).register(told.completion());
    int offset = 24;
    try (Buffer from = c.memory().allocate(origin, c.size());
        Buffer to = c.memory().allocate(job.rank(1), c.size() + 40);
        Region region = job.rank(1).register(to.segment(), Rights.WRITE)) {
      MemorySegment local = from.segment();
      RemoteRegion remote = region.remote();
      c.fill(local);
      Post answer =
          job.insist("a put", () -> put(origin, c, signal, local, remote, offset, target, done));
      job.await(c + ": put", done, answer);
      if (signal) {
        job.until("the signal of " + c, told::heard);
        checkSignal(c, told);
      } else {
        job.until(
            "the data of " + c + " to be there",
            () -> Pattern.mismatch(to.segment(), offset, c.size(), c.number()) < 0);
      }
      c.check(to.segment().asSlice(offset));
      assertThat(isZero(to.segment().asSlice(0, offset))).as("%s: bytes before", c).isTrue();
      assertThat(isZero(to.segment().asSlice(offset + c.size())))
          .as("%s: bytes behind", c)
          .isTrue();
      c.checkLocal(done, answer, 1, signal ? c.tag() : 0, local);
    }
  }

  private static Post put(
      Lacis lacis,
      OperationCase c,
      boolean signal,
      MemorySegment local,
      RemoteRegion remote,
      long offset,
      RemoteCompletion target,
      Witness done) {
    Completion completion = done.completion();
    if (!c.fluent()) {
      return signal
          ? lacis.put(local, remote, offset, c.tag(), target, completion)
          : lacis.put(local, remote, offset, completion);
    }
    var posting = lacis.put().remote(remote, offset).context(c).buffer(local);
    return signal
        ? posting.tag(c.tag()).target(target).post(completion)
        : posting.to(1).post(completion);
  }

  private static void get(Job job, OperationCase c, boolean signal) {
    Lacis origin = job.rank(0);
    Witness done = Witness.of(c.ending(), origin);
    Witness told = Witness.of(c.ending(), job.rank(1));
    RemoteCompletion target = job.rank(1).register(told.completion());
    int offset = 16;
    try (Buffer to = c.memory().allocate(origin, c.size());
        Buffer from = c.memory().allocate(job.rank(1), c.size() + offset);
        Region region = job.rank(1).register(from.segment(), Rights.READ)) {
      MemorySegment local = to.segment();
      RemoteRegion remote = region.remote().slice(8, c.size() + 8);
      c.fill(from.segment().asSlice(offset));
      Post answer =
          job.insist("a get", () -> get(origin, c, signal, local, remote, 8, target, done));
      job.await(c + ": get", done, answer);
      c.check(local);
      c.checkLocal(done, answer, 1, signal ? c.tag() : 0, local);
      if (signal) {
        job.until("the signal of " + c, told::heard);
        checkSignal(c, told);
      }
    }
  }

  private static Post get(
      Lacis lacis,
      OperationCase c,
      boolean signal,
      MemorySegment local,
      RemoteRegion remote,
      long offset,
      RemoteCompletion target,
      Witness done) {
    Completion completion = done.completion();
    if (!c.fluent()) {
      return signal
          ? lacis.get(local, remote, offset, c.tag(), target, completion)
          : lacis.get(local, remote, offset, completion);
    }
    var posting = lacis.get().buffer(local).remote(remote, offset).context(c);
    return signal
        ? posting.target(target).tag(c.tag()).post(completion)
        : posting.from(1).post(completion);
  }

  /** A signal says who moved how much, and brings nothing along. */
  private static void checkSignal(OperationCase c, Witness told) {
    if (c.ending().tells()) {
      c.checkTold(told.told(), 0, c.tag());
      assertThat(told.told().buffer()).as("%s: payload of a signal", c).isNull();
    }
  }

  private static boolean isZero(MemorySegment segment) {
    return segment.mismatch(MemorySegment.ofArray(new byte[(int) segment.byteSize()])) < 0;
  }
}
