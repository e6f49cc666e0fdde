package org.lacis.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CellRingTest {

  @ParameterizedTest
  @ValueSource(ints = {-1, 0, 1, 3, 1000, Integer.MIN_VALUE})
  void theCapacityIsAPowerOfTwo(int capacity) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new CellRing(capacity))
        .withMessageContaining("not " + capacity);
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 4, 1024})
  void cellsAreReadInTheOrderTheyWereWrittenLapAfterLap(int capacity) {
    var ring = new CellRing(capacity);
    var cells = new long[capacity];
    long written = 0;
    long read = 0;
    for (int lap = 0; lap < 10; lap++) {
      // A different number each lap, so that positions meet the end of the ring in all ways.
      for (int i = 0; i < 1 + lap % capacity; i++) {
        int cell = ring.claimWrite();
        cells[cell] = written++;
        ring.publish(cell);
      }
      assertThat(ring.size()).isEqualTo((int) (written - read));
      while (read < written) {
        int cell = ring.claimRead();
        assertThat(cells[cell]).isEqualTo(read++);
        ring.free(cell);
      }
      assertThat(ring.claimRead()).isEqualTo(-1);
      assertThat(ring.size()).isZero();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 4, 1024})
  void aFullRingHasNoCellToWriteUntilOneIsFreed(int capacity) {
    var ring = new CellRing(capacity);
    var claimed = new HashSet<Integer>();
    for (int i = 0; i < capacity; i++) {
      int cell = ring.claimWrite();
      assertThat(claimed.add(cell)).isTrue();
      ring.publish(cell);
    }
    assertThat(claimed).allMatch(cell -> cell >= 0 && cell < capacity);
    assertThat(ring.claimWrite()).isEqualTo(-1);
    assertThat(ring.size()).isEqualTo(capacity);
    int cell = ring.claimRead();
    assertThat(ring.claimWrite()).as("claimed for reading, not yet freed").isEqualTo(-1);
    ring.free(cell);
    assertThat(ring.claimWrite()).isEqualTo(cell);
    assertThat(ring.claimWrite()).isEqualTo(-1);
  }

  @Test
  void aCellThatIsNotYetPublishedHidesThoseBehindIt() {
    var ring = new CellRing(8);
    int first = ring.claimWrite();
    int second = ring.claimWrite();
    ring.publish(second);
    assertThat(ring.claimRead()).isEqualTo(-1);
    ring.publish(first);
    assertThat(ring.claimRead()).isEqualTo(first);
    assertThat(ring.claimRead()).isEqualTo(second);
    assertThat(ring.claimRead()).isEqualTo(-1);
  }

  private static final class Cell {
    int writer;
    int number;
  }

  @ParameterizedTest(name = "{0} writers, {1} readers, {2} cells")
  @CsvSource({"1,1,2", "1,1,1024", "2,2,2", "4,1,64", "1,4,64", "3,3,8", "2,2,1024"})
  void nothingIsLostOrDoubledAndEachWritersOrderIsKept(int writers, int readers, int capacity)
      throws Exception {
    int each = 60_000 / writers;
    var ring = new CellRing(capacity);
    var cells = new Cell[capacity];
    for (int i = 0; i < capacity; i++) {
      cells[i] = new Cell();
    }
    var left = new AtomicInteger(writers * each);
    List<List<int[]>> seen = new ArrayList<>();
    for (int i = 0; i < readers; i++) {
      seen.add(new ArrayList<>());
    }

    Together.run(
        writers + readers,
        who -> {
          if (who < writers) {
            write(ring, cells, who, each);
          } else {
            read(ring, cells, seen.get(who - writers), left);
          }
        });

    var counts = new int[writers][each];
    for (var one : seen) {
      var last = new int[writers];
      for (int[] message : one) {
        counts[message[0]][message[1]]++;
        assertThat(message[1] + 1).as("order").isGreaterThan(last[message[0]]);
        last[message[0]] = message[1] + 1;
      }
    }
    for (var count : counts) {
      assertThat(count).containsOnly(1);
    }
    assertThat(ring.size()).isZero();
  }

  private static void write(CellRing ring, Cell[] cells, int writer, int count) {
    for (int number = 0; number < count; number++) {
      int at = ring.claimWrite();
      while (at < 0) {
        Thread.yield();
        at = ring.claimWrite();
      }
      cells[at].writer = writer;
      cells[at].number = number;
      ring.publish(at);
    }
  }

  private static void read(CellRing ring, Cell[] cells, List<int[]> into, AtomicInteger left) {
    while (left.get() > 0) {
      int at = ring.claimRead();
      if (at < 0) {
        Thread.yield();
        continue;
      }
      into.add(new int[] {cells[at].writer, cells[at].number});
      cells[at].writer = -1;
      ring.free(at);
      left.decrementAndGet();
    }
  }
}
