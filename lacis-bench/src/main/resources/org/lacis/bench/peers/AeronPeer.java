import io.aeron.Aeron;
import io.aeron.ExclusivePublication;
import io.aeron.FragmentAssembler;
import io.aeron.Publication;
import io.aeron.Subscription;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.aeron.logbuffer.FragmentHandler;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.lacis.bench.subject.Command;
import org.lacis.bench.subject.Conversation;
import org.lacis.bench.subject.Percentiles;
import org.lacis.bench.subject.Timing;
import org.lacis.bench.subject.Work;

/**
 * A rank of Aeron that lacis bench measures, with one publication in each direction and large terms.
 * The media driver has no thread: the ranks run it as they go, so that it takes no core from them,
 * nor from others while they rest. Over IPC the first rank has it; over UDP each rank has one.
 */
public final class AeronPeer {
  private static final int STREAM = 7;
  private static final long FOREVER = TimeUnit.HOURS.toNanos(1);
  private static final int POLL = 256;
  private static final int RARELY = 1023;

  private long received;
  private long expected;
  private int turns;
  private final boolean first;
  private final boolean udp;
  private final MediaDriver driver;
  private final Aeron aeron;
  private final Subscription in;
  private final ExclusivePublication out;
  private final UnsafeBuffer message = new UnsafeBuffer(BufferUtil.allocateDirectAligned(16 << 20, 64));
  private final FragmentHandler counts = (_, _, _, _) -> received++;
  private final FragmentAssembler assembled = new FragmentAssembler(counts);

  public static void main(String[] args) throws Exception {
    int rank = Integer.parseInt(System.getenv("PMI_RANK"));
    var peer = new AeronPeer(rank, System.getenv("BENCH_FOLDER"), System.getenv("BENCH_UDP"));
    Conversation.serve(rank, peer::work);
    // Nothing to say goodbye to: the folder of the driver is gone.
    Runtime.getRuntime().halt(0);
  }

  private AeronPeer(int rank, String folder, String ports) throws InterruptedException {
    first = rank == 0;
    udp = ports != null;
    String mine = udp ? folder + "/" + rank : folder + "/0";
    driver = first || udp ? MediaDriver.launch(driver(mine)) : null;
    var context =
        new Aeron.Context()
            .aeronDirectoryName(mine)
            .driverTimeoutMs(TimeUnit.NANOSECONDS.toMillis(FOREVER))
            .useConductorAgentInvoker(true);
    if (driver != null) {
      context.driverAgentInvoker(driver.sharedAgentInvoker());
    }
    aeron = Aeron.connect(context);
    in = aeron.addSubscription(channel(ports, rank), STREAM + rank);
    out = aeron.addExclusivePublication(channel(ports, 1 - rank), STREAM + 1 - rank);
    while (!out.isConnected() || !in.isConnected()) {
      aeron.conductorAgentInvoker().invoke();
      drive();
      Thread.sleep(1);
    }
  }

  private static MediaDriver.Context driver(String folder) {
    return new MediaDriver.Context()
        .aeronDirectoryName(folder)
        .threadingMode(ThreadingMode.INVOKER)
        .ipcTermBufferLength(64 << 20)
        .publicationTermBufferLength(64 << 20)
        .initialWindowLength(4 << 20)
        .socketRcvbufLength(4 << 20)
        .socketSndbufLength(4 << 20)
        .clientLivenessTimeoutNs(FOREVER)
        .imageLivenessTimeoutNs(FOREVER)
        .publicationConnectionTimeoutNs(FOREVER)
        .publicationUnblockTimeoutNs(2 * FOREVER)
        .termBufferSparseFile(false)
        .warnIfDirectoryExists(false)
        .dirDeleteOnStart(true)
        .errorHandler(e -> System.err.println("aeron: " + e));
  }

  private static String channel(String ports, int receiver) {
    return ports == null ? "aeron:ipc" : "aeron:udp?endpoint=127.0.0.1:" + ports.split(",")[receiver];
  }

  private void drive() {
    if (driver != null) {
      driver.sharedAgentInvoker().invoke();
    }
  }

  private Work work(Command command) {
    return switch (command.verb()) {
      case "am-latency" -> this::latency;
      case "paced-latency" -> this::paced;
      case "am-rate" -> this::stream;
      case "both-rate" -> this::both;
      case "bandwidth" -> command.number("bytes", 8) <= out.maxMessageLength() ? this::stream : null;
      default -> null;
    };
  }

  private Timing latency(Command command) {
    meet();
    long start = System.nanoTime();
    for (long i = command.count(); i > 0; i--) {
      toAndFro();
    }
    return since(start);
  }

  private Timing paced(Command command) {
    var times = new Histogram(3);
    long interval = command.number("interval", 20_000);
    meet();
    long start = System.nanoTime();
    long due = start;
    for (long i = command.count(); i > 0; i--, due += interval) {
      while (first && System.nanoTime() < due) {
        Thread.onSpinWait();
      }
      toAndFro();
      times.recordValue(Math.max(0, (System.nanoTime() - due) / 2));
    }
    return new Timing(since(start).nanos(), first ? Percentiles.of(times) : "");
  }

  private Timing stream(Command command) {
    int bytes = command.number("bytes", 8);
    meet();
    long start = System.nanoTime();
    if (first) {
      for (long i = command.count(); i > 0; i--) {
        send(bytes);
      }
      flush();
      await(1);
    } else {
      await(command.count());
      send(8);
      flush();
    }
    return since(start);
  }

  private Timing both(Command command) {
    int window = command.number("window", 64);
    meet();
    long start = System.nanoTime();
    long sent = 0;
    long before = expected;
    while (sent < command.count() || received < before + command.count()) {
      if (sent < command.count() && sent < received - before + window) {
        send(8);
        sent++;
      } else {
        poll();
      }
    }
    expected = before + command.count();
    flush();
    return since(start);
  }

  /** Both are there, and what is measured starts now. */
  private void meet() {
    toAndFro();
  }

  private void toAndFro() {
    if (first) {
      send(8);
      flush();
    }
    await(1);
    if (!first) {
      send(8);
      flush();
    }
  }

  private void send(int bytes) {
    long position;
    while ((position = out.offer(message, 0, bytes)) < 0) {
      if (position == Publication.CLOSED || position == Publication.MAX_POSITION_EXCEEDED) {
        throw new IllegalStateException("the publication is closed");
      }
      drive();
      Thread.onSpinWait();
    }
    if ((++turns & (udp ? 31 : RARELY)) == 0) {
      drive();
    }
  }

  /** Over UDP, what was sent leaves only when the driver runs. */
  private void flush() {
    if (udp) {
      drive();
    }
  }

  private void await(long count) {
    expected += count;
    while (received < expected) {
      poll();
    }
  }

  private void poll() {
    if (in.poll(assembled, POLL) == 0) {
      if (udp || (++turns & RARELY) == 0) {
        drive();
      }
      Thread.onSpinWait();
    }
  }

  private Timing since(long start) {
    return Timing.of(first ? System.nanoTime() - start : 0);
  }
}
