package org.lacis.trace.dumpi;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.lacis.testkit.Seeded;
import org.lacis.trace.Call;
import org.lacis.trace.CallGroup;
import org.lacis.trace.CallType;
import org.lacis.trace.Field;
import org.lacis.trace.RankTrace;
import org.lacis.trace.Traces;

@ExtendWith(Seeded.class)
class EveryCallTest {
  @TempDir Path folder;

  @Test
  void whateverIsWrittenIsReadAndPrintedAndReadAgain(RandomGenerator random) throws IOException {
    var writer = new DumpiWriter();
    List<CallType> types = types();
    var call = new Call();
    for (CallType type : types) {
      fill(call, type, random);
      writer.call(call);
    }
    Path binary = Files.write(folder.resolve("all-0000.bin"), writer.finish());
    String printed = printed(Traces.open(binary).ranks().getFirst());
    assertThat(printed).contains("MPI_Comm_spawn_multiple entering", "MPI_File_sync entering");
    Path text =
        Files.writeString(folder.resolve("text-0000.txt"), printed, StandardCharsets.ISO_8859_1);
    assertThat(printed(Traces.open(text).ranks().getFirst())).isEqualTo(printed);

    List<CallType> read = new ArrayList<>();
    Traces.open(binary).ranks().getFirst().read(one -> read.add(one.type()));
    assertThat(read).isEqualTo(types);
  }

  private static List<CallType> types() {
    return IntStream.range(0, CallType.COUNT)
        .mapToObj(CallType::of)
        .filter(type -> type != null && type.group() != CallGroup.UNKNOWN)
        .toList();
  }

  private static void fill(Call call, CallType type, RandomGenerator random) {
    call.reset(type, 0);
    call.wall(random.nextLong(1_000_000_000_000L), random.nextLong(1_000_000_000_000L));
    call.cpu(random.nextLong(1_000_000_000_000L), random.nextLong(1_000_000_000_000L));
    call.thread(random.nextInt(100));
    int length = 1 + random.nextInt(4);
    for (Field field : type.fields()) {
      int at = field.index();
      switch (field.kind()) {
        case STRING -> call.text(at, "text " + random.nextInt(1000));
        case ARGUMENTS, STRINGS -> call.texts(at, List.of(words(length)));
        case STRINGLISTS ->
            call.texts(at, IntStream.range(0, length).mapToObj(i -> words(length)).toList());
        case STATUS -> numbers(call, at, field.isArray() ? length : 1, Call.STATUS_SIZE, random);
        case TRIPLES -> numbers(call, at, length, 3, random);
        default -> {
          if (field.isArray()) {
            numbers(call, at, length, 1, random);
          } else {
            call.value(at, random.nextInt(0, 100));
          }
        }
      }
    }
    // Lengths agree with what they are lengths of; half of the ranks are the root.
    for (Field field : type.fields()) {
      if (field.isArray()) {
        call.value(field.lengthAt(), length);
      }
      if (field.rootAt() >= 0 && length % 2 == 0) {
        call.value(field.rootAt(), call.value(type.indexOf("root")));
      }
    }
  }

  private static List<String> words(int count) {
    return IntStream.range(0, count).mapToObj(i -> "word" + i).toList();
  }

  private static void numbers(Call call, int at, int length, int each, RandomGenerator random) {
    int[] array = call.array(at, length, each);
    for (int i = 0; i < length * each; i++) {
      array[i] = random.nextInt(0, 100);
    }
  }

  private static String printed(RankTrace rank) throws IOException {
    var out = new ByteArrayOutputStream();
    var printer = new DumpiPrinter(out);
    rank.read(printer);
    printer.flush();
    return out.toString(StandardCharsets.ISO_8859_1);
  }
}
