package org.lacis.trace.dumpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lacis.trace.CallSink;
import org.lacis.trace.Samples;
import org.lacis.trace.TraceException;
import org.lacis.trace.Traces;

class DamageTest {
  @TempDir Path folder;
  private Path file;
  private byte[] bytes;

  @BeforeEach
  void copy() throws IOException {
    Path trace = Samples.unpacked("tour_mpich", folder);
    file = Traces.open(trace).ranks().getFirst().file();
    bytes = Files.readAllBytes(file);
  }

  @Test
  void aFileThatWasCutOffGivesTheCallsBeforeThat() throws IOException {
    int all = calls(file);
    Files.write(file, Arrays.copyOf(bytes, bytes.length / 2));
    var count = new int[1];
    var damage = catchThrowableOfType(TraceException.class, () -> read(file, call -> count[0]++));
    assertThat(damage.file()).isEqualTo(file);
    assertThat(damage.offset()).isBetween(bytes.length / 2L - 20, bytes.length / 2L);
    assertThat(damage.reason()).contains("ends here");
    assertThat(count[0]).isBetween(all / 3, all);
  }

  @Test
  void aFileCutOffBetweenTwoRecordsIsNoticedToo() throws IOException {
    var last = new long[1];
    read(file, call -> last[0] = call.offset());
    Files.write(file, Arrays.copyOf(bytes, (int) last[0]));
    assertThatExceptionOfType(TraceException.class)
        .isThrownBy(() -> calls(file))
        .withMessageContaining("without an index")
        .withMessageContaining(file.toString());
  }

  @Test
  void anUnknownCallIsNamedByItsNumberAndPlace() throws IOException {
    ByteBuffer.wrap(bytes).putShort(16, (short) 999);
    Files.write(file, bytes);
    assertThatExceptionOfType(TraceException.class)
        .isThrownBy(() -> calls(file))
        .withMessage("%s: at byte 16: a call with the number 999 is not known", file);
  }

  @Test
  void anArrayLongerThanTheFileIsNotAllocated() throws IOException {
    var offset = new long[1];
    read(
        file,
        call -> {
          if (call.type().name().equals("MPI_Waitany") && offset[0] == 0) {
            offset[0] = call.offset();
          }
        });
    // After number, mask, thread, four times and the count: the length of the list of requests.
    ByteBuffer.wrap(bytes).putInt((int) offset[0] + 2 + 1 + 2 + 24 + 4, Integer.MAX_VALUE);
    Files.write(file, bytes);
    assertThatExceptionOfType(TraceException.class)
        .isThrownBy(() -> calls(file))
        .withMessageContaining("requests has 2,147,483,647 elements");
  }

  @Test
  void anIndexThatPointsOutsideIsRefused() throws IOException {
    ByteBuffer.wrap(bytes).putLong(bytes.length - 16, 1L << 40);
    Files.write(file, bytes);
    assertThatExceptionOfType(TraceException.class)
        .isThrownBy(() -> calls(file))
        .withMessageContaining("FOOTER")
        .withMessageContaining("outside of the file");
  }

  @Test
  void aForeignFileIsRefused() throws IOException {
    Files.writeString(file, "this is not a trace at all");
    assertThatExceptionOfType(TraceException.class)
        .isThrownBy(() -> Traces.open(file.getParent()).ranks().getFirst().read(call -> {}))
        .withMessageContaining("magic number");
  }

  @Test
  void aFolderWithoutATraceIsRefused() throws IOException {
    Path empty = Files.createDirectory(folder.resolve("empty"));
    assertThatExceptionOfType(TraceException.class)
        .isThrownBy(() -> Traces.open(empty))
        .withMessageContaining("DUMPI");
    assertThatExceptionOfType(NoSuchFileException.class)
        .isThrownBy(() -> Traces.open(folder.resolve("nowhere")));
  }

  @Test
  void ranksWithoutAFileAreToldOf() throws IOException {
    Files.delete(file);
    Files.delete(Path.of(file.toString().replace(".bin", ".txt")));
    assertThat(Traces.open(file.getParent()).warnings())
        .isEqualTo(List.of("rank 0 of 4 has no file"));
  }

  @Test
  void aDamagedGzipFileSaysHowFarItCouldBeRead() throws IOException {
    Path packed = Samples.folder("tour_mpich").resolve(file.getFileName() + ".gz");
    byte[] half = Files.readAllBytes(packed);
    Path cut = folder.resolve("cut-0000.bin.gz");
    Files.write(cut, Arrays.copyOf(half, half.length / 2));
    var found = new int[1];
    assertThatExceptionOfType(TraceException.class)
        .isThrownBy(() -> read(cut, call -> found[0]++))
        .withMessageContaining("cannot be decompressed any further");
    assertThat(found[0]).as("what precedes").isPositive().isLessThan(calls(packed));
    byte[] flipped = half.clone();
    flipped[flipped.length - 6] ^= 1; // in the checksum
    Files.write(cut, flipped);
    assertThatExceptionOfType(TraceException.class)
        .isThrownBy(() -> read(cut, call -> found[0]++))
        .withMessageContaining("cannot be decompressed any further");
  }

  @Test
  void textThatMakesNoSenseIsShownWithItsLine() throws IOException {
    Path text = folder.resolve("bad-0000.txt");
    Files.writeString(
        text,
        """
        MPI_Barrier entering at walltime 1.000000000, cputime 0.000000001 seconds in thread 0.
        MPI_Comm comm=two
        """);
    assertThatExceptionOfType(TraceException.class)
        .isThrownBy(() -> calls(text))
        .withMessage("%s: at byte 87: line 2: \"\" is not a number", text);
  }

  private static int calls(Path file) throws IOException {
    var count = new int[1];
    read(file, call -> count[0]++);
    return count[0];
  }

  private static void read(Path file, CallSink sink) throws IOException {
    Traces.open(file).ranks().getFirst().read(sink);
  }
}
