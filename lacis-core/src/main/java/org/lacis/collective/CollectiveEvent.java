package org.lacis.collective;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/** A run of a collective, from its start to its end at this member. */
@Name("org.lacis.Collective")
@Label("Collective")
@Description("A run of a collective, from its start to its end at this member.")
@Category("Lacis")
@Enabled(false)
@StackTrace(false)
final class CollectiveEvent extends Event {

  /** Only asked whether events like it are wanted. */
  static final CollectiveEvent ANY = new CollectiveEvent();

  @Label("Own Rank")
  int ownRank;

  @Label("Member")
  int member;

  @Label("Group Size")
  int size;

  @Label("Kind")
  @Nullable String kind;

  @Label("Algorithm")
  @Nullable String algorithm;

  @Label("Bytes")
  @Description("The longer one of this member's buffers")
  @DataAmount
  long bytes;

  @Label("Failure")
  @Nullable String failure;
}
