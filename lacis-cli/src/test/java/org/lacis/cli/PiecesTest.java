package org.lacis.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lacis.testkit.Await;

/** The small parts of the launcher. */
class PiecesTest {
  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static void write(Merger merger, int rank, String text) {
    merger.write(rank, bytes(text), bytes(text).length);
  }

  @Test
  void wordsAreSplitAsByAShell() {
    assertThat(ShellWords.split("  -Xmx1g  '-Da=b c' \"d 'e\" f\\ g '' "))
        .containsExactly("-Xmx1g", "-Da=b c", "d 'e", "f g", "");
    assertThat(ShellWords.split("")).isEmpty();
    assertThatThrownBy(() -> ShellWords.split("a 'b")).isInstanceOf(IllegalArgumentException.class);
    List<String> words = List.of("a", "b c", "it's", "", "$x", "-Da=b");
    assertThat(ShellWords.split(ShellWords.join(words))).isEqualTo(words);
  }

  private static BitSet cores(int count) {
    BitSet cores = new BitSet();
    cores.set(0, count);
    return cores;
  }

  @Test
  void coresAreDealtOut() {
    BitSet four = cores(4);
    assertThat(CoreLists.parse("0,1", four).lists()).containsExactly("0", "1");
    assertThat(CoreLists.parse("0-1:2-3", four).of(1)).isEqualTo("2-3");
    assertThat(CoreLists.parse("0,2:1,3", four).of(2)).isEqualTo("0,2");
    assertThat(CoreLists.parse("0-3", four).of(7)).isEqualTo("0-3");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "x", "0-", "3-1", "0,,1", "0::1", "-1", "+1", "99999999999"})
  void coresThatAreNoneAreRefused(String text) {
    assertThatThrownBy(() -> CoreLists.parse(text, cores(4)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("--bind " + text + ": that is not a list of cores");
  }

  @ParameterizedTest
  @ValueSource(strings = {"4", "0,4", "0-2147483647", "0-1:2-4"})
  void coresThatThisMachineLacksAreRefused(String text) {
    assertThatThrownBy(() -> CoreLists.parse(text, cores(4)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("--bind " + text + ": there is no core 4; the cores of this machine are 0-3");
    assertThat(CoreLists.online().get(0)).isTrue();
  }

  @Test
  void manyRanksOnFewCoresGetSmallJvms() {
    assertThat(JvmDefaults.of(16, 2, List.of(), Map.of()))
        .contains("-XX:+UseSerialGC", "-XX:MaxRAMPercentage=3.1");
    assertThat(JvmDefaults.of(2, 8, List.of(), Map.of()))
        .contains("-XX:MaxRAMPercentage=25.0")
        .doesNotContain("-XX:+UseSerialGC");
  }

  @Test
  void aCollectorTheUserChoosesIsNotContradicted() {
    assertThat(JvmDefaults.of(16, 2, List.of("-XX:+UseZGC"), Map.of()))
        .doesNotContain("-XX:+UseSerialGC");
    assertThat(JvmDefaults.of(16, 2, List.of(), Map.of("JDK_JAVA_OPTIONS", "-ea -XX:+UseG1GC")))
        .doesNotContain("-XX:+UseSerialGC");
    assertThat(JvmDefaults.of(16, 2, List.of("-XX:+UseStringDeduplication"), Map.of()))
        .contains("-XX:+UseSerialGC");
  }

  @Test
  void aCacheOfClassesIsUsedIfThereIsOneAndTheUserHasNoOther(@TempDir File folder)
      throws IOException {
    File cache = new File(folder, "rank.aot");
    assertThat(JvmDefaults.ofCache(cache, List.of(), List.of())).isEmpty();
    assertThat(cache.createNewFile()).isTrue();
    assertThat(JvmDefaults.ofCache(cache, List.of("-ea"), List.of()))
        .contains("-XX:AOTCache=" + cache);
    assertThat(JvmDefaults.ofCache(cache, List.of("-XX:AOTCacheOutput=x"), List.of())).isEmpty();
    assertThat(JvmDefaults.ofCache(cache, List.of("-Xshare:off"), List.of())).isEmpty();
    assertThat(JvmDefaults.ofCache(null, List.of(), List.of())).isEmpty();
  }

  @Test
  void sourcesBeginWhereTheirPackageDoes() {
    File file = new File("/src/a/b/C.java");
    assertThat(SourceCompiler.root(file, "a.b")).isEqualTo(new File("/src"));
    assertThat(SourceCompiler.root(file, "")).isEqualTo(new File("/src/a/b"));
    assertThat(SourceCompiler.root(file, "x.b")).isNull();
    assertThat(SourceCompiler.root(file, "x.src.a.b")).isNull();
  }

  private static Tail tail(String text) {
    Tail tail = new Tail();
    tail.add(bytes(text), bytes(text).length);
    return tail;
  }

  @Test
  void theLastLinesAreKept() {
    assertThat(tail("").lines()).isEmpty();
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 1000; i++) {
      text.append("line ").append(i).append('\n');
    }
    assertThat(tail(text.toString()).lines())
        .hasSize(10)
        .startsWith("line 990")
        .endsWith("line 999");
    assertThat(tail("x".repeat(20_000) + "\nlast").lines())
        .containsExactly("x".repeat(Tail.MAX_LINE), "last");
  }

  @Test
  void aLongStackTraceKeepsTheLinesThatSayWhatHappened() {
    String frames = "\tat A.b(A.java:1)\n".repeat(1000);
    String older = "Exception in thread \"old\" E: 1\n" + frames + "Caused by: E: 2\n" + frames;
    List<String> lines =
        tail(older + "Exception in thread \"main\" E: 3\n" + frames + "Caused by: E: 4\n" + frames)
            .lines();
    assertThat(lines.subList(0, 4))
        .containsExactly("Exception in thread \"main\" E: 3", "\t...", "Caused by: E: 4", "\t...");
    assertThat(lines).hasSize(4 + Tail.LINES).endsWith("\tat A.b(A.java:1)");
    assertThat(tail("Exception in thread \"main\" E: 5\n" + frames.substring(0, 100)).lines())
        .startsWith("Exception in thread \"main\" E: 5", "\tat A.b(A.java:1)");
  }

  @Test
  void ranksThatDoTheSameAreReportedTogetherAndWithinLimits() {
    StackReport report = new StackReport(cores(8));
    for (int rank = 0; rank < 4; rank++) {
      report.add(rank, "  main, waiting\n    at A\n");
    }
    report.add(4, "  main, waiting\n" + "    at B\n".repeat(StackReport.MAX_LINES));
    report.add(5, "  main, runnable\n    at C\n");
    report.ended(6);
    report.addReport(5, "  Lacis[rank 5]\n");
    report.addReport(4, "  Lacis[rank 4]\n");
    report.addReport(3, "");
    assertThat(report.isComplete()).isFalse();
    assertThat(report.text())
        .isEqualTo(
            """
            where the ranks are:
            ranks 0-3:
              main, waiting
                at A
            rank 5:
              main, runnable
                at C
            rank 4: left out
            rank 7: no answer
            what they have under way:
            rank 4:
              Lacis[rank 4]
            rank 5:
              Lacis[rank 5]
            """);
    report.ended(7);
    assertThat(report.isComplete()).isTrue();
  }

  @Test
  void linesAreMergedWhole() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Merger merger = new Merger(out, 2, true, _ -> {});
    write(merger, 0, "a1\na2");
    write(merger, 1, "b1\n");
    write(merger, 0, " still\na3");
    merger.end(0);
    write(merger, 1, "b2\n");
    merger.say(bytes("said\n"));
    assertThat(out.toString(StandardCharsets.UTF_8))
        .isEqualTo("[0] a1\n[1] b1\n[0] a2 still\n[0] a3\n[1] b2\nsaid\n");
  }

  @Test
  void anIncompleteLineIsShownIfNobodyElseWrites() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Merger merger = new Merger(out, 2, false, _ -> {});
    write(merger, 1, "before\n");
    write(merger, 0, "10%");
    Await.until(
        "the progress to show", () -> out.toString(StandardCharsets.UTF_8).equals("before\n10%"));
    write(merger, 0, "\r20%");
    Await.until(
        "more progress to show", () -> out.toString(StandardCharsets.UTF_8).endsWith("10%\r20%"));
    write(merger, 1, "after\n");
    assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo("before\n10%\r20%\nafter\n");
  }

  @Test
  void aVeryLongLineOfAnyBytesPasses() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Merger merger = new Merger(out, 1, false, _ -> {});
    byte[] piece = new byte[1 << 16];
    java.util.Arrays.fill(piece, (byte) 0xff);
    int pieces = 2 * Merger.MAX_LINE / piece.length + 1;
    for (int i = 0; i < pieces; i++) {
      merger.write(0, piece, piece.length);
    }
    merger.end(0);
    assertThat(out.size()).isEqualTo(pieces * piece.length);
  }

  @Test
  void aStreamThatBreaksIsToldOnce() {
    List<String> told = new ArrayList<>();
    OutputStream broken =
        new OutputStream() {
          @Override
          public void write(int b) throws IOException {
            throw new IOException("broken pipe");
          }
        };
    Merger merger = new Merger(broken, 1, false, e -> told.add(e.getMessage()));
    write(merger, 0, "a\n");
    write(merger, 0, "b\n");
    assertThat(told).containsExactly("broken pipe");
  }
}
