package org.lacis.engine.jfr;

import jdk.jfr.Category;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.StackTrace;

/** What all events have. Off unless a recording asks for them. */
@Category("Lacis")
@Enabled(false)
@StackTrace(false)
abstract class DeviceEvent extends Event {

  @Label("Own Rank")
  int ownRank;

  @Label("Device")
  int device;
}
