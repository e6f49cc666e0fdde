package org.lacis.bench;

import java.io.File;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Programs that are started, say hello and end. */
final class Hello {
  private Hello() {}

  /** Nanoseconds from the command to the end of so many ranks that say hello. */
  static long time(Coordinator coordinator, Subject subject, int ranks, Duration limit)
      throws SubjectException, InterruptedException {
    var builder = new ProcessBuilder(subject.hello(ranks));
    builder.environment().put("BENCH_HELLO", "1");
    builder.redirectErrorStream(true);
    builder.redirectOutput(ProcessBuilder.Redirect.DISCARD);
    builder.redirectInput(new File("/dev/null"));
    long start = System.nanoTime();
    try {
      Process process = coordinator.start(builder);
      try {
        if (!process.waitFor(limit.toNanos(), TimeUnit.NANOSECONDS)) {
          throw new SubjectException(
              subject.name() + " has not said hello within " + limit.toSeconds() + " s");
        }
        if (process.exitValue() != 0) {
          throw new SubjectException(
              subject.name() + " ended with code " + process.exitValue() + " instead of hello");
        }
        return System.nanoTime() - start;
      } finally {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
      }
    } catch (IOException e) {
      throw new SubjectException(subject.name() + " cannot be started: " + e.getMessage(), e);
    }
  }
}
