package org.lacis.net.shm;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.lacis.net.NetDevice;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * Two threads copy four units together, one from the front and one from the back, while a third
 * comes with a request for the copy before: all units are copied, and none for the third.
 */
@JCStressTest
@Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "All is copied, and counted once.")
@Outcome(expect = FORBIDDEN, desc = "Something was left out, counted twice or mixed up.")
@State
public class JointCopyStress {
  private static final int LENGTH = 4 * 64 * 1024 - 5;
  private static final int GENERATION = 7;
  private static final MemorySegment FROM = Arena.global().allocate(LENGTH, 8).fill((byte) 1);
  private static final MemorySegment WRONG = Arena.global().allocate(LENGTH, 8).fill((byte) 2);

  private final Arena arena = Arena.ofAuto();
  private final MemorySegment to = arena.allocate(LENGTH, 8);
  private final MemorySegment slot = arena.allocate(ShmLayout.JOINT_BYTES, ShmLayout.APART);

  /** A copy that nobody has begun. */
  public JointCopyStress() {
    JointCopy.prepare(slot.address(), GENERATION);
  }

  private void work(boolean back, int generation, MemorySegment from) {
    long share = JointCopy.take(back, false, slot.address(), generation, LENGTH);
    while (share != JointCopy.NONE) {
      long offset = JointCopy.offset(share, LENGTH);
      MemorySegment.copy(from, offset, to, offset, JointCopy.bytes(share, LENGTH));
      JointCopy.done(slot.address(), share, NetDevice.OK);
      share = JointCopy.take(back, false, slot.address(), generation, LENGTH);
    }
  }

  /** Who asked for it. */
  @Actor
  public void front() {
    work(false, GENERATION, FROM);
  }

  /** Who helps. */
  @Actor
  public void back() {
    work(true, GENERATION, FROM);
  }

  /** Who comes late. */
  @Actor
  public void late() {
    work(true, GENERATION - 1, WRONG);
  }

  /** Whether it is done, and right. */
  @Arbiter
  public void look(II_Result result) {
    result.r1 = JointCopy.doneAcquire(slot.address(), LENGTH) ? 1 : 0;
    result.r2 = to.mismatch(FROM) == -1 ? 1 : 0;
  }
}
