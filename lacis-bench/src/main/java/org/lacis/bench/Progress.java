package org.lacis.bench;

import java.io.PrintWriter;

/**
 * A bar that shows how far a run has come, on one line that is written again and again. Where that
 * cannot be, as in a file, a line for each measure tells it.
 */
final class Progress {
  private static final int WIDTH = 30;
  private static final int TEXT = 60;

  private final PrintWriter out;
  private final boolean shown;
  private final int steps;
  private final long start = System.nanoTime();
  private int done;

  /**
   * A bar.
   *
   * @param shown whether a line can be written again
   */
  Progress(PrintWriter out, boolean shown, int steps) {
    this.out = out;
    this.shown = shown;
    this.steps = Math.max(1, steps);
  }

  /** A measure begins. */
  void begin(String what) {
    if (!shown) {
      long seconds = (System.nanoTime() - start) / 1_000_000_000;
      out.println("%3d %%, %d s: %s".formatted(100 * done / steps, seconds, what));
      out.flush();
    }
  }

  void step(String what) {
    done = Math.min(steps, done + 1);
    show(what);
  }

  void show(String what) {
    if (shown) {
      out.print("\r" + line(what));
      out.flush();
    }
  }

  String line(String what) {
    int filled = WIDTH * done / steps;
    String text = what.length() > TEXT ? what.substring(0, TEXT) : what;
    return "[%s%s] %3d %% %s"
        .formatted(
            "#".repeat(filled),
            " ".repeat(WIDTH - filled),
            100 * done / steps,
            text + " ".repeat(TEXT - text.length()));
  }

  /** Takes the bar away, for lines that stay. */
  void clear() {
    if (shown) {
      out.print("\r" + " ".repeat(WIDTH + TEXT + 9) + "\r");
      out.flush();
    }
  }
}
