package org.lacis.bench.micro;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.TimeUnit;
import org.lacis.net.Memory;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The header of a message written and read again, and a frame of tcp with it. Both are classes that
 * nobody else sees; handles that are constants cost nothing.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(value = 2, jvmArgsAppend = "--enable-native-access=ALL-UNNAMED")
@State(Scope.Thread)
public class FrameBenchmark {
  private static final String FRAME = "org.lacis.engine.Frame";
  private static final String FRAMES = "org.lacis.net.tcp.Frames";
  private static final MethodHandle H0 =
      handle(FRAME, "h0", long.class, int.class, int.class, int.class, int.class);
  private static final MethodHandle KIND = handle(FRAME, "kind", int.class, long.class);
  private static final MethodHandle TAG = handle(FRAME, "tag", int.class, long.class);
  private static final MethodHandle MESSAGE =
      handle(
          FRAMES, "message", void.class, long.class, int.class, int.class, long.class, long.class);
  private static final MethodHandle LENGTH = handle(FRAMES, "length", int.class, long.class);

  private final MemorySegment room = Arena.ofAuto().allocate(64, 64);
  private int tag;

  private static MethodHandle handle(
      String type, String name, Class<?> result, Class<?>... arguments) {
    try {
      Class<?> owner = Class.forName(type);
      return MethodHandles.privateLookupIn(owner, MethodHandles.lookup())
          .findStatic(owner, name, MethodType.methodType(result, arguments));
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** The two words of a message. */
  @Benchmark
  public int header() throws Throwable {
    long h0 = (long) H0.invokeExact(2, 0, 7, tag++);
    return (int) KIND.invokeExact(h0) + (int) TAG.invokeExact(h0);
  }

  /** What goes over a connection before the payload. */
  @Benchmark
  public int tcpFrame() throws Throwable {
    long h0 = (long) H0.invokeExact(2, 0, 7, tag++);
    MESSAGE.invokeExact(room.address(), 1, 8, h0, 0L);
    return (int) LENGTH.invokeExact(Memory.getLong(room.address()));
  }
}
