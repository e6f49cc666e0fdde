package org.lacis.engine.jfr;

import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import org.jspecify.annotations.Nullable;

/** A message is sent by this protocol. */
@Name("org.lacis.Protocol")
@Label("Protocol")
@Description("A message is sent by this protocol.")
final class ProtocolEvent extends DeviceEvent {

  /** Only asked whether events like it are wanted. */
  static final ProtocolEvent ANY = new ProtocolEvent();

  @Label("Peer")
  int peer;

  @Label("Bytes")
  @DataAmount
  long bytes;

  @Label("Protocol")
  @Nullable String protocol;
}
