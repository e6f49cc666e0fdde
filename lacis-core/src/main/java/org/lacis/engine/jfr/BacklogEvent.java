package org.lacis.engine.jfr;

import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import org.jspecify.annotations.Nullable;

/** Something was put into the backlog. */
@Name("org.lacis.Backlog")
@Label("Backlog")
@Description("Something was put into the backlog.")
final class BacklogEvent extends DeviceEvent {

  /** Only asked whether events like it are wanted. */
  static final BacklogEvent ANY = new BacklogEvent();

  @Label("Peer")
  int peer;

  @Label("Operation")
  @Nullable String operation;

  @Label("Length")
  @Description("Operations in the backlog, with this one")
  int length;
}
