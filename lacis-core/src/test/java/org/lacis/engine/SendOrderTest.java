package org.lacis.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;

/** The numbers of messages. */
class SendOrderTest {

  private static final int RANK = 1;
  private static final long LAST = 0xffff_ffffL;

  private final SendOrder order = new SendOrder(2);

  private long sent() {
    long number = order.hold(RANK, false);
    order.letGo(RANK, number, true);
    return number;
  }

  @Test
  void areGivenInOrderToEachReceiver() {
    assertThat(sent()).isZero();
    assertThat(sent()).isEqualTo(1);
    assertThat(order.hold(0, false)).isZero();
    order.letGo(0, 0, true);
    assertThat(sent()).isEqualTo(2);
  }

  @Test
  void areGivenAgainIfTheMessageWasNotSent() {
    sent();
    long number = order.hold(RANK, false);
    order.letGo(RANK, number, false);
    assertThat(sent()).isEqualTo(number);
  }

  @Test
  void beginAgainAfterTheLast() {
    order.hold(RANK, false);
    order.letGo(RANK, LAST - 1, true);
    assertThat(sent()).isEqualTo(LAST);
    assertThat(sent()).isZero();
  }

  @Test
  void areNotGivenWhileAnotherMessageIsPosted() throws Exception {
    long number = order.hold(RANK, false);
    var answer = new long[1];
    Thread other = Thread.ofPlatform().start(() -> answer[0] = order.hold(RANK, false));
    other.join();
    assertThat(answer[0]).isEqualTo(SendOrder.BUSY);
    order.letGo(RANK, number, true);
    assertThat(sent()).isEqualTo(number + 1);
  }

  /** All numbers are given once, whoever asks, and whether or not it waits. */
  @Test
  void areGivenOnceToManyThreads() throws Exception {
    int each = 20_000;
    var given = new AtomicIntegerArray(3 * each);
    Together.run(
        3,
        who -> {
          for (int i = 0; i < each; ) {
            long number = order.hold(RANK, who == 0);
            if (number != SendOrder.BUSY) {
              given.incrementAndGet((int) number);
              order.letGo(RANK, number, true);
              i++;
            }
          }
        });
    for (int i = 0; i < given.length(); i++) {
      assertThat(given.get(i)).as("number %d", i).isEqualTo(1);
    }
  }
}
