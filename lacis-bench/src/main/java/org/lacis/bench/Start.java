package org.lacis.bench;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * A command that starts the ranks of a subject.
 *
 * @param command its words
 * @param env what its environment has beside ours
 * @param files what can be deleted when all ranks have called
 */
record Start(List<String> command, Map<String, String> env, List<Path> files) {
  static Start of(List<String> command, Map<String, String> env) {
    return new Start(command, env, List.of());
  }
}
