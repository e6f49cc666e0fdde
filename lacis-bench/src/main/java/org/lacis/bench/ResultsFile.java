package org.lacis.bench;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The samples that a run has written to {@code results.csv}. */
final class ResultsFile {
  /**
   * A line of it.
   *
   * @param measure what was measured, and over which network
   * @param start the start of subjects that it is of; files of older versions have one
   * @param round which round
   * @param before nanoseconds a cache line took before it; in files of older versions, before the
   *     round
   * @param after the same after it
   * @param subject of whom
   * @param value what came out
   */
  record Sample(
      String measure,
      int start,
      String round,
      double before,
      double after,
      String subject,
      double value) {}

  private ResultsFile() {}

  /**
   * All samples of a run.
   *
   * @param place a folder that {@code --out} named, or a {@code results.csv}
   * @throws IllegalArgumentException if it has no results
   */
  static List<Sample> read(Path place) throws IOException {
    Path file = Files.isDirectory(place) ? place.resolve("results.csv") : place;
    List<String> lines;
    try {
      lines = Files.readAllLines(file);
    } catch (NoSuchFileException e) {
      throw new IllegalArgumentException("there are no results: no file " + file, e);
    } catch (CharacterCodingException e) {
      throw new IllegalArgumentException(file + " is no results.csv of lacis bench, nor text", e);
    }
    if (lines.isEmpty() || !lines.getFirst().startsWith("network,")) {
      throw new IllegalArgumentException(file + " is no results.csv of lacis bench");
    }
    List<String> names = cells(lines.getFirst());
    List<Sample> samples = new ArrayList<>();
    for (int i = 1; i < lines.size(); i++) {
      try {
        samples.add(sample(names, cells(lines.get(i))));
      } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
        throw new IllegalArgumentException(file + ", line " + (i + 1) + " makes no sense", e);
      }
    }
    return samples;
  }

  private static Sample sample(List<String> names, List<String> cells) {
    return new Sample(
        cells.get(names.indexOf("measure")).replace("\"", "")
            + " over "
            + cells.get(names.indexOf("network")),
        names.contains("start") ? Integer.parseInt(cells.get(names.indexOf("start"))) : 0,
        cells.get(names.indexOf("round")),
        number(cells.get(names.indexOf("before_ns"))),
        number(cells.get(names.indexOf("after_ns"))),
        cells.get(names.indexOf("subject")),
        Double.parseDouble(cells.get(names.indexOf("value"))));
  }

  private static double number(String text) {
    return text.isEmpty() ? Double.NaN : Double.parseDouble(text);
  }

  /** Commas between quotation marks belong to a cell. */
  private static List<String> cells(String line) {
    return Arrays.asList(line.split(",(?=([^\"]*\"[^\"]*\")*[^\"]*$)", -1));
  }
}
