package org.lacis.settings;

import java.time.Duration;
import java.util.List;

/** The table of all that can be set from outside a program; {@code docs/options.md} shows it. */
public final class Settings {

  /** What shm can address, 512 GiB, but for its own tables. */
  private static final long MOST_SHARED_BYTES = 511L << 30;

  /** The name of the runtime. */
  public static final Setting<String> NAME =
      new Setting<>(
          "lacis.name",
          "LacisOptions.name",
          Rule.text("any text"),
          "",
          "a name for the runtime, for people: in `info()`, dumps and messages");

  /** The network. */
  public static final Setting<String> NET =
      new Setting<>(
          "lacis.net",
          "LacisOptions.networkName",
          Rule.text("auto, the name of a network, or two of them with a plus"),
          "auto",
          "the network to use; `shm+tcp` is one within hosts and one between them; `auto` takes"
              + " what fits the hosts of the job");

  /** The launcher. */
  public static final Setting<String> LAUNCHER =
      new Setting<>(
          "lacis.launcher",
          "",
          Rule.choice("auto", "pmix", "pmi2", "pmi1", "none"),
          "auto",
          "what to speak with the launcher; `none` makes each process a job of one rank");

  /** The host. */
  public static final Setting<String> HOST =
      new Setting<>(
          "lacis.host",
          "",
          Rule.text("any text"),
          "",
          "the name of this host: ranks with the same one share memory; if not set, the machine"
              + " tells");

  /** Packets of the default pool. */
  public static final Setting<Integer> POOL_PACKETS =
      new Setting<>(
          "lacis.pool.packets",
          "PoolOptions.packets",
          Numbers.from(2, 1 << 20),
          4096,
          "packets of a pool: what is under way or unread in packets at most");

  /** Bytes of a packet. */
  public static final Setting<Integer> POOL_PACKET_BYTES =
      new Setting<>(
          "lacis.pool.packet-bytes",
          "PoolOptions.packetBytes",
          Numbers.bytes(64, 1 << 24, 64),
          8192,
          "payload of a packet; of the default pool also the longest message that is copied");

  /** Buckets of a matching engine. */
  public static final Setting<Integer> MATCHING_BUCKETS =
      new Setting<>(
          "lacis.matching.buckets",
          "MatchingOptions.buckets",
          Numbers.powersOfTwo(1, 1 << 24),
          65_536,
          "size of the hash table of a matching engine");

  /** Bins of an ordered matching engine. */
  public static final Setting<Integer> MATCHING_BINS =
      new Setting<>(
          "lacis.matching.bins",
          "MatchingOptions.bins",
          Numbers.powersOfTwo(1, 1 << 16),
          1024,
          "size of each hash table of an ordered matching engine");

  /** Receives in the table of an ordered matching engine. */
  public static final Setting<Integer> MATCHING_MAX_RECEIVES =
      new Setting<>(
          "lacis.matching.max-receives",
          "MatchingOptions.maxReceives",
          Numbers.from(1, 1 << 24),
          8192,
          "posted receives in the table of an ordered matching engine; more are kept in a list");

  /** Matching threads of an ordered matching engine. */
  public static final Setting<Integer> MATCHING_THREADS =
      new Setting<>(
          "lacis.matching.threads",
          "MatchingOptions.threads",
          Numbers.from(0, 64),
          0,
          "matching threads of an ordered matching engine; 0: whoever makes progress matches");

  /** The fast path of matching threads. */
  public static final Setting<Boolean> MATCHING_FAST_PATH =
      new Setting<>(
          "lacis.matching.fast-path",
          "MatchingOptions.fastPath",
          Rule.SWITCH,
          true,
          "whether matching threads resolve conflicts along a sequence of receives at once");

  /** Cells of a ring. */
  public static final Setting<Integer> RING_CELLS =
      new Setting<>(
          "lacis.ring-cells",
          "LacisOptions.ringCells",
          Numbers.powersOfTwo(16, 1 << 20),
          1024,
          "messages under way from one rank to another on one device");

  /** Payload inside a frame. */
  public static final Setting<Integer> INJECT_BYTES =
      new Setting<>(
          "lacis.inject-bytes",
          "LacisOptions.injectBytes",
          Numbers.from(0, 128),
          0,
          "payload inside a frame, at least, if the network can; see `injectLimit`");

  /** Shared memory. */
  public static final Setting<Long> SHARED_BYTES =
      new Setting<>(
          "lacis.shared-bytes",
          "LacisOptions.sharedBytes",
          Numbers.bytes(1 << 20, MOST_SHARED_BYTES),
          1L << 30,
          "memory set aside for rings, packets and `allocate`; taken only when touched");

  /** Capacity of completion queues. */
  public static final Setting<Integer> QUEUE_CAPACITY =
      new Setting<>(
          "lacis.queue-capacity",
          "LacisOptions.queueCapacity",
          Numbers.powersOfTwo(2, 1 << 24),
          8192,
          "completions that a queue holds if nothing else is said");

  /** Capacity of backlogs. */
  public static final Setting<Integer> BACKLOG_CAPACITY =
      new Setting<>(
          "lacis.backlog-capacity",
          "LacisOptions.backlogCapacity",
          Numbers.from(1, Integer.MAX_VALUE),
          65_536,
          "posts with `allowRetry(false)` that a device keeps");

  /** Patience when opening. */
  public static final Setting<Duration> OPEN_TIMEOUT =
      new Setting<>(
          "lacis.open-timeout",
          "LacisOptions.openTimeout",
          Rule.TIME,
          Duration.ofMinutes(1),
          "how long `open` waits for the other ranks");

