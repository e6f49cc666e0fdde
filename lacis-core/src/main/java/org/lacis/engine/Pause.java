package org.lacis.engine;

import org.jspecify.annotations.Nullable;
import org.lacis.Idle;

/** How a loop waits for room: as {@link Idle} does, and listed if it takes long. */
final class Pause {

  private final Engine engine;
  private final Idle idle;
  private final String what;
  private final long begin;
  private Waits.@Nullable Wait listed;

  /**
   * Begins.
   *
   * @param what what is waited for
   */
  Pause(Engine engine, String what) {
    this.engine = engine;
    this.idle = engine.newIdle();
    this.what = what;
    this.begin = engine.clock.now();
  }

  /** Spins, yields or sleeps if nothing was done; as the loop may have to end, looks whether so. */
  void after(int work) {
    engine.waiting().check();
    idle.after(work);
    if (listed == null && engine.waits.isLong(begin)) {
      String text = what;
      listed = engine.waits.begin(() -> text, begin);
    }
  }

  /** The loop is over. */
  void end() {
    if (listed != null) {
      engine.waits.end(listed);
    }
  }
}
