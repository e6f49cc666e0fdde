package org.lacis.engine.jfr;

import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;

/** A progress call did something. */
@Name("org.lacis.Progress")
@Label("Progress")
@Description("A progress call did something.")
public final class ProgressEvent extends DeviceEvent {

  @Label("Work")
  @Description("How many things were done")
  int work;

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
