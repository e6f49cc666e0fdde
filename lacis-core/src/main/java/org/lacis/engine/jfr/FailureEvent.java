package org.lacis.engine.jfr;

import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import org.jspecify.annotations.Nullable;

/** An operation has failed. */
@Name("org.lacis.Failure")
@Label("Failure")
@Description("An operation has failed.")
final class FailureEvent extends DeviceEvent {

  /** Only asked whether events like it are wanted. */
  static final FailureEvent ANY = new FailureEvent();

  @Label("Peer")
  int peer;

  @Label("Tag")
  int tag;

  @Label("Kind")
  @Nullable String kind;

  @Label("Message")
  @Nullable String message;
}
