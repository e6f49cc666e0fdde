package org.lacis.engine.jfr;

import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import org.jspecify.annotations.Nullable;

/** A post found no room. */
@Name("org.lacis.Retry")
@Label("Retry")
@Description("A post found no room.")
final class RetryEvent extends DeviceEvent {

  /** Only asked whether events like it are wanted. */
  static final RetryEvent ANY = new RetryEvent();

  @Label("Peer")
  int peer;

  @Label("Reason")
  @Nullable String reason;
}
