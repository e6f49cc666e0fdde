package org.lacis.bench;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import org.lacis.Version;

/** What a run was made on. */
final class Machine {
  /** So much other work, per core, is felt in every figure. */
  private static final double BUSY = 0.3;

  private Machine() {}

  /** By name, as it is told in data and report. */
  static Map<String, Object> describe() {
    Map<String, Object> facts = new LinkedHashMap<>();
    facts.put("lacis", Version.current());
    facts.put("date", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
    facts.put("processor", processor());
    facts.put("cores", Cores.count());
    facts.put("system", System.getProperty("os.name") + " " + System.getProperty("os.version"));
    facts.put("java", Runtime.version() + " of " + System.getProperty("java.vendor"));
    double load = load();
    facts.put("load", Math.round(10 * load) / 10.0);
    if (isBusy(load)) {
      facts.put("other work", "there was some: expect nothing of the figures");
    }
    return facts;
  }

  private static String processor() {
    try {
      return Files.readAllLines(Path.of("/proc/cpuinfo")).stream()
          .filter(line -> line.startsWith("model name"))
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .findFirst()
          .orElse(System.getProperty("os.arch"));
    } catch (IOException e) {
      return System.getProperty("os.arch");
    }
  }

  /** Processes that wanted a core in the last minute; below zero if the system does not tell. */
  static double load() {
    return ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
  }

  static boolean isBusy(double load) {
    return load > BUSY * Cores.count();
  }
}
