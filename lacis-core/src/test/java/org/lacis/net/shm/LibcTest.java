package org.lacis.net.shm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;

/** The calls into the C library, on this process itself. */
class LibcTest {

  private final MemorySegment iovecs = Arena.ofAuto().allocate(32, 8);
  private final MemorySegment here = Arena.ofAuto().allocate(64, 8);
  private final MemorySegment there = Arena.ofAuto().allocate(64, 8);
  private final int pid = (int) ProcessHandle.current().pid();

  @Test
  void memoryIsWrittenAndRead() {
    assumeThat(Libc.missing()).isNull();
    here.set(ValueLayout.JAVA_LONG, 0, 42);
    assertThat(copy(true, pid, there.address(), 8)).isEqualTo(8);
    assertThat(there.get(ValueLayout.JAVA_LONG, 0)).isEqualTo(42);
    there.set(ValueLayout.JAVA_LONG, 56, 43);
    assertThat(copy(false, pid, there.address(), 64)).isEqualTo(64);
    assertThat(here.get(ValueLayout.JAVA_LONG, 56)).isEqualTo(43);
  }

  @Test
  void failuresAreTheErrno() {
    assumeThat(Libc.missing()).isNull();
    assertThat(copy(true, pid, 16, 8)).isEqualTo(-Libc.EFAULT);
    assertThat(copy(true, Integer.MAX_VALUE, there.address(), 8)).isEqualTo(-Libc.ESRCH);
  }

  @Test
  void allowingPeersDoesNotThrow() {
    Libc.allowPeers();
  }

  private long copy(boolean write, int process, long remote, long length) {
    iovecs.set(ValueLayout.JAVA_LONG, 0, here.address());
    iovecs.set(ValueLayout.JAVA_LONG, 8, length);
    iovecs.set(ValueLayout.JAVA_LONG, 16, remote);
    iovecs.set(ValueLayout.JAVA_LONG, 24, length);
    return Libc.copy(write, process, iovecs.address(), iovecs.address() + 16, 1);
  }
}
