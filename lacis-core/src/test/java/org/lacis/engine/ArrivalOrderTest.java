package org.lacis.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Messages that come before one that was sent earlier. */
class ArrivalOrderTest {

  private static final int RANK = 1;

  private final ArrivalOrder order = new ArrivalOrder(2);

  @SuppressWarnings("NullAway")
  private static Operation message(int number) {
    var message = new Operation(null, 0, MemorySegment.NULL);
    message.immediate = Frame.order(number, 0);
    return message;
  }

  private void keep(int number) {
    assertThat(order.tryHold(RANK)).isTrue();
    order.keep(RANK, message(number));
    order.letGo(RANK);
  }

  /** The message that all have waited for is there: those that follow it, as they are given. */
  private List<Integer> advanced() {
    assertThat(order.tryHold(RANK)).isTrue();
    List<Integer> numbers = new ArrayList<>();
    for (Operation next = order.advance(RANK); next != null; next = order.advance(RANK)) {
      assertThat(next.link).isNull();
      numbers.add(Frame.number(next.immediate));
    }
    return numbers;
  }

  private static List<Integer> numbers(int from, int to) {
    return new ArrayList<>(IntStream.range(from, to).boxed().toList());
  }

  @Test
  void messagesThatComeInOrder() {
    numbers(1, 100).forEach(this::keep);
    assertThat(advanced()).isEqualTo(numbers(1, 100));
    assertThat(order.parked()).isEqualTo(99);
  }

  @Test
  void messagesThatComeInReverse() {
    numbers(1, 100).reversed().forEach(this::keep);
    assertThat(advanced()).isEqualTo(numbers(1, 100));
  }

  @Test
  void messagesThatComeInAnyOrder() {
    for (int seed = 0; seed < 100; seed++) {
      var fresh = new ArrivalOrderTest();
      List<Integer> numbers = numbers(1, 50);
      Collections.shuffle(numbers, new Random(seed));
      numbers.forEach(fresh::keep);
      assertThat(fresh.advanced()).as("seed %d", seed).isEqualTo(numbers(1, 50));
    }
  }

  @Test
  void messagesThatComeAfterOthersWereGiven() {
    keep(2);
    keep(1);
    keep(5);
    assertThat(advanced()).containsExactly(1, 2);
    keep(4);
    keep(6);
    assertThat(advanced()).containsExactly(4, 5, 6);
    keep(8);
    keep(9);
    assertThat(advanced()).containsExactly(8, 9);
  }

  @Test
  void messagesThatComeAfterOthersWereDrained() {
    keep(1);
    keep(3);
    List<Integer> drained = new ArrayList<>();
    order.drain(message -> drained.add(Frame.number(message.immediate)));
    assertThat(drained).containsExactly(1, 3);
    keep(2);
    keep(1);
    assertThat(advanced()).containsExactly(1, 2);
  }

  /** A walk to the end for each would take a minute. */
  @Test
  @Timeout(20)
  void manyMessagesThatComeInOrderAreKeptInNoTime() {
    numbers(1, 100_000).forEach(this::keep);
    assertThat(advanced()).hasSize(99_999);
  }
}
