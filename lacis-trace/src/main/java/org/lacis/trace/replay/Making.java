package org.lacis.trace.replay;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lacis.trace.Call;
import org.lacis.trace.CallType;

/**
 * Something that makes a communicator or a group, or frees one.
 *
 * @param call the name of the call, without MPI_
 * @param from the communicator or group it is made from
 * @param to what is made
 * @param other the other group or communicator, if two are used
 * @param numbers ranks, dimensions or ranges; of a split color and key; of an inter-communicator
 *     local leader, remote leader and tag, of a merged one whether its ranks come last
 */
record Making(String call, int from, int to, int other, List<Integer> numbers) {
  /** By the call: the names of its arguments from, to, other, and of the numbers. */
  private static final Map<CallType, List<String>> ARGUMENTS = new HashMap<>();

  static {
    known("Comm_dup", "oldcomm", "newcomm", "");
    known("Comm_split", "oldcomm", "newcomm", "", "color", "key");
    known("Comm_create", "oldcomm", "newcomm", "group");
    known("Comm_free", "comm", "comm", "");
    known("Comm_disconnect", "comm", "comm", "");
    known("Cart_create", "oldcomm", "newcomm", "", "dims");
    known("Cart_sub", "oldcomm", "newcomm", "", "remain_dims");
    known("Graph_create", "oldcomm", "newcomm", "");
    known(
        "Intercomm_create",
        "localcomm",
        "newcomm",
        "remotecomm",
        "localleader",
        "remoteleader",
        "tag");
    known("Intercomm_merge", "comm", "newcomm", "", "high");
    known("Comm_group", "comm", "group", "");
    known("Comm_remote_group", "comm", "group", "");
    known("Group_incl", "group", "newgroup", "", "ranks");
    known("Group_excl", "group", "newgroup", "", "ranks");
    known("Group_range_incl", "group", "newgroup", "", "ranges");
    known("Group_range_excl", "group", "newgroup", "", "ranges");
    known("Group_union", "group1", "newgroup", "group2");
    known("Group_intersection", "group1", "newgroup", "group2");
    known("Group_difference", "group1", "newgroup", "group2");
  }

  private static void known(String call, String... arguments) {
    ARGUMENTS.put(CallType.named("MPI_" + call), List.of(arguments));
  }

  /** That of a call; null if it makes nothing. */
  static @Nullable Making of(Call call) {
    CallType type = call.type();
    List<String> names = ARGUMENTS.get(type);
    if (names == null) {
      return null;
    }
    List<Integer> numbers = new ArrayList<>();
    for (String name : names.subList(3, names.size())) {
      int at = type.indexOf(name);
      if (!type.fields().get(at).isArray()) {
        numbers.add(call.intValue(at));
        continue;
      }
      int each = name.equals("ranges") ? 3 : 1;
      for (int i = 0; i < call.length(at) * each; i++) {
        numbers.add(call.element(at, i));
      }
    }
    String other = names.get(2);
    return new Making(
        type.name().substring("MPI_".length()),
        call.intValue(type.indexOf(names.get(0))),
        call.intValue(type.indexOf(names.get(1))),
        other.isEmpty() ? 0 : call.intValue(type.indexOf(other)),
        numbers);
  }

  /** Whether a rank makes it by itself. */
  boolean isLocal() {
    return call.contains("roup") || call.equals("Comm_free") || call.equals("Comm_disconnect");
  }
}
