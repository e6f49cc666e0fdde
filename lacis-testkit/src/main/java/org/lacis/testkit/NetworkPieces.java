package org.lacis.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.lacis.net.NetContext;
import org.lacis.net.NetDevice;
import org.lacis.net.NetPieces;
import org.lacis.testkit.NetworkData.Kind;

/** Puts and gets in pieces, of which a network may move several at once. */
public interface NetworkPieces extends NetworkSuite {

  /** A piece, and what it should look like. */
  record Piece(
      Kind near,
      Kind far,
      MemorySegment local,
      long offset,
      MemorySegment remote,
      long key,
      long keyOffset,
      long content,
      int length) {

    byte[] bytes() {
      return NetworkData.bytes(content, length);
    }
  }

  /** Any number of any length, at odd places of any kind of memory; nothing around them changes. */
  @ByRanks
  default void piecesAreMovedToTheirPlacesWhateverTheyAre(int ranks, RandomGenerator random) {
    Kind[] kinds = {Kind.NATIVE, Kind.NATIVE, Kind.ALLOCATED, Kind.CONFINED, Kind.HEAP_BYTES};
    int[] lengths = {0, 1, 100, 5000, 70_000, 200_000};
    try (var rig = new NetworkRig(open(ranks))) {
      int to = rig.last();
      for (int trial = 0; trial < 20; trial++) {
        boolean put = trial % 2 == 0;
        List<Piece> all = new ArrayList<>();
        for (int i = random.nextInt(random.nextBoolean() ? 9 : 100); i >= 0; i--) {
          Kind near = kinds[random.nextInt(trial < 10 ? 3 : kinds.length)];
          Kind far = kinds[random.nextInt(trial < 10 ? 3 : kinds.length)];
          all.add(piece(rig, to, near, far, lengths[random.nextInt(lengths.length)], random, put));
        }
        assertThat(move(rig, put, to, pieces(all))).isEqualTo(NetDevice.OK);
        for (Piece piece : all) {
          expect(put ? piece.remote : piece.local, put ? piece.keyOffset : piece.offset, piece);
          rig.context(to).deregister(piece.key);
          NetworkTransfers.free(rig.context(0), piece.near, piece.local);
          NetworkTransfers.free(rig.context(to), piece.far, piece.remote);
        }
      }
    }
  }

  /**
   * A key that has ended fails its piece, and those that were moved before it are where they are.
   */
  @ByRanks
  default void aPieceThatIsRefusedIsToldOfWhenItIsItsTurn(int ranks, RandomGenerator random) {
    try (var rig = new NetworkRig(open(ranks))) {
      int to = rig.last();
      List<Piece> all = new ArrayList<>();
      for (int i = 0; i < 6; i++) {
        all.add(piece(rig, to, Kind.NATIVE, Kind.NATIVE, 1 + i * 20_000, random, true));
      }
      NetPieces pieces = pieces(all);
      rig.context(to).deregister(all.get(4).key);
      assertThat(move(rig, true, to, pieces)).isEqualTo(NetDevice.NO_ACCESS);
      for (Piece piece : all.subList(0, 4)) {
        expect(piece.remote, piece.keyOffset, piece);
      }
    }
  }

  private static Piece piece(
      NetworkRig rig,
      int to,
      Kind near,
      Kind far,
      int length,
      RandomGenerator random,
      boolean put) {
    long content = random.nextLong();
    long offset = random.nextInt(100);
    long keyOffset = random.nextInt(100);
    MemorySegment local = NetworkData.memory(near, length + 200, rig.context(0));
    MemorySegment remote = NetworkData.memory(far, length + 200, rig.context(to));
    NetworkData.fill(
        put ? local : remote, put ? offset : keyOffset, NetworkData.bytes(content, length));
    long key =
        rig.context(to)
            .register(remote, 0, remote.byteSize(), put ? NetContext.WRITE : NetContext.READ);
    assertThat(key).isNotZero();
    return new Piece(near, far, local, offset, remote, key, keyOffset, content, length);
  }

  private static NetPieces pieces(List<Piece> all) {
    var pieces = new NetPieces();
    for (Piece piece : all) {
      pieces.add(piece.local, piece.offset, piece.length, piece.key, piece.keyOffset);
    }
    return pieces;
  }

  /** Sets off one after the other, each when those before it have ended. */
  private static int move(NetworkRig rig, boolean put, int to, NetPieces pieces) {
    int result = NetDevice.OK;
    while (result == NetDevice.OK && pieces.next() < pieces.count()) {
      int before = pieces.next();
      result = rig.transfer(0, "pieces", c -> rig.device(0).transfer(put, to, pieces, c));
      if (result == NetDevice.OK) {
        assertThat(pieces.next()).as("the next piece").isGreaterThan(before);
      }
    }
    return result;
  }

  private static void expect(MemorySegment memory, long offset, Piece piece) {
    MemorySegment expected = MemorySegment.ofArray(new byte[(int) memory.byteSize()]);
    NetworkData.fill(expected, offset, piece.bytes());
    assertThat(expected.mismatch(memory))
        .as("first wrong byte of %d at offset %d", piece.length, offset)
        .isEqualTo(-1);
  }
}
