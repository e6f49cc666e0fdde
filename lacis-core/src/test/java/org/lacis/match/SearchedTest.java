package org.lacis.match;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** How many entries a search looks at. */
class SearchedTest {
  private static final class Item extends MatchEntry {
    Item(int open, int source, int tag) {
      key = OrderedKeys.key(open, source, tag);
      hash = OrderedKeys.hash(source, tag);
    }
  }

  @Test
  void aListIsSearchedFromTheOldestOn() {
    var list = new ListMatcher();
    for (int tag = 0; tag < 10; tag++) {
      list.insertReceive(new Item(0, 1, tag));
    }
    assertThat(byMessage(list, 1, 0)).isEqualTo(1);
    assertThat(byMessage(list, 1, 9)).isEqualTo(10);
    assertThat(byMessage(list, 2, 0)).as("none is found").isEqualTo(10);
    for (int tag = 20; tag < 25; tag++) {
      list.insertArrival(new Item(0, 1, tag));
    }
    assertThat(list.searchedByReceive(OrderedKeys.key(1, 23))).isEqualTo(4);
    assertThat(list.receives()).as("nothing has changed").isEqualTo(10);
    assertThat(list.arrivals()).isEqualTo(5);
  }

  @Test
  void ofIndexesOneBinEachIsSearched() {
    var ordered = new OrderedMatcher(1024, 8);
    for (int tag = 0; tag < 6; tag++) {
      ordered.insertReceive(new Item(0, 1, tag));
    }
    assertThat(byMessage(ordered, 1, 5)).isEqualTo(1);
    ordered.insertReceive(new Item(OrderedKeys.ANY_SOURCE, 0, 5));
    assertThat(byMessage(ordered, 1, 5)).as("one of each index").isEqualTo(2);
    ordered.insertArrival(new Item(0, 3, 7));
    assertThat(ordered.searchedByReceive(OrderedKeys.key(3, 7))).isEqualTo(1);
    assertThat(ordered.searchedByReceive(new Item(3, 0, 0).key)).isEqualTo(1);
  }

  @Test
  void oneBinIsAListAndSoIsWhatDoesNotFitTheTable() {
    var ordered = new OrderedMatcher(1, 4);
    for (int tag = 0; tag < 10; tag++) {
      ordered.insertReceive(new Item(0, 1, tag));
    }
    assertThat(byMessage(ordered, 1, 3)).isEqualTo(4);
    assertThat(byMessage(ordered, 1, 9)).isEqualTo(10);
    assertThat(byMessage(ordered, 1, 99)).isEqualTo(10);
  }

  private static long byMessage(LockedMatcher matcher, int source, int tag) {
    return matcher.searchedByMessage(OrderedKeys.key(source, tag), OrderedKeys.hash(source, tag));
  }
}
