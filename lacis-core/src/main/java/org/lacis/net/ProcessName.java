package org.lacis.net;

import java.time.Instant;
import java.util.Collection;

/**
 * What ranks know each other's process by.
 *
 * @param machine where its number is known
 * @param number its number there
 * @param start when it started, in milliseconds: numbers are used again
 */
public record ProcessName(String machine, long number, long start) {

  private static final String SEPARATOR = "/";
  private static final ProcessName SELF = of(ProcessHandle.current());

  /** This process. */
  public static ProcessName self() {
    return SELF;
  }

  /** A process of this machine. */
  public static ProcessName of(ProcessHandle process) {
    return new ProcessName(
        Machine.processes(),
        process.pid(),
        process.info().startInstant().map(Instant::toEpochMilli).orElse(0L));
  }

  /** Reads what {@link #toString} has written. */
  public static ProcessName parse(String text) {
    String[] parts = text.split(SEPARATOR, 3);
    return new ProcessName(parts[0], Long.parseLong(parts[1]), Long.parseLong(parts[2]));
  }

  /** Those of this machine. */
  public static int[] here(Collection<ProcessName> all) {
    return all.stream().filter(ProcessName::isHere).mapToInt(name -> (int) name.number).toArray();
  }

  /** Whether it is one of this machine. */
  public boolean isHere() {
    return machine.equals(SELF.machine);
  }

  /** For others to read; without spaces. */
  @Override
  public String toString() {
    return machine + SEPARATOR + number + SEPARATOR + start;
  }
}
