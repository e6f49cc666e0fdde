package org.lacis.engine.jfr;

import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;

/** A peer is gone, and all that it has sent by this device was taken. */
@Name("org.lacis.PeerGone")
@Label("Peer Gone")
@Description("A peer is gone, and all that it has sent by this device was taken.")
final class PeerGoneEvent extends DeviceEvent {

  /** Only asked whether events like it are wanted. */
  static final PeerGoneEvent ANY = new PeerGoneEvent();

  @Label("Peer")
  int peer;
}
