package org.lacis.net.ofi;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The endpoints of one device whose ranks live in this process: mostly one. They are closed when
 * all of them may be, because a provider may reach those of its own process without any care: that
 * of shared memory takes what it has unmapped for one of them as unmapped for nobody.
 */
final class ProcessGroup {

  private static final Map<String, ProcessGroup> GROUPS = new HashMap<>();

  private final String name;
  private final List<Endpoint> ended = new ArrayList<>();

  /** Keeps memory mapped that libfabric still knows of. */
  private final List<SlabList> memory = new ArrayList<>();

  private int open;

  private ProcessGroup(String name) {
    this.name = name;
  }

  /**
   * One more is going to be opened, which the others wait for.
   *
   * @param name of the device and the job
   */
  static ProcessGroup join(String name) {
    synchronized (GROUPS) {
      ProcessGroup group = GROUPS.computeIfAbsent(name, ProcessGroup::new);
      group.open++;
      return group;
    }
  }

  /** One was not opened after all. */
  void leave() {
    synchronized (GROUPS) {
      if (--open == 0) {
        GROUPS.remove(name);
        ended.forEach(Endpoint::close);
        ended.clear();
        memory.clear();
      }
    }
  }

  /** One has ended: it is closed, now or with the others. */
  void leave(Endpoint endpoint, SlabList slabs) {
    synchronized (GROUPS) {
      ended.add(endpoint);
      memory.add(slabs);
      leave();
    }
  }
}