  /** How long a peer may be silent. */
  public static final Setting<Duration> DETECTION =
      new Setting<>(
          "lacis.detection",
          "LacisOptions.detection",
          Rule.TIME,
          Duration.ofSeconds(10),
          "a peer without a sign of life for so long, stopped or cut off, counts as gone");

  /** The progress thread. */
  public static final Setting<Boolean> PROGRESS_THREAD =
      new Setting<>(
          "lacis.progress-thread",
          "LacisOptions.progressThread",
          Rule.SWITCH,
          false,
          "whether a thread of the runtime makes progress on all devices");

  /** Counting everything. */
  public static final Setting<Boolean> COUNTERS =
      new Setting<>(
          "lacis.counters",
          "LacisOptions.counters",
          Rule.SWITCH,
          false,
          "whether posts, completions and messages inside a frame are counted too");

  /** How shm moves bulk data. */
  public static final Setting<String> SHM_BULK =
      new Setting<>(
          "lacis.shm.bulk",
          "",
          Rule.choice("auto", "mapped", "vm", "pipeline"),
          "auto",
          "how shm moves bulk data, for tests and measurements");

  /** Where tcp listens. */
  public static final Setting<String> TCP_INTERFACE =
      new Setting<>(
          "lacis.tcp.interface",
          "",
          Rule.text("auto, the name of an interface, an address, or a subnet such as 10.1.0.0/16"),
          "auto",
          "where tcp listens; `auto` takes the loopback if all ranks are on one machine, otherwise"
              + " a subnet that all are in");

  /** At which ports tcp listens. */
  public static final Setting<PortRange> TCP_PORTS =
      new Setting<>(
          "lacis.tcp.ports",
          "",
          PortRange.RULE,
          PortRange.ANY,
          "the ports that tcp listens at, one for each rank of a host: the first that is free");

  /** What tcp collects. */
  public static final Setting<Integer> TCP_BUFFER_BYTES =
      new Setting<>(
          "lacis.tcp.buffer-bytes",
          "",
          Numbers.bytes(1 << 16, 1 << 26, 64),
          1 << 18,
          "what tcp collects for one system call, for each connection and direction");

  /** What tcp keeps. */
  public static final Setting<Long> TCP_UNREAD_BYTES =
      new Setting<>(
          "lacis.tcp.unread-bytes",
          "",
          Numbers.bytes(1 << 16),
          32L << 20,
          "packets from one rank, on one device, that may be unread or lent; tcp only");

  /** Encryption. */
  public static final Setting<Boolean> TCP_TLS =
      new Setting<>(
          "lacis.tcp.tls",
          "",
          Rule.SWITCH,
          false,
          "whether tcp encrypts what it sends, by TLS 1.3; the keys are the job's own");

  /** The provider of libfabric. */
  public static final Setting<String> OFI_PROVIDER =
      new Setting<>(
          "lacis.ofi.provider",
          "",
          Rule.text("auto, or the name of a provider such as verbs, cxi, efa, tcp or shm"),
          "auto",
          "what ofi uses of libfabric; `auto` takes the first that connects machines");

  /** From where on libfabric moves data by itself. */
  public static final Setting<Long> OFI_DIRECT =
      new Setting<>(
          "lacis.ofi.direct",
          "",
          Numbers.bytes(0),
          16L << 10,
          "ofi moves transfers of so many bytes without copies, and shorter ones in messages");

  private static final List<Setting<?>> ALL =
      List.of(
          NAME,
          NET,
          HOST,
          LAUNCHER,
          POOL_PACKETS,
          POOL_PACKET_BYTES,
          MATCHING_BUCKETS,
          MATCHING_BINS,
          MATCHING_MAX_RECEIVES,
          MATCHING_THREADS,
          MATCHING_FAST_PATH,
          RING_CELLS,
          INJECT_BYTES,
          SHARED_BYTES,
          QUEUE_CAPACITY,
          BACKLOG_CAPACITY,
          OPEN_TIMEOUT,
          DETECTION,
          PROGRESS_THREAD,
          COUNTERS,
          SHM_BULK,
          TCP_INTERFACE,
          TCP_PORTS,
          TCP_BUFFER_BYTES,
          TCP_UNREAD_BYTES,
          TCP_TLS,
          OFI_PROVIDER,
          OFI_DIRECT);

  private static final List<Other> OTHERS =
      List.of(
          new Other("LACIS_JAVA_HOME", "the `lacis` script", "the JDK to use"),
          new Other("LACIS_JAVA_OPTS", "the `lacis` script", "options for the JVM of the command"),
          new Other("LACIS_NO_BUILD", "the `lacis` script", "1: run what was built last"),
          new Other("LACIS_JOB", "the ranks of a job", "set by the launcher: the job's id"),
          new Other("lacis.home", "the `lacis` command", "set by the script: the checkout"),
          new Other("lacis.lib", "the `lacis` command", "set by the script: the folder of jars"),
          new Other("lacis.seed", "tests", "the seed of random tests"),
          new Other("lacis.patience", "tests", "how many times as long bounded waits last"),
          new Other("lacis.long", "tests", "whether random tests are a hundred times as long"),
          new Other(
              "lacis.test.limit", "the build", "seconds that the tests of a module may take"));

  /**
   * A name that is read by something other than the runtime.
   *
   * @param name of a system property or an environment variable
   * @param reader who reads it
   * @param description what it is for
   */
  public record Other(String name, String reader, String description) {}

  private Settings() {}

  /** What the runtime reads. */
  public static List<Setting<?>> all() {
    return ALL;
  }

  /** What others read under names of the same kind. */
  public static List<Other> others() {
    return OTHERS;
  }
}
