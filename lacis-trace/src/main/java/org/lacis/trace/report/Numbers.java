package org.lacis.trace.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.lacis.report.Json;
import org.lacis.trace.CallType;
import org.lacis.trace.depth.TraceProfile;
import org.lacis.trace.depth.TraceProfile.Depth;
import org.lacis.trace.depth.TraceProfile.TagCount;
import org.lacis.trace.depth.Wildcards;
import org.lacis.trace.replay.ReplayResult;

/** The numbers of a report, for programs: JSON with all of them, and tables. */
final class Numbers {
  private static final int TAGS = 1000;

  private Numbers() {}

  static void write(List<Analysis> analyses, Path folder) throws IOException {
    List<TraceProfile> profiles = analyses.stream().map(Analysis::profile).toList();
    Files.writeString(folder.resolve("report.json"), json(analyses));
    replays(analyses, folder.resolve("replay.csv"));
    table(folder.resolve("traces.csv"), profiles, Numbers::summary);
    try (var out = Files.newBufferedWriter(folder.resolve("depth.csv"))) {
      out.write("trace,bins,max,average,collisions,met,least_empty\n");
      for (TraceProfile profile : profiles) {
        for (Depth d : profile.depths()) {
          out.write(
              line(
                  quoted(profile.name()),
                  d.bins(),
                  d.greatest(),
                  d.average(),
                  d.collisions(),
                  d.met(),
                  d.leastEmpty()));
        }
      }
    }
    try (var out = Files.newBufferedWriter(folder.resolve("calls.csv"))) {
      out.write("trace,call,group,count\n");
      for (TraceProfile profile : profiles) {
        for (CallType type : made(profile)) {
          out.write(line(quoted(profile.name()), type.name(), type.group(), profile.calls(type)));
        }
      }
    }
    try (var out = Files.newBufferedWriter(folder.resolve("time.csv"))) {
      out.write("trace,seconds,posted\n");
      for (TraceProfile profile : profiles) {
        List<Integer> depths = profile.depthOverTime();
        for (int i = 0; i < depths.size(); i++) {
          double at = profile.time() / 1e9 * i / depths.size();
          out.write(line(quoted(profile.name()), at, depths.get(i)));
        }
      }
    }
    messages(profiles, folder);
  }

  /** A line per engine, of traces that were played again; no file if there are none. */
  private static void replays(List<Analysis> analyses, Path file) throws IOException {
    var out = new StringBuilder();
    for (Analysis analysis : analyses) {
      if (analysis.replay() != null) {
        for (ReplayResult.Play play : analysis.replay().plays()) {
          Map<String, Object> values = Replays.numbers(analysis.replay(), play);
          if (out.isEmpty()) {
            out.append("trace,").append(String.join(",", values.keySet())).append('\n');
          }
          out.append(quoted(analysis.profile().name())).append(',');
          out.append(line(values.values().toArray()));
        }
      }
    }
    if (out.isEmpty()) {
      Files.deleteIfExists(file);
    } else {
      Files.writeString(file, out);
    }
  }

  private static void messages(List<TraceProfile> profiles, Path folder) throws IOException {
    try (var peers = Files.newBufferedWriter(folder.resolve("peers.csv"));
        var tags = Files.newBufferedWriter(folder.resolve("tags.csv"))) {
      peers.write("trace,from_rank,to_rank,messages\n");
      tags.write("trace,tag,messages\n");
      for (TraceProfile profile : profiles) {
        List<List<Long>> matrix = profile.peers();
        int step = profile.ranksPerGroup();
        for (int from = 0; from < matrix.size(); from++) {
          for (int to = 0; to < matrix.size(); to++) {
            if (matrix.get(from).get(to) > 0) {
              peers.write(
                  line(quoted(profile.name()), from * step, to * step, matrix.get(from).get(to)));
            }
          }
        }
        for (TagCount tag : profile.tags(TAGS)) {
          tags.write(line(quoted(profile.name()), tag.tag(), tag.messages()));
        }
      }
    }
  }

