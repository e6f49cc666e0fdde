package org.lacis.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.ThreadMXBean;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.Locale;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.lacis.Counter;
import org.lacis.Lacis;
import org.lacis.LacisOptions;
import org.lacis.MatchingOptions;
import org.lacis.match.MatchEntry;
import org.lacis.match.OrderedKeys;
import org.lacis.match.OrderedMatcher;

/**
 * How many bytes a posted receive takes of an ordered engine: of its tables, which are there from
 * the beginning, and in all, with the operation that each receive is. What a thread allocates is
 * counted by the JVM, exactly; the heap in use is told beside it.
 */
class ReceiveMemoryTest {
  private static final int MOST_OF_TABLES = 96;
  private static final int RECEIVES = 100_000;
  private static final int BINS = 1024;

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private static final class Receive extends MatchEntry {
    Receive(int tag) {
      key = OrderedKeys.key(0, tag);
      hash = OrderedKeys.hash(0, tag);
    }
  }

  @BeforeEach
  void theJvmCounts() {
    assumeTrue(THREADS.isThreadAllocatedMemorySupported(), "this JVM does not count allocations");
  }

  @Test
  void aReceiveTakesNoMoreOfTheTablesThanIsPromised() {
    for (int receives : new int[] {MatchingOptions.DEFAULT_MAX_RECEIVES, RECEIVES}) {
      tables(receives); // classes are loaded
      double each = (double) tables(receives) / receives;
      tell("tables for %,d receives: %.1f bytes each", receives, each);
      assertThat(each).isPositive().isLessThanOrEqualTo(MOST_OF_TABLES);
    }
  }

  private static long tables(int receives) {
    long before = THREADS.getCurrentThreadAllocatedBytes();
    var matcher = new OrderedMatcher(BINS, receives);
    long bytes = THREADS.getCurrentThreadAllocatedBytes() - before;
    assertThat(matcher.receives()).isZero();
    return bytes;
  }

  @Test
  void postingIntoTheTablesTakesNothingMore() {
    var matcher = new OrderedMatcher(BINS, RECEIVES);
    var receives = new Receive[RECEIVES];
    Arrays.setAll(receives, Receive::new);
    new OrderedMatcher(BINS, 1).insertReceive(new Receive(0)); // classes are loaded
    long before = THREADS.getCurrentThreadAllocatedBytes();
    for (Receive receive : receives) {
      matcher.insertReceive(receive);
    }
    long bytes = THREADS.getCurrentThreadAllocatedBytes() - before;
    assertThat(matcher.receives()).isEqualTo(RECEIVES);
    assertThat(matcher.fallbacks()).isZero();
    assertThat(bytes).as("bytes for %d receives", RECEIVES).isLessThan(RECEIVES);
  }

  /** There is no limit yet: an operation is for sends and transfers too, and has what they need. */
  @Test
  void whatAReceiveTakesInAllIsTold() {
    var options =
        LacisOptions.defaults()
            .withMatching(MatchingOptions.ordered().bins(BINS).maxReceives(RECEIVES));
    try (Arena arena = Arena.ofConfined();
        Lacis lacis = Lacis.open(options)) {
      MemorySegment buffer = arena.allocate(8);
      Counter done = lacis.newCounter();
      post(lacis, buffer, 0, done); // classes are loaded, and the first operations are there
      long heap = heap();
      long before = THREADS.getCurrentThreadAllocatedBytes();
      for (int tag = 1; tag <= RECEIVES; tag++) {
        post(lacis, buffer, tag, done);
      }
      double allocated = (double) (THREADS.getCurrentThreadAllocatedBytes() - before) / RECEIVES;
      double kept = (double) (heap() - heap) / RECEIVES;
      double tables = (double) tables(RECEIVES) / RECEIVES;
      tell(
          "%,d receives posted: %.0f bytes each in the tables, %.0f more on the heap (%.0f"
              + " allocated), %.0f outside it, %.0f in all",
          RECEIVES,
          tables,
          kept,
          allocated,
          (double) StatusRecord.INLINE_BYTES,
          tables + kept + StatusRecord.INLINE_BYTES);
      assertThat(done.count()).isZero();
      assertThat(allocated).isPositive();
    }
  }

  private static void post(Lacis lacis, MemorySegment buffer, int tag, Counter done) {
    assertThat(lacis.recv(lacis.rank(), buffer, tag, done).isRetry()).isFalse();
  }

  /** The heap in use, of what can still be reached. */
  private static long heap() {
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }

  private static void tell(String format, Object... values) {
    System.out.println("memory: " + String.format(Locale.ROOT, format, values));
  }
}
