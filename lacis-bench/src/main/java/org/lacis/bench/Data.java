package org.lacis.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.lacis.report.Json;

/** Results for programs to read. */
final class Data {
  private static final List<String> MORE = List.of("gc", "p50", "p90", "p99", "p999", "max", "jit");

  private Data() {}

  /** A line per sample. */
  static String csv(List<Series> all) {
    var text =
        new StringBuilder(
            "network,group,measure,unit,start,round,state,before_ns,after_ns,subject,family,value,count,"
                + String.join(",", MORE)
                + "\n");
    for (Series series : all) {
      for (int i = 0; i < series.rounds().size(); i++) {
        Round round = series.rounds().get(i);
        for (Subject subject : series.subjects()) {
          Reading reading = round.readings().get(subject.name());
          if (reading != null) {
            line(text, series, i, round, subject, reading);
          }
        }
      }
    }
    return text.toString();
  }

  private static void line(
      StringBuilder text, Series series, int index, Round round, Subject subject, Reading reading) {
    Measure measure = series.measure();
    List<String> cells = new ArrayList<>();
    cells.add(series.network());
    cells.add(measure.group().label());
    cells.add("\"" + measure.id() + "\"");
    cells.add(measure.unit().label());
    cells.add(Integer.toString(round.start()));
    cells.add(Integer.toString(index));
    cells.add(series.state(round).label());
    cells.add(number(reading.before()));
    cells.add(number(reading.after()));
    cells.add(subject.name());
    cells.add(subject.family().name().toLowerCase(Locale.ROOT));
    cells.add(number(reading.value()));
    cells.add(Long.toString(reading.count()));
    for (String name : MORE) {
      Double value = reading.more().get(name);
      cells.add(value == null ? "" : number(value));
    }
    text.append(String.join(",", cells)).append('\n');
  }

  private static String number(double value) {
    return Double.isNaN(value) ? "" : String.format(Locale.ROOT, "%.6g", value);
  }

  /** Everything: what it was measured on, each sample, and what follows from them. */
  static String json(Map<String, Object> machine, List<Series> all, List<String> failures) {
    Map<String, Object> root = new LinkedHashMap<>();
    root.put("machine", machine);
    root.put("failures", failures);
    root.put("collections", Results.collections(all));
    root.put("measures", all.stream().map(series -> (Object) measure(series, all)).toList());
    return Json.of(root);
  }

  private static Map<String, Object> measure(Series series, List<Series> all) {
    Measure measure = series.measure();
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("network", series.network());
    map.put("group", measure.group().label());
    map.put("measure", measure.id());
    map.put("title", measure.title());
    map.put("unit", measure.unit().label());
    map.put("state", series.state().label());
    map.put("parting", series.parting());
    map.put("enough", series.basis().isEnough());
    Map<String, Object> subjects = new LinkedHashMap<>();
    series.measured().forEach(subject -> subjects.put(subject.name(), summary(series, subject)));
    map.put("subjects", subjects);
    map.put("targets", targets(series, all));
    map.put(
        "rounds", series.rounds().stream().map(round -> (Object) round(series, round)).toList());
    return map;
  }

  private static Map<String, Object> summary(Series series, Subject subject) {
    List<Double> values = series.values(subject);
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("family", subject.family().name().toLowerCase(Locale.ROOT));
    map.put("median", Statistics.median(values));
    map.put("best", Statistics.best(values, series.measure().unit()));
    map.put("spread", Statistics.spread(values));
    map.put("collections", series.collections(subject));
    series
        .lacis()
        .ifPresent(
            lacis -> {
              Ratios ratios = series.ratios(lacis, subject);
              map.put("ratio", ratios.middle());
              map.put("reliable", ratios.isReliable());
            });
    return map;
  }

  private static List<Object> targets(Series series, List<Series> all) {
    List<Object> verdicts = new ArrayList<>();
    for (Target.Verdict verdict : Target.verdicts(series, all)) {
      Map<String, Object> map = new LinkedHashMap<>();
      map.put("mark", verdict.target().mark(series.measure().unit()));
      map.put("ratio", verdict.ratio());
      map.put("reached", verdict.reached());
      map.put("state", verdict.state().label());
      map.put("enough", verdict.enough());
      verdicts.add(map);
    }
    return verdicts;
  }

  private static Map<String, Object> round(Series series, Round round) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("start", round.start());
    map.put("state", series.state(round).label());
    for (Subject subject : series.subjects()) {
      Reading reading = round.readings().get(subject.name());
      if (reading != null) {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("value", reading.value());
        values.put("count", reading.count());
        values.put("before", reading.before());
        values.put("after", reading.after());
        values.putAll(reading.more());
        map.put(subject.name(), values);
      }
    }
    return map;
  }
}
