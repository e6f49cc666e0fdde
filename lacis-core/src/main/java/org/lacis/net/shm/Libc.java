package org.lacis.net.shm;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The few functions of the C library that shared memory can use and does not need: copies between
 * processes, and the permission for them. The only place that knows their symbols.
 */
final class Libc {

  static final int EPERM = 1;
  static final int ESRCH = 3;
  static final int ENOMEM = 12;
  static final int EFAULT = 14;

  private static final int PR_SET_PTRACER = 0x59616d61;
  private static final long PR_SET_PTRACER_ANY = -1;
  private static final Path PTRACE_SCOPE = Path.of("/proc/sys/kernel/yama/ptrace_scope");

  private static final @Nullable MethodHandle READV = vm("process_vm_readv");
  private static final @Nullable MethodHandle WRITEV = vm("process_vm_writev");

  private Libc() {}

  /** Why memory of other processes cannot be copied at all; null if it can be tried. */
  static @Nullable String missing() {
    return READV == null || WRITEV == null ? "the C library has no process_vm_readv" : null;
  }

  private static @Nullable MethodHandle vm(String name, Linker.Option... options) {
    Linker linker = Linker.nativeLinker();
    // ssize_t f(pid_t, const struct iovec *local, unsigned long, const struct iovec *remote,
    // unsigned long, unsigned long flags).
    // Not "critical": a copy takes long enough to keep the collector waiting.
    return linker
        .defaultLookup()
        .find(name)
        .map(
            symbol ->
                linker.downcallHandle(
                    symbol,
                    FunctionDescriptor.of(
                        JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG),
                    options))
        .orElse(null);
  }

  /**
   * One call of process_vm_writev or process_vm_readv.
   *
   * @param local the address of structs iovec: address and length
   * @param remote the same, of ranges in the other process
   * @param count how many there are of each
   * @return the bytes copied, perhaps fewer than asked for; or the negated errno
   */
  static long copy(boolean write, int pid, long local, long remote, long count) {
    MethodHandle readv = READV;
    MethodHandle writev = WRITEV;
    if (readv == null || writev == null) {
      throw new IllegalStateException(missing());
    }
    long copied;
    try {
      if (write) {
        copied = (long) writev.invokeExact(pid, local, count, remote, count, 0L);
      } else {
        copied = (long) readv.invokeExact(pid, local, count, remote, count, 0L);
      }
    } catch (Throwable e) {
      throw new AssertionError("a downcall does not throw", e);
    }
    return copied >= 0 ? copied : Reason.copyAgain(write, pid, local, remote, count);
  }

  /**
   * Copies once more to learn why it failed: a call that keeps errno makes an object if it is not
   * inlined, which a call per message must not do.
   */
  private static final class Reason {
    private static final StructLayout STATE = Linker.Option.captureStateLayout();
    private static final long ERRNO = STATE.byteOffset(PathElement.groupElement("errno"));
    private static final Linker.Option KEEP = Linker.Option.captureCallState("errno");
    private static final @Nullable MethodHandle READV = vm("process_vm_readv", KEEP);
    private static final @Nullable MethodHandle WRITEV = vm("process_vm_writev", KEEP);

    static long copyAgain(boolean write, int pid, long local, long remote, long count) {
      MethodHandle call = Objects.requireNonNull(write ? WRITEV : READV);
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment state = arena.allocate(STATE);
        long copied = (long) call.invokeExact(state, pid, local, count, remote, count, 0L);
        return copied >= 0 ? copied : -state.get(JAVA_INT, ERRNO);
      } catch (Throwable e) {
        throw new AssertionError("a downcall does not throw", e);
      }
    }
  }

  /**
   * Allows the other ranks to reach this process where the kernel restricts that to ancestors
   * (Yama, scope 1). Elsewhere every process of the user may, and nothing is done.
   */
  static void allowPeers() {
    try {
      if (Files.isReadable(PTRACE_SCOPE) && Files.readString(PTRACE_SCOPE).strip().equals("1")) {
        Linker linker = Linker.nativeLinker();
        MethodHandle prctl =
            linker.downcallHandle(
                linker.defaultLookup().find("prctl").orElseThrow(),
                FunctionDescriptor.of(
                    JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG),
                Linker.Option.firstVariadicArg(1));
        int ignored = (int) prctl.invokeExact(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0L, 0L, 0L);
      }
    } catch (Throwable e) {
      // The probe that follows finds out, and the reason is in the context's description.
      System.getLogger(Libc.class.getName()).log(System.Logger.Level.DEBUG, "prctl", e);
    }
  }
}
