package org.lacis.engine;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.lacis.PoolOptions;
import org.lacis.net.NetContext;

/** The packet pools of a runtime, and the way back to them for packets that peers have consumed. */
final class Pools {

  private final Engine engine;
  private final CopyOnWriteArrayList<Pool> all = new CopyOnWriteArrayList<>();
  private final NetContext.PacketTaker taker = this::returned;

  Pools(Engine engine) {
    this.engine = engine;
  }

  Pool add(String name, PoolOptions how) {
    // Closed pools whose packets have come back meanwhile make room.
    reclaim();
    Pool added = new Pool(engine, name, how);
    all.add(added);
    return added;
  }

  List<Pool> all() {
    return all;
  }

  boolean has(Pool pool) {
    return all.contains(pool);
  }

  /** Takes packets back that peers have consumed; how many. */
  int reclaim() {
    return engine.isEnded() ? 0 : engine.context().reclaim(taker);
  }

  private void returned(long packet) {
    // Nearly always; and walking the list makes an object.
    if (engine.pool.owns(packet)) {
      engine.pool.give(packet);
      return;
    }
    for (Pool pool : all) {
      if (pool.owns(packet)) {
        pool.give(packet);
        return;
      }
    }
  }

  void closed(Pool pool) {
    reclaim();
    freeIfWhole(pool);
  }

  /** Frees a closed pool once its last packet is back. */
  void freeIfWhole(Pool pool) {
    if (pool.isClosed() && pool.isWhole() && all.remove(pool)) {
      pool.free();
    }
  }
}