  private static String json(List<Analysis> analyses) {
    return Json.of(
        Map.of(
            "traces",
            analyses.stream()
                .map(
                    analysis -> {
                      TraceProfile profile = analysis.profile();
                      Map<String, Object> map = summary(profile);
                      map.put("depths", profile.depths().stream().map(Numbers::depth).toList());
                      map.put("calls_by_name", calls(profile));
                      map.put("posted_over_time", profile.depthOverTime());
                      map.put("ranks_per_group", profile.ranksPerGroup());
                      map.put("messages_by_peer", profile.peers());
                      map.put("messages_by_tag", tags(profile));
                      if (analysis.replay() != null) {
                        map.put("replay", replay(analysis.replay()));
                        map.put("replay_notes", analysis.replay().notes());
                      }
                      map.put("advice", Advice.of(analysis));
                      map.put("problems", profile.problems());
                      return map;
                    })
                .toList()));
  }

  private static List<Map<String, Object>> replay(ReplayResult result) {
    return result.plays().stream().map(play -> Replays.numbers(result, play)).toList();
  }

  /** What is one number per trace. */
  static Map<String, Object> summary(TraceProfile profile) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("trace", profile.name());
    map.put("ranks", profile.ranks());
    map.put("seconds", profile.time() / 1e9);
    map.put("calls", profile.calls());
    map.put("p2p", profile.pointToPoint());
    map.put("collectives", profile.collectives());
    map.put("one_sided", profile.oneSided());
    map.put("p2p_percent", profile.pointToPointPercent());
    map.put("receives", profile.receives());
    map.put("receives_no_wildcard", profile.receives(Wildcards.NONE));
    map.put("receives_any_source", profile.receives(Wildcards.SOURCE));
    map.put("receives_any_tag", profile.receives(Wildcards.TAG));
    map.put("receives_any_both", profile.receives(Wildcards.BOTH));
    map.put("receives_from_nobody", profile.receivedFromNobody());
    map.put("sends_to_nobody", profile.sentToNobody());
    map.put("unique_source_tag", profile.uniquePairs());
    map.put("unique_tags", profile.uniqueTags());
    map.put("most_posted", profile.mostPosted());
    map.put("points", profile.points());
    map.put("scope", profile.options().scope());
    map.put("hash", profile.options().hash());
    return map;
  }

  private static Map<String, Object> depth(Depth depth) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("bins", depth.bins());
    map.put("max", depth.greatest());
    map.put("average", depth.average());
    map.put("collisions", depth.collisions());
    map.put("met", depth.met());
    map.put("least_empty", depth.leastEmpty());
    return map;
  }

  static Map<String, Long> calls(TraceProfile profile) {
    Map<String, Long> map = new LinkedHashMap<>();
    made(profile).forEach(type -> map.put(type.name(), profile.calls(type)));
    return map;
  }

  private static Map<String, Long> tags(TraceProfile profile) {
    Map<String, Long> map = new LinkedHashMap<>();
    profile.tags(TAGS).forEach(tag -> map.put(Integer.toString(tag.tag()), tag.messages()));
    return map;
  }

  private static List<CallType> made(TraceProfile profile) {
    return IntStream.range(0, CallType.COUNT)
        .mapToObj(CallType::of)
        .filter(type -> type != null && profile.calls(type) > 0)
        .map(Objects::requireNonNull)
        .toList();
  }

  private interface Row {
    Map<String, Object> of(TraceProfile profile);
  }

  private static void table(Path file, List<TraceProfile> profiles, Row row) throws IOException {
    try (var out = Files.newBufferedWriter(file)) {
      out.write(String.join(",", row.of(profiles.getFirst()).keySet()) + "\n");
      for (TraceProfile profile : profiles) {
        Map<String, Object> values = row.of(profile);
        values.replace("trace", quoted(profile.name()));
        out.write(line(values.values().toArray()));
      }
    }
  }

  private static String line(Object... values) {
    return Arrays.stream(values)
            .map(v -> v instanceof Double d ? String.format(Locale.ROOT, "%.6f", d) : v.toString())
            .collect(Collectors.joining(","))
        + "\n";
  }

  private static String quoted(String text) {
    return text.matches("[\\w .-]*") ? text : '"' + text.replace("\"", "\"\"") + '"';
  }
}
