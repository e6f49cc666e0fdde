package org.lacis.cli;

import java.io.PrintWriter;
import java.util.List;
import org.lacis.net.Probe;

/**
 * Something that was looked for.
 *
 * @param name what
 * @param found whether it is there
 * @param detail what was found, or what is missing and what gives it
 */
record Finding(String name, boolean found, String detail) {
  static Finding of(String name, Probe probe) {
    return switch (probe) {
      case Probe.Ready ready -> new Finding(name, true, ready.version());
      case Probe.Missing missing -> new Finding(name, false, missing.why());
    };
  }

  /** Prints findings under a heading, one a line. */
  static void print(PrintWriter out, String heading, List<Finding> findings) {
    out.println(heading);
    for (Finding finding : findings) {
      out.printf("  %-3s  %-14s  %s%n", finding.found ? "yes" : "no", finding.name, finding.detail);
    }
  }
}
