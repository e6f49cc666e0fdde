package org.lacis.net;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.invoke.MethodHandle;
import org.jspecify.annotations.Nullable;

/**
 * A barrier for the threads of this process that costs them nothing until another one wants it:
 * Linux's {@code membarrier}. Programs that never use this class start quicker, without its handle.
 */
public final class Membarrier {

  private static final int PRIVATE_EXPEDITED = 1 << 3;
  private static final int REGISTER_PRIVATE_EXPEDITED = 1 << 4;
  private static final long NUMBER =
      switch (System.getProperty("os.arch")) {
        case "amd64" -> 324;
        case "aarch64", "riscv64" -> 283;
        default -> -1;
      };
  private static final @Nullable MethodHandle SYSCALL = syscall();
  private static final boolean REGISTERED = call(REGISTER_PRIVATE_EXPEDITED);

  private Membarrier() {}

  /** Whether {@link #run} works here. The first call takes some milliseconds. */
  public static boolean works() {
    return REGISTERED;
  }

  /**
   * A full memory barrier on every core that runs a thread of this process, some microseconds. Only
   * if it {@link #works}.
   */
  public static void run() {
    if (!call(PRIVATE_EXPEDITED)) {
      throw new IllegalStateException("membarrier worked once and does not any more");
    }
  }

  private static boolean call(int command) {
    MethodHandle syscall = SYSCALL;
    if (syscall == null || NUMBER < 0) {
      return false;
    }
    try {
      return (long) syscall.invokeExact(NUMBER, command, 0, 0) == 0;
    } catch (Throwable e) {
      throw new AssertionError("a downcall does not throw", e);
    }
  }

  private static @Nullable MethodHandle syscall() {
    if (!System.getProperty("os.name").equals("Linux")) {
      return null;
    }
    Linker linker = Linker.nativeLinker();
    return linker
        .defaultLookup()
        .find("syscall")
        .map(
            symbol ->
                linker.downcallHandle(
                    symbol,
                    FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT),
                    Linker.Option.firstVariadicArg(1)))
        .orElse(null);
  }
}
