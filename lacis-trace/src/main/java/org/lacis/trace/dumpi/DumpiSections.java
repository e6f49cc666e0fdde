package org.lacis.trace.dumpi;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.lacis.trace.CallType;
import org.lacis.trace.FieldKind;

/** Prints a binary file as dumpi2ascii does: the calls alone, or everything there is. */
public final class DumpiSections {
  private static final DateTimeFormatter START =
      DateTimeFormatter.ofPattern("EEE MMM ppd HH:mm:ss yyyy", Locale.ENGLISH);

  private DumpiSections() {}

  /**
   * Prints the calls.
   *
   * @throws org.lacis.trace.TraceException where the file is damaged, after what precedes
   */
  public static void printCalls(DumpiFile file, OutputStream out) throws IOException {
    var printer = new DumpiPrinter(out);
    try {
      file.read(printer);
    } finally {
      printer.flush();
    }
  }

  /**
   * Prints the header, the calls, and all the lists: what {@code dumpi2ascii -a} prints.
   *
   * @param zone of the time the run started
   */
  public static void printAll(DumpiFile file, OutputStream out, ZoneId zone) throws IOException {
    var text = new StringBuilder();
    DumpiFile.Header header = file.header();
    text.append("version=").append(header.version()).append('\n');
    text.append("starttime=")
        .append(START.format(Instant.ofEpochSecond(header.start()).atZone(zone)))
        .append('\n');
    text.append("hostname=").append(header.host()).append('\n');
    text.append("username=").append(header.user()).append('\n');
    text.append("meshdim=").append(header.meshCoordinates().size()).append('\n');
    text.append("meshsize=").append(header.meshSize()).append('\n');
    text.append("meshcrd=").append(header.meshCoordinates()).append('\n');
    write(out, text);
    printCalls(file, out);
    Map<String, String> keyvals = file.keyvals();
    text.append("Total keyvals: ").append(keyvals.size()).append('\n');
    keyvals.forEach((key, value) -> text.append(key).append('=').append(value).append('\n'));
    counts(file.footer(), text);
    List<String> labels = file.perfLabels();
    text.append("Performance counters: ").append(labels.size()).append('\n');
    labels.forEach(label -> text.append("    ").append(label).append('\n'));
    file.addresses()
        .forEach(
            (address, label) ->
                text.append("Function address ")
                    .append(Long.toUnsignedString(address))
                    .append(" has label ")
                    .append(label)
                    .append('\n'));
    sizes(file.sizes(), text);
    write(out, text);
  }

  private static void counts(int[][] footer, StringBuilder text) {
    for (int id = 0; id < footer[0].length; id++) {
      CallType type = CallType.of(id);
      // The number after the last call stands for all of them.
      text.append(type == null ? "MPI_ALL_FUNCTIONS" : type.name());
      text.append(" called ").append(footer[0][id]);
      text.append(" times and ignored ").append(footer[1][id]).append(" times\n");
    }
  }

  private static void sizes(List<Integer> sizes, StringBuilder text) {
    for (int i = 0; i < sizes.size(); i++) {
      text.append("Datatype ").append(i);
      text.append(" (").append(FieldKind.DATATYPE.nameOf(i));
      text.append(") has size ").append(sizes.get(i)).append('\n');
    }
  }

  private static void write(OutputStream out, StringBuilder text) throws IOException {
    out.write(text.toString().getBytes(StandardCharsets.ISO_8859_1));
    text.setLength(0);
  }
}
