package org.lacis.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MissesTest {

  private final Misses misses = new Misses();
  private final BitSet running = new BitSet();
  private final BitSet lost = new BitSet();

  MissesTest() {
    running.set(0, 4);
  }

  private void miss(int by, int rank, long dueAt) {
    misses.add(by, rank, dueAt, by + " misses " + rank);
  }

  /** Everybody who is to be ended, in this order, each gone at once. */
  private List<Integer> decideAll(long now) {
    List<Integer> ended = new ArrayList<>();
    for (Misses.Verdict verdict = misses.decide(now, running, lost);
        verdict != null;
        verdict = misses.decide(now, running, lost)) {
      assertThat(verdict.why()).isEqualTo(verdict.by() + " misses " + verdict.rank());
      ended.add(verdict.rank());
      lost.set(verdict.rank());
    }
    return ended;
  }

  @Test
  void whoIsMissedIsEndedWhenItsTimeHasCome() {
    assertThat(misses.due()).isEqualTo(Long.MAX_VALUE);
    miss(0, 2, 200);
    miss(1, 2, 100);
    assertThat(misses.due()).isEqualTo(100);
    assertThat(decideAll(99)).isEmpty();
    assertThat(decideAll(300)).containsExactly(2);
    assertThat(misses.due()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void whatIsSaidOfRanksThatHaveEndedOrByThoseThatHaveFailedIsVoid() {
    miss(0, 2, 100);
    miss(3, 1, 100);
    running.clear(2);
    lost.set(3);
    assertThat(decideAll(200)).isEmpty();
  }

  @Test
  void whatWasSaidByRanksThatHaveEndedInGoodOrderHolds() {
    miss(0, 2, 100);
    miss(2, 0, 100);
    running.clear(0);
    assertThat(decideAll(200)).containsExactly(2);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void ofTwoThatMissEachOtherTheHigherIsEndedWhoeverSaysItFirst(boolean higherFirst) {
    miss(higherFirst ? 3 : 1, higherFirst ? 1 : 3, 100);
    miss(higherFirst ? 1 : 3, higherFirst ? 3 : 1, 110);
    assertThat(decideAll(200)).containsExactly(3);
  }

  @Test
  void theLargerPartStays() {
    for (int other = 1; other < 4; other++) {
      miss(0, other, 100);
      miss(other, 0, 101);
    }
    assertThat(decideAll(200)).containsExactly(0);
    assertThat(lost.cardinality()).isEqualTo(1);
  }

  @Test
  void ofEqualPartsThatOfTheLowestRankStays() {
    for (int a = 0; a < 2; a++) {
      for (int b = 2; b < 4; b++) {
        miss(b, a, 100);
        miss(a, b, 120);
      }
    }
    assertThat(decideAll(200)).containsExactlyInAnyOrder(2, 3);
  }

  @Test
  void whoHasNotNoticedInTimeCountsWithThoseItReaches() {
    for (int b = 2; b < 4; b++) {
      miss(b, 0, 100);
      miss(b, 1, 100);
      miss(0, b, 120);
    }
    assertThat(decideAll(200)).containsExactlyInAnyOrder(2, 3);
  }

  @Test
  void whoHasNoticedHalfOfItCountsForAllOfIt() {
    for (int b = 2; b < 4; b++) {
      miss(b, 0, 100);
      miss(b, 1, 100);
    }
    miss(0, 2, 120);
    miss(1, 3, 120);
    List<Integer> ended = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      Misses.Verdict verdict = misses.decide(200, running, lost);
      assertThat(verdict).isNotNull();
      ended.add(verdict.rank());
      lost.set(verdict.rank());
    }
    assertThat(ended).containsExactlyInAnyOrder(2, 3);
  }

  @Test
  void ofEqualPartsThatOfTheLowestRankStaysWhicheverPairIsFirst() {
    for (int a : new int[] {3, 0}) {
      for (int b = 2; b > 0; b--) {
        miss(a, b, 100);
        miss(b, a, 100);
      }
    }
    assertThat(decideAll(200)).containsExactlyInAnyOrder(1, 2);
  }

  @Test
  void aRankThatIsStoppedIsEndedThoughItIsTheLowest() {
    miss(2, 0, 100);
    miss(1, 0, 100);
    assertThat(decideAll(200)).containsExactly(0);
  }
}
