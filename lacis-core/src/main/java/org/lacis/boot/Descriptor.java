package org.lacis.boot;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.util.Objects;

/**
 * A socket that this process has inherited as a number. Java has no way to open it: Linux refuses
 * to open a socket by its name in {@code /dev/fd}. So this class calls the C library, and is the
 * only one here that knows these symbols.
 *
 * <p>One thread reads and one writes, as with any socket. It is never closed, only shut down: its
 * number must not become that of another file while a thread is still reading.
 */
final class Descriptor implements Closeable {
  private static final StructLayout STATE = Linker.Option.captureStateLayout();
  private static final long ERRNO = STATE.byteOffset(PathElement.groupElement("errno"));
  private static final int EINTR = 4;
  private static final int BUFFER = 8192;
  private static final int BOTH_WAYS = 2;

  private static final FunctionDescriptor TRANSFER =
      FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG);
  private static final MethodHandle READ = function("read", TRANSFER);
  private static final MethodHandle WRITE = function("write", TRANSFER);
  private static final MethodHandle SHUTDOWN =
      function("shutdown", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT));
  private static final MethodHandle GETSOCKNAME =
      function("getsockname", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, ADDRESS));

  private final int fd;

  private Descriptor(int fd) {
    this.fd = fd;
  }

  private static MethodHandle function(String name, FunctionDescriptor descriptor) {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(
        linker.defaultLookup().find(name).orElseThrow(),
        descriptor,
        Linker.Option.captureCallState("errno"));
  }

  /**
   * The inherited socket with this number.
   *
   * @throws IOException if there is none: of the variables that name one, children of a process get
   *     copies, but not of the socket
   */
  static Descriptor of(int fd) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(STATE);
      MemorySegment length = arena.allocate(JAVA_INT);
      length.set(JAVA_INT, 0, BUFFER);
      if ((int) GETSOCKNAME.invokeExact(state, fd, arena.allocate(BUFFER), length) < 0) {
        throw new IOException(
            "descriptor " + fd + " of this process is no socket (" + error(state) + ")");
      }
      return new Descriptor(fd);
    } catch (IOException e) {
      throw e;
    } catch (Throwable e) {
      throw new AssertionError("a downcall does not throw", e);
    }
  }

  InputStream in() {
    return new InputStream() {
      private final Arena arena = Arena.ofAuto();
      private final MemorySegment buffer = arena.allocate(BUFFER);
      private final MemorySegment state = arena.allocate(STATE);

      @Override
      public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
      }

      @Override
      public int read(byte[] bytes, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, bytes.length);
        if (length == 0) {
          return 0;
        }
        int n = (int) transfer(READ, state, buffer, Math.min(length, BUFFER));
        MemorySegment.copy(buffer, JAVA_BYTE, 0, bytes, offset, n);
        return n == 0 ? -1 : n;
      }
    };
  }

  OutputStream out() {
    return new OutputStream() {
      @Override
      public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
      }

      @Override
      public void write(byte[] bytes, int offset, int length) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
          MemorySegment state = arena.allocate(STATE);
          MemorySegment all = arena.allocate(Math.max(1, length));
          MemorySegment.copy(bytes, offset, all, JAVA_BYTE, 0, length);
          for (long done = 0; done < length; ) {
            done += transfer(WRITE, state, all.asSlice(done), length - done);
          }
        }
      }
    };
  }

  private long transfer(MethodHandle call, MemorySegment state, MemorySegment buffer, long length)
      throws IOException {
    while (true) {
      long n;
      try {
        n = (long) call.invokeExact(state, fd, buffer, length);
      } catch (Throwable e) {
        throw new AssertionError("a downcall does not throw", e);
      }
      if (n >= 0) {
        return n;
      }
      if (state.get(JAVA_INT, ERRNO) != EINTR) {
        throw new IOException("descriptor " + fd + ": " + error(state));
      }
    }
  }

  private static String error(MemorySegment state) {
    return "errno " + state.get(JAVA_INT, ERRNO);
  }

  /** Wakes who reads, and lets nobody write. */
  @Override
  public void close() {
    try (Arena arena = Arena.ofConfined()) {
      int ignored = (int) SHUTDOWN.invokeExact(arena.allocate((MemoryLayout) STATE), fd, BOTH_WAYS);
    } catch (Throwable e) {
      throw new AssertionError("a downcall does not throw", e);
    }
  }
}
