package org.lacis.trace.depth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.lacis.trace.Call;
import org.lacis.trace.CallType;

/** Receives that come and go in all the ways there are. */
class RankDepthTest {
  private final RankDepth depth =
      new RankDepth(0, DepthOptions.DEFAULT.withBins(List.of(1, 4)).withHash(BinHash.SUM));
  private final Call call = new Call();

  @Test
  void receivesCollideInTheirBin() {
    irecv(0, 0, 2, 10);
    irecv(4, 0, 2, 11);
    irecv(1, 0, 2, 12);
    waitAll(10, 11, 12);
    RankProfile profile = depth.finish();
    assertThat(profile.bins.get(0).collisions[0]).isEqualTo(2);
    assertThat(profile.bins.get(0).sums[0]).isEqualTo(1 + 2);
    assertThat(profile.bins.get(0).greatest).isEqualTo(2);
    assertThat(profile.bins.get(1).collisions[0]).isEqualTo(1);
    assertThat(profile.bins.get(1).greatest).isEqualTo(1);
    assertThat(profile.bins.get(1).leastEmpty).isEqualTo(2);
    assertThat(profile.mostPosted).isEqualTo(3);
  }

  @Test
  void onlyTheRequestThatIsCompleteLeaves() {
    irecv(0, 0, 2, 10);
    irecv(0, 1, 2, 11);
    make("MPI_Waitany");
    list("requests", 10, 11);
    set("index", 1);
    depth.call(call);
    wait(10);
    assertThat(points()).isEqualTo(List.of(1, 0));
  }

  @Test
  void aTestThatFailsCompletesNothing() {
    irecv(0, 0, 2, 10);
    irecv(0, 1, 2, 11);
    for (int flag : new int[] {0, 1}) {
      make("MPI_Testall");
      list("requests", 10, 11);
      set("flag", flag);
      depth.call(call);
    }
    assertThat(points()).isEqualTo(List.of(0));
    assertThat(depth.finish().points).isEqualTo(1);
  }

  @Test
  void persistentReceivesComeAgain() {
    make("MPI_Recv_init");
    set("source", -1);
    set("tag", 3);
    set("request", 10);
    depth.call(call);
    for (int i = 0; i < 3; i++) {
      make("MPI_Start");
      set("request", 10);
      depth.call(call);
      wait(10);
    }
    RankProfile profile = depth.finish();
    assertThat(profile.receives[Wildcards.SOURCE.ordinal()]).isEqualTo(3);
    assertThat(profile.mostPosted).isEqualTo(1);
  }

  @Test
  void aRequestThatIsUsedAgainEndsWhatItWas() {
    irecv(0, 0, 2, 10);
    irecv(0, 0, 2, 10);
    make("MPI_Isend");
    set("request", 10);
    depth.call(call);
    assertThat(depth.finish().mostPosted).isEqualTo(1);
  }

  @Test
  void aReceiveFromNobodyIsNotPosted() {
    irecv(-2, 0, 2, 10);
    wait(10);
    RankProfile profile = depth.finish();
    assertThat(profile.mostPosted).isZero();
    assertThat(profile.receives).containsOnly(0);
  }

  @Test
  void moreBinsThanTheHashHasValuesAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DepthOptions.DEFAULT.withBins(List.of(1, 512)))
        .withMessage("512 bins: with the hash PEARSON there can be 1 to 256");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DepthOptions.DEFAULT.withBins(List.of(0)));
  }

  private List<Integer> points() {
    Series series = depth.finish().bins.get(0).points;
    int[] values = new int[series.length()];
    series.addTo(values);
    return Arrays.stream(values).boxed().toList();
  }

  private void irecv(int source, int tag, int comm, int request) {
    make("MPI_Irecv");
    set("source", source);
    set("tag", tag);
    set("comm", comm);
    set("request", request);
    depth.call(call);
  }

  private void wait(int request) {
    make("MPI_Wait");
    set("request", request);
    depth.call(call);
  }

  private void waitAll(int... requests) {
    make("MPI_Waitall");
    list("requests", requests);
    depth.call(call);
  }

  private void make(String name) {
    call.reset(CallType.named(name), 0);
  }

  private void set(String field, int value) {
    call.value(call.type().indexOf(field), value);
  }

  private void list(String field, int... values) {
    int at = call.type().indexOf(field);
    System.arraycopy(values, 0, call.array(at, values.length, 1), 0, values.length);
  }
}
