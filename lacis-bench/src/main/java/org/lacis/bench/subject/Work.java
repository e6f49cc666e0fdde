package org.lacis.bench.subject;

/** Something that can be measured again and again. */
@FunctionalInterface
public interface Work {
  /** Does what the command says, so many times as it says, and tells how long that took. */
  Timing run(Command command) throws Exception;
}
