package org.lacis.trace.dumpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.lacis.testkit.Seeded;
import org.lacis.trace.Samples;
import org.lacis.trace.TraceException;
import org.lacis.trace.Traces;

/** Damaged files are read to where they are damaged, whatever the damage. */
@ExtendWith(Seeded.class)
class FuzzTest {
  /** What an exception and its message take, and a window. */
  private static final long SLACK = 1 << 19;

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  @TempDir Path folder;

  @Test
  @Timeout(value = 30, unit = TimeUnit.MINUTES)
  void damagedFilesAreRefusedAndTakeNoMoreMemoryThanGoodOnes(RandomGenerator random)
      throws IOException {
    int files = Boolean.getBoolean("lacis.long") ? 100_000 : 500;
    List<Path> originals = originals();
    long[] needed = new long[originals.size()];
    for (int i = 0; i < needed.length; i++) {
      read(originals.get(i));
      needed[i] = read(originals.get(i));
    }
    // What is loaded for the first message of all is not counted.
    Path empty = Files.write(folder.resolve("none-0000.bin"), new byte[20]);
    assertThatExceptionOfType(TraceException.class).isThrownBy(() -> read(empty));
    int refused = 0;
    for (int i = 0; i < files; i++) {
      int which = random.nextInt(originals.size());
      Path original = originals.get(which);
      Path mutant = folder.resolve(original.getFileName());
      Files.write(mutant, mutate(Files.readAllBytes(original), random));
      long before = THREADS.getCurrentThreadAllocatedBytes();
      try {
        read(mutant);
      } catch (TraceException e) {
        refused++;
        assertThat(e.offset()).as(e.getMessage()).isNotNegative();
      }
      long taken = THREADS.getCurrentThreadAllocatedBytes() - before;
      assertThat(taken).as("%s, mutant %d", mutant, i).isLessThan(2 * needed[which] + SLACK);
    }
    assertThat(refused).isGreaterThan(files / 20);
  }

  /** Reads and prints a file, and answers how much memory that took. */
  private static long read(Path file) throws IOException {
    long before = THREADS.getCurrentThreadAllocatedBytes();
    var printer = new DumpiPrinter(OutputStream.nullOutputStream());
    try {
      Traces.open(file).ranks().getFirst().read(printer);
    } finally {
      printer.flush();
    }
    return THREADS.getCurrentThreadAllocatedBytes() - before;
  }

  private static byte[] mutate(byte[] bytes, RandomGenerator random) {
    byte[] result = bytes;
    if (random.nextInt(8) == 0) {
      result = Arrays.copyOf(result, random.nextInt(result.length));
    }
    if (result.length > 16 && random.nextInt(8) == 0) {
      int from = random.nextInt(result.length);
      int to = random.nextInt(result.length);
      int length = Math.min(random.nextInt(64), result.length - Math.max(from, to));
      System.arraycopy(result, from, result, to, length);
    }
    for (int changes = random.nextInt(4); changes > 0 && result.length > 0; changes--) {
      // The start and the end of a file say most about it.
      int at =
          switch (random.nextInt(4)) {
            case 0 -> Math.min(random.nextInt(40), result.length - 1);
            case 1 -> Math.max(result.length - 1 - random.nextInt(80), 0);
            default -> random.nextInt(result.length);
          };
      result[at] =
          switch (random.nextInt(4)) {
            case 0 -> (byte) 0xff;
            case 1 -> 0x7f;
            case 2 -> (byte) (result[at] ^ 1 << random.nextInt(8));
            default -> (byte) random.nextInt();
          };
    }
    return result;
  }

  /** A binary file and a text of each trace, plain and packed. */
  private List<Path> originals() throws IOException {
    List<Path> originals = new ArrayList<>();
    Path plain = Files.createDirectories(folder.resolve("originals"));
    for (String name : List.of("tour_mpich", "tour_ompi", "wild_some_mpich")) {
      for (Path parent : List.of(Samples.folder(name), Samples.unpacked(name, plain))) {
        try (Stream<Path> files = Files.list(parent)) {
          files.filter(file -> file.toString().contains("-0000.")).forEach(originals::add);
        }
      }
    }
    return originals;
  }
}
