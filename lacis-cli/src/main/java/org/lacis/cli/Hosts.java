package org.lacis.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The machines of a job, and how many ranks each has room for, in the order in which they are
 * filled.
 *
 * @param option where they were read from, for messages
 * @param slots by the name of the host
 */
record Hosts(String option, Map<String, Integer> slots) {
  /**
   * A host with ranks.
   *
   * @param first its lowest rank
   * @param count how many it has
   */
  record Host(String name, int first, int count) {}

  /**
   * Names of hosts, perhaps with a user: nothing that a shell or ssh would take for more. Addresses
   * of IPv6 are in brackets, because of their colons.
   */
  private static final String NAME =
      "[A-Za-z0-9_][A-Za-z0-9_.@-]*|(?:[A-Za-z0-9_][A-Za-z0-9_.-]*@)?"
          + "\\[[0-9A-Fa-f:.]+(?:%[A-Za-z0-9_.-]+)?\\]";

  private static final Pattern ENTRY = Pattern.compile("(" + NAME + ")(?::(\\d{1,9}))?");
  private static final Pattern LINE =
      Pattern.compile("(" + NAME + ")(?::(\\d{1,9})|\\s+slots\\s*=\\s*(\\d{1,9}))?");

  /** Reads a list such as a:4,b:4. A host without a number has room for one rank. */
  static Hosts parse(String text) {
    String option = "--hosts " + text;
    Map<String, Integer> slots = new LinkedHashMap<>();
    for (String entry : text.split(",", -1)) {
      Matcher matcher = ENTRY.matcher(entry.strip());
      if (!matcher.matches()) {
        throw new IllegalArgumentException(
            option + ": \"" + entry + "\" is not a host such as a or a:4, or [fe80::1]:4");
      }
      add(slots, option, matcher.group(1), matcher.group(2));
    }
    return new Hosts(option, slots);
  }

  /** Reads a file with a host on each line, as {@code a}, {@code a:4} or {@code a slots=4}. */
  static Hosts read(Path file) {
    String option = "--hostfile " + file;
    List<String> lines;
    try {
      lines = Files.readAllLines(file);
    } catch (IOException e) {
      throw new IllegalArgumentException(
          option + (Files.exists(file) ? ": cannot be read: " + e : ": there is no such file"), e);
    }
    Map<String, Integer> slots = new LinkedHashMap<>();
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i);
      int comment = line.indexOf('#');
      line = (comment < 0 ? line : line.substring(0, comment)).strip();
      if (line.isEmpty()) {
        continue;
      }
      String where = option + ", line " + (i + 1);
      Matcher matcher = LINE.matcher(line);
      if (!matcher.matches()) {
        throw new IllegalArgumentException(
            where + ": \"" + line + "\" is not a host such as a, a:4 or a slots=4");
      }
      add(
          slots,
          where,
          matcher.group(1),
          matcher.group(2) == null ? matcher.group(3) : matcher.group(2));
    }
    if (slots.isEmpty()) {
      throw new IllegalArgumentException(option + ": there is no host in it");
    }
    return new Hosts(option, slots);
  }

  private static void add(
      Map<String, Integer> slots, String where, String text, @Nullable String number) {
    // As ssh wants it.
    String name = text.replace("[", "").replace("]", "");
    int count = number == null ? 1 : Integer.parseInt(number);
    if (count < 1 || count > RunCommand.MAX_RANKS) {
      throw new IllegalArgumentException(
          where
              + ": host "
              + name
              + " has "
              + number
              + " slots, but that must be from 1 to "
              + RunCommand.MAX_RANKS);
    }
    if (slots.put(name, count) != null) {
      throw new IllegalArgumentException(where + ": host " + name + " is there twice");
    }
  }

  /** How many ranks there is room for. */
  int total() {
    return slots.values().stream().mapToInt(Integer::intValue).sum();
  }

  /** Fills the hosts one after the other; those that remain empty are left out. */
  List<Host> place(int ranks) {
    if (ranks > total()) {
      throw new IllegalArgumentException(
          "-n " + ranks + ": there is room for " + total() + " ranks only, by " + option);
    }
    List<Host> hosts = new ArrayList<>();
    int first = 0;
    for (Map.Entry<String, Integer> entry : slots.entrySet()) {
      int count = Math.min(entry.getValue(), ranks - first);
      if (count > 0) {
        hosts.add(new Host(entry.getKey(), first, count));
        first += count;
      }
    }
    return hosts;
  }
}
