package org.lacis.trace;

import java.util.Arrays;

/** Where the arguments of a name are, in every call that has one. */
public final class Fields {
  private final int[] places = new int[CallType.COUNT];

  private Fields(String name) {
    Arrays.fill(places, -1);
    for (int id = 0; id < CallType.COUNT; id++) {
      CallType type = CallType.of(id);
      if (type != null) {
        places[id] = type.indexOf(name);
      }
    }
  }

  /** Those of a name. */
  public static Fields named(String name) {
    return new Fields(name);
  }

  /** Where it is; -1 if the call has none. */
  public int at(Call call) {
    return places[call.type().id()];
  }

  /**
   * Its value.
   *
   * @throws IllegalArgumentException if the call has none
   */
  public int in(Call call) {
    int at = at(call);
    if (at < 0) {
      throw new IllegalArgumentException(call.type() + " has no such argument");
    }
    return call.intValue(at);
  }
}
