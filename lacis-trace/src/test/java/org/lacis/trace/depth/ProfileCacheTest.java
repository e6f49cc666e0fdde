package org.lacis.trace.depth;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lacis.trace.CallType;
import org.lacis.trace.RankTrace;
import org.lacis.trace.Samples;
import org.lacis.trace.Trace;
import org.lacis.trace.Traces;

class ProfileCacheTest {
  @TempDir Path folder;
  private Path trace;
  private Path cacheFolder;
  private ProfileCache cache;

  @BeforeEach
  void copy() throws IOException {
    trace = Samples.unpacked("halo2d_mpich", folder);
    try (Stream<Path> files = Files.list(trace)) {
      for (Path file : files.toList()) {
        Files.setLastModifiedTime(file, FileTime.fromMillis(1_000_000));
      }
    }
    cacheFolder = folder.resolve("cache");
    cache = new ProfileCache(cacheFolder);
  }

  @Test
  void theSecondRunReadsNoTraceAndSeesTheSame() throws IOException {
    TraceProfile first = run(DepthOptions.DEFAULT);
    assertThat(hits(DepthOptions.DEFAULT)).isEqualTo(8);
    same(run(DepthOptions.DEFAULT), first);
    assertThat(hits(DepthOptions.DEFAULT.withBins(List.of(3)))).isZero();
  }

  @Test
  void aFileThatChangesIsReadAgain() throws IOException {
    run(DepthOptions.DEFAULT);
    Path file = Traces.open(trace).ranks().getFirst().file();
    byte[] bytes = Files.readAllBytes(file);
    ByteBuffer.wrap(bytes).putInt(8, 7);
    Files.write(file, bytes);
    assertThat(hits(DepthOptions.DEFAULT)).isEqualTo(7);
  }

  @Test
  void theSameContentElsewhereIsKnown() throws IOException {
    run(DepthOptions.DEFAULT);
    Path moved = folder.resolve("moved");
    Files.move(trace, moved);
    trace = moved;
    assertThat(hits(DepthOptions.DEFAULT)).isEqualTo(8);
  }

  @Test
  void damagedEntriesAreAsGoodAsNone() throws IOException {
    TraceProfile first = run(DepthOptions.DEFAULT);
    try (Stream<Path> files = Files.list(cacheFolder)) {
      for (Path entry : files.filter(f -> f.toString().matches(".*\\.v\\d+")).toList()) {
        byte[] bytes = Files.readAllBytes(entry);
        bytes[bytes.length / 2] ^= 1;
        Files.write(entry, bytes);
      }
    }
    assertThat(hits(DepthOptions.DEFAULT)).isZero();
    same(run(DepthOptions.DEFAULT), first);
  }

  private TraceProfile run(DepthOptions options) throws IOException {
    return DepthAnalysis.run(Traces.open(trace), options, cache, 2, Progress.NONE);
  }

  private int hits(DepthOptions options) throws IOException {
    int hits = 0;
    Trace opened = Traces.open(trace);
    for (RankTrace rank : opened.ranks()) {
      hits += cache.find(rank, options) == null ? 0 : 1;
    }
    return hits;
  }

  private static void same(TraceProfile one, TraceProfile other) {
    assertThat(one.depths()).isEqualTo(other.depths());
    assertThat(one.calls()).isEqualTo(other.calls());
    assertThat(one.calls(CallType.named("MPI_Irecv")))
        .isEqualTo(other.calls(CallType.named("MPI_Irecv")));
    assertThat(one.peers()).isEqualTo(other.peers());
    assertThat(one.tags(10)).isEqualTo(other.tags(10));
    assertThat(one.depthOverTime()).isEqualTo(other.depthOverTime());
    assertThat(one.uniquePairs()).isEqualTo(other.uniquePairs());
    assertThat(one.points()).isEqualTo(other.points());
  }
}
