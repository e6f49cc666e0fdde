package org.lacis.engine.jfr;

import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import org.jspecify.annotations.Nullable;

/** An operation was posted, and answered. */
@Name("org.lacis.Post")
@Label("Post")
@Description("An operation was posted, and answered.")
final class PostEvent extends DeviceEvent {

  /** Only asked whether events like it are wanted. */
  static final PostEvent ANY = new PostEvent();

  @Label("Kind")
  @Nullable String kind;

  @Label("Peer")
  int peer;

  @Label("Tag")
  int tag;

  @Label("Bytes")
  @DataAmount
  long bytes;

  @Label("Answer")
  @Nullable String answer;

  @Label("Matching Engine")
  @Description("Its number, 0 for the default one; -1 if there is no matching")
  int engine;

  @Label("Matching Policy")
  @Nullable String policy;
}
