package org.lacis.match;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Receives that wait outside of the table as long as it is not needed. */
class PatientMatcherTest {

  private static final class Item extends MatchEntry {
    Item(int source, int tag) {
      key = OrderedKeys.key(source, tag);
      hash = OrderedKeys.hash(source, tag);
    }
  }

  private static OrderedMatcher matcher(int maxReceives) {
    return new OrderedMatcher(1024, maxReceives, 3, false, true);
  }

  private static Item[] post(OrderedMatcher matcher, int count) {
    Item[] posted = new Item[count];
    for (int tag = 0; tag < count; tag++) {
      posted[tag] = new Item(1, tag);
      assertThat(matcher.insertReceive(posted[tag])).isNull();
    }
    return posted;
  }

  private static MatchEntry arrive(OrderedMatcher matcher, int tag) {
    return matcher.insertArrival(new Item(1, tag));
  }

  @Test
  void whatIsMatchedInItsOrderNeverGoesIntoTheTable() {
    var matcher = matcher(1000);
    for (int times = 0; times < 3; times++) {
      Item[] posted = post(matcher, 100);
      for (int tag = 0; tag < 100; tag += 2) {
        // Of two neighbours the second one first, which is near enough.
        assertThat(arrive(matcher, tag + 1)).isSameAs(posted[tag + 1]);
        assertThat(arrive(matcher, tag)).isSameAs(posted[tag]);
        assertThat(matcher.table.isEmpty()).isTrue();
      }
      assertThat(matcher.receives()).isZero();
    }
    assertThat(matcher.fallbacks()).isZero();
  }

  @Test
  void whatIsNotGoesThereOnceAndThenAtOnceForAWhile() {
    var matcher = matcher(1000);
    Item[] posted = post(matcher, 100);
    assertThat(arrive(matcher, 99)).isSameAs(posted[99]);
    assertThat(matcher.table.size()).isEqualTo(99);
    for (int tag = 98; tag >= 0; tag--) {
      assertThat(arrive(matcher, tag)).isSameAs(posted[tag]);
    }
    for (int times = 0; times < 8; times++) {
      posted = post(matcher, 100);
      assertThat(matcher.table.size()).as("at once, %d times before", times).isEqualTo(100);
      for (int tag = 0; tag < 100; tag++) {
        assertThat(arrive(matcher, tag)).isSameAs(posted[tag]);
      }
    }
    post(matcher, 100);
    assertThat(matcher.table.isEmpty()).as("that was long enough").isTrue();
    assertThat(matcher.fallbacks()).isZero();
    assertThat(matcher.returns()).isZero();
  }

  @Test
  void aMessageThatNobodyWantsLeavesAFewReceivesWhereTheyAre() {
    var matcher = matcher(1000);
    Item[] posted = post(matcher, 4);
    assertThat(arrive(matcher, 9)).isNull();
    assertThat(matcher.table.isEmpty()).isTrue();
    assertThat(matcher.receives()).isEqualTo(4);
    assertThat(matcher.arrivals()).isEqualTo(1);
    assertThat(matcher.remove(posted[2], 0)).isTrue();
    assertThat(arrive(matcher, 2)).isNull();
    assertThat(arrive(matcher, 3)).isSameAs(posted[3]);
  }

  @Test
  void whatTheTableHasNoRoomForStaysInTheListAndIsCounted() {
    var matcher = matcher(8);
    Item[] posted = post(matcher, 20);
    assertThat(matcher.fallbacks()).isZero();
    assertThat(arrive(matcher, 19)).isSameAs(posted[19]);
    assertThat(matcher.table.isFull()).isTrue();
    assertThat(matcher.fallbacks()).isEqualTo(12);
    assertThat(arrive(matcher, 0)).isSameAs(posted[0]);
    assertThat(matcher.returns()).isEqualTo(1);
    assertThat(matcher.insertReceive(new Item(1, 20))).isNull();
    assertThat(matcher.fallbacks()).isEqualTo(13);
    for (int tag = 18; tag > 0; tag--) {
      assertThat(arrive(matcher, tag)).isSameAs(posted[tag]);
    }
    assertThat(matcher.receives()).isEqualTo(1);
  }
}
