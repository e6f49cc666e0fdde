package org.lacis.engine.jfr;

import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;

/** A progress call did something. */
@Name("org.lacis.Progress")
@Label("Progress")
@Description("A progress call did something.")
public final class ProgressEvent extends DeviceEvent {

  /** Only asked whether events like it are wanted. */
  private static final ProgressEvent ANY = new ProgressEvent();

  @Label("Work")
  @Description("How many things were done")
  int work;

  /** Whether a recording wants such events. */
  public static boolean isWanted() {
    return ANY.isEnabled();
  }

  /** Ends it; it is recorded if there was something to do. */
  public void ended(int ofRank, int onDevice, int done) {
    end();
    if (done > 0) {
      ownRank = ofRank;
      device = onDevice;
      work = done;
      commit();
    }
  }
}
