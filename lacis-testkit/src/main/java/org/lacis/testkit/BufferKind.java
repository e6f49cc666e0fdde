package org.lacis.testkit;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.lacis.Lacis;
import org.lacis.Region;

/** The kinds of memory that users have. */
enum BufferKind {
  NATIVE {
    @Override
    Buffer allocate(Lacis lacis, long bytes) {
      return new Buffer(Arena.ofAuto().allocate(bytes), () -> {});
    }
  },
  HEAP {
    @Override
    Buffer allocate(Lacis lacis, long bytes) {
      return new Buffer(MemorySegment.ofArray(new byte[(int) bytes]), () -> {});
    }
  },
  CONFINED {
    @Override
    Buffer allocate(Lacis lacis, long bytes) {
      Arena arena = Arena.ofConfined();
      return new Buffer(arena.allocate(bytes), arena::close);
    }
  },
  ALLOCATED {
    @Override
    Buffer allocate(Lacis lacis, long bytes) {
      Region region = lacis.allocate(Math.max(1, bytes));
      return new Buffer(region.segment().asSlice(0, bytes), region::close);
    }
  };

  /** Memory of this kind, of exactly so many bytes. */
  abstract Buffer allocate(Lacis lacis, long bytes);

  /**
   * Memory that is given back.
   *
   * @param segment the memory
   * @param end gives it back
   */
  record Buffer(MemorySegment segment, Runnable end) implements AutoCloseable {
    @Override
    public void close() {
      end.run();
    }
  }
}
