package org.lacis.bench;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Subjects and measures that tests make up. */
final class Fakes {
  private Fakes() {}

  /** A subject that nobody starts. */
  static Subject subject(String name, Family family) {
    return subject(name, family, List.of("sleep", "60"));
  }

  /** A subject that a command starts. */
  static Subject subject(String name, Family family, List<String> command) {
    return new Subject() {
      @Override
      public String name() {
        return name;
      }

      @Override
      public Family family() {
        return family;
      }

      @Override
      public boolean knows(Measure measure) {
        return true;
      }

      @Override
      public Start start(Setup setup) {
        return Start.of(command, Map.of());
      }
    };
  }

  static Measure measure(String verb, Unit unit) {
    return new Measure(Group.LATENCY, verb, Map.of(), "a " + verb, unit, 1, 2, Placement.FREE);
  }

  /** A round with values by name: name, value, name, value… */
  static Round round(double before, double after, Object... values) {
    return startedRound(0, before, after, values);
  }

  /** The same, after so many starts. */
  static Round startedRound(int start, double before, double after, Object... values) {
    Map<String, Reading> readings = new HashMap<>();
    for (int i = 0; i < values.length; i += 2) {
      readings.put(
          (String) values[i],
          Reading.of(((Number) values[i + 1]).doubleValue(), 1, Map.of("gc", 1.0))
              .between(before, after));
    }
    return new Round(start, readings);
  }
}
