package org.lacis.cli;

import java.io.Console;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.Optional;
import org.lacis.trace.depth.Progress;

/** A line that shows how far something is, if a person is looking. */
final class ProgressBar implements Progress {
  private static final int WIDTH = 30;
  private static final long EVERY_NANOS = 100_000_000;

  private final PrintWriter err;
  private final String what;
  private long shown = System.nanoTime();
  private boolean drawn;

  ProgressBar(PrintWriter err, String what) {
    this.err = err;
    this.what = what;
  }

  /** One on a terminal, none elsewhere. */
  static Progress on(PrintWriter err, String what) {
    // Some JDKs have a console only where there is a terminal.
    return Optional.ofNullable(System.console()).filter(Console::isTerminal).isPresent()
        ? new ProgressBar(err, what)
        : Progress.NONE;
  }

  @Override
  public void at(long done, long all) {
    long now = System.nanoTime();
    if (done < all && now - shown >= EVERY_NANOS) {
      shown = now;
      drawn = true;
      int full = (int) (WIDTH * done / Math.max(all, 1));
      err.printf(
          Locale.ROOT,
          "\r%s [%s%s] %,d of %,d MB",
          what,
          "#".repeat(full),
          " ".repeat(WIDTH - full),
          done >> 20,
          all >> 20);
      err.flush();
    } else if (done >= all && drawn) {
      err.print("\r\u001b[K");
      err.flush();
      drawn = false;
    }
  }
}
