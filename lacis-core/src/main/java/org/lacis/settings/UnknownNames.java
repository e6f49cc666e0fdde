package org.lacis.settings;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/** Properties and variables whose names look like settings, but are none: misspelt, most likely. */
public final class UnknownNames {

  private static final System.Logger LOG = System.getLogger("org.lacis");
  private static final AtomicBoolean WARNED = new AtomicBoolean();

  private UnknownNames() {}

  /** Logs a warning for each that is set; once in a process. */
  public static void warn() {
    if (WARNED.compareAndSet(false, true)) {
      warnings().forEach(warning -> LOG.log(System.Logger.Level.WARNING, warning));
    }
  }

  /** What to say about those that are set for this process. */
  public static List<String> warnings() {
    return warnings(System.getProperties().stringPropertyNames(), System.getenv().keySet());
  }

  /** What to say about those among the names that are set. */
  static List<String> warnings(Collection<String> properties, Collection<String> variables) {
    List<String> known = new ArrayList<>();
    for (Setting<?> setting : Settings.all()) {
      known.add(setting.property());
      known.add(setting.variable());
    }
    for (Settings.Other other : Settings.others()) {
      known.add(other.name());
    }
    List<String> warnings = new ArrayList<>();
    add(warnings, "system property", "lacis.", properties, known);
    add(warnings, "environment variable", "LACIS_", variables, known);
    return warnings;
  }

  private static void add(
      List<String> warnings,
      String what,
      String prefix,
      Collection<String> names,
      List<String> known) {
    for (String name : names.stream().sorted().toList()) {
      if (name.startsWith(prefix) && !known.contains(name)) {
        warnings.add(
            "the " + what + " " + name + " means nothing to Lacis" + hint(name, prefix, known));
      }
    }
  }

  private static String hint(String name, String prefix, List<String> known) {
    String nearest = "";
    int least = Integer.MAX_VALUE;
    for (String other : known) {
      int distance = other.startsWith(prefix) ? distance(name, other) : Integer.MAX_VALUE;
      if (distance < least) {
        least = distance;
        nearest = other;
      }
    }
    // Further away than half of what differs at all, it is another word.
    return 2 * least <= name.length() - prefix.length()
        ? "; is " + nearest + " meant?"
        : "; docs/options.md has the names";
  }

  /** How many letters must be changed, added or removed. */
  private static int distance(String a, String b) {
    int[] row = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int change = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(change, 1 + Math.min(row[j], row[j - 1]));
      }
    }
    return row[b.length()];
  }
}
