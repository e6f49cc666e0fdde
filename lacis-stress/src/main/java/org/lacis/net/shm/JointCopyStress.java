package org.lacis.net.shm;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
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
  private static final int LENGTH = 4 * 32 * 1024 - 5;
  private static final int PID = (int) ProcessHandle.current().pid();
  private static final int GENERATION = 7;
  private static final MemorySegment FROM = Arena.global().allocate(LENGTH, 8).fill((byte) 1);
  private static final MemorySegment WRONG = Arena.global().allocate(LENGTH, 8).fill((byte) 2);
  private static final ThreadLocal<VmDesk> DESK = ThreadLocal.withInitial(VmDesk::new);

  private final Arena arena = Arena.ofAuto();
  private final MemorySegment to = arena.allocate(LENGTH, 8);
  private final MemorySegment slot = arena.allocate(ShmLayout.JOINT_BYTES, ShmLayout.APART);

  /** A copy that nobody has begun. */
  public JointCopyStress() {
    JointCopy.prepare(slot.address(), GENERATION);
  }

  private void work(boolean back, int generation, MemorySegment from) {
    JointCopy.work(
        back,
        slot.address(),
        generation,
        DESK.get(),
        true,
        PID,
        from.address(),
        to.address(),
        LENGTH);
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
