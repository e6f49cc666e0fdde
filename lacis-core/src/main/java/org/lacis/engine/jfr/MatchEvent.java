package org.lacis.engine.jfr;

import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import org.jspecify.annotations.Nullable;

/** A receive and a message have met. */
@Name("org.lacis.Match")
@Label("Match")
@Description("A receive and a message have met.")
final class MatchEvent extends DeviceEvent {

  /** Only asked whether events like it are wanted. */
  static final MatchEvent ANY = new MatchEvent();

  @Label("Peer")
  int peer;

  @Label("Tag")
  int tag;

  @Label("Bytes")
  @DataAmount
  long bytes;

  @Label("Expected")
  @Description("Whether the receive was there first")
  boolean expected;

  @Label("Matching Engine")
  @Description("Its number, 0 for the default one")
  int engine;

  @Label("Matching Policy")
  @Nullable String policy;
}
