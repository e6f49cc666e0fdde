package org.lacis.net.ofi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.lacis.net.Memory;
import org.lacis.net.NetException;
import org.lacis.net.Probe;
import org.lacis.settings.Settings;

/**
 * What libfabric offers for one kind of hardware or protocol, and how it wants to be used.
 *
 * @param info the structure that describes it; kept for the life of the process
 * @param name such as {@code tcp;ofi_rxm}
 * @param domain the device behind it, such as {@code eth0}
 * @param injectSize the longest message that is copied when it is sent, in bytes
 * @param inOrder whether messages arrive, and are told of, in the order they were sent
 * @param maxMessage the longest message or transfer, in bytes
 * @param receiveDepth how many receives may be posted
 * @param mrMode how memory has to be registered
 * @param reads whether a peer's memory can be read
 * @param writes whether a peer's memory can be written in such a way that it is told
 * @param confirms whether the end of such a write can mean that the data is there; of the one that
 *     is {@linkplain #choose chosen}
 */
record Provider(
    long info,
    String name,
    String domain,
    long injectSize,
    boolean inOrder,
    long maxMessage,
    int receiveDepth,
    int mrMode,
    boolean reads,
    boolean writes,
    boolean confirms) {

  /** Takes the first that connects machines. */
  private static final String AUTO = "auto";

  /** Of one machine only, or slow stand-ins: not taken unless asked for. */
  private static final Set<String> SKIPPED = Set.of("shm", "sm2", "sockets", "udp", "net");

  private static final int MR_MODES =
      Libfabric.MR_LOCAL
          | Libfabric.MR_VIRT_ADDR
          | Libfabric.MR_ALLOCATED
          | Libfabric.MR_PROV_KEY
          | Libfabric.MR_RMA_EVENT
          | Libfabric.MR_ENDPOINT;

  /** The number a write brings along has so many bytes. */
  private static final int DATA_BYTES = Integer.BYTES;

  private static List<Provider> found = List.of();

  /** Whether there is one, and which. */
  static Probe probe() {
    if (!Libfabric.isHere()) {
      return new Probe.Missing(
          "libfabric.so.1 is not on this machine; to install it: apt-get install libfabric1, or dnf"
              + " install libfabric");
    }
    List<Provider> all = all();
    Provider provider = find(all);
    return provider == null
        ? new Probe.Missing(why(all))
        : new Probe.Ready("libfabric " + Libfabric.version() + ", " + provider.describe());
  }

  /** The one that is asked for by {@link Settings#OFI_PROVIDER}. */
  static Provider choose() {
    if (!Libfabric.isHere()) {
      throw new NetException("libfabric.so.1 is not on this machine");
    }
    List<Provider> all = all();
    Provider provider = find(all);
    if (provider == null) {
      throw new NetException(why(all));
    }
    return provider.asked();
  }

  private static @Nullable Provider find(List<Provider> all) {
    String wanted = Settings.OFI_PROVIDER.value();
    for (Provider provider : all) {
      String base = provider.base();
      if (wanted.equals(AUTO)
          ? !SKIPPED.contains(base)
          : wanted.equals(provider.name) || wanted.equals(base)) {
        return provider;
      }
    }
    return null;
  }

  private static String why(List<Provider> all) {
    return "libfabric "
        + Libfabric.version()
        + " has no provider "
        + Settings.OFI_PROVIDER.value()
        + " with reliable datagrams; it has: "
        + String.join(", ", all.stream().map(Provider::name).distinct().toList())
        + "; see "
        + Settings.OFI_PROVIDER.property();
  }

  /** The name without the layers above it. */
  private String base() {
    int layer = name.indexOf(';');
    return layer < 0 ? name : name.substring(0, layer);
  }

  /** For people to read. */
  String describe() {
    return "provider " + name + " on " + domain;
  }

  /**
   * Those that can be used, best first; those without access to remote memory last. Looked for
   * once: it takes long.
   */
  private static synchronized List<Provider> all() {
    if (found.isEmpty()) {
      found =
          Libc.keepSignals(
              () -> {
                List<Provider> all = new ArrayList<>();
                ask(Libfabric.MSG | Libfabric.RMA, all);
                ask(Libfabric.MSG, all);
                return List.copyOf(all);
              });
    }
    return found;
  }

  private static void ask(long caps, List<Provider> all) {
    long hints = Libfabric.callLong("fi_dupinfo", 0);
    if (hints == 0) {
      throw new NetException("libfabric: out of memory");
    }
    Memory.putLong(hints + Libfabric.INFO_CAPS, caps);
    Memory.putLong(hints + Libfabric.INFO_MODE, Libfabric.CONTEXT | Libfabric.CONTEXT2);
    long endpoint = Memory.getLong(hints + Libfabric.INFO_EP_ATTR);
    Memory.putInt(endpoint + Libfabric.EP_TYPE, Libfabric.EP_RDM);
    long domain = Memory.getLong(hints + Libfabric.INFO_DOMAIN_ATTR);
    Memory.putInt(domain + Libfabric.DOMAIN_THREADING, Libfabric.THREAD_DOMAIN);
    Memory.putInt(domain + Libfabric.DOMAIN_RESOURCE_MGMT, Libfabric.RM_ENABLED);
    Memory.putInt(domain + Libfabric.DOMAIN_MR_MODE, MR_MODES);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment first = arena.allocate(Long.BYTES, Long.BYTES);
      int result =
          Libfabric.callInt("fi_getinfo", Libfabric.VERSION, 0, 0, 0, hints, first.address());
      long info = result < 0 ? 0 : Memory.getLong(first.address());
      for (; info != 0; info = Memory.getLong(info + Libfabric.INFO_NEXT)) {
        all.add(of(info));
      }
    } finally {
      Libfabric.callVoid("fi_freeinfo", hints);
    }
  }

  private static Provider of(long info) {
    long caps = Memory.getLong(info + Libfabric.INFO_CAPS);
    long tx = Memory.getLong(info + Libfabric.INFO_TX_ATTR);
    long rx = Memory.getLong(info + Libfabric.INFO_RX_ATTR);
    long ep = Memory.getLong(info + Libfabric.INFO_EP_ATTR);
    long domain = Memory.getLong(info + Libfabric.INFO_DOMAIN_ATTR);
    long fabric = Memory.getLong(info + Libfabric.INFO_FABRIC_ATTR);
    boolean rma =
        (caps & Libfabric.RMA) != 0
            && Memory.getLong(domain + Libfabric.DOMAIN_MR_KEY_SIZE) <= Long.BYTES;
    return new Provider(
        info,
        Libfabric.Strings.at(Memory.getLong(fabric + Libfabric.FABRIC_PROV_NAME)),
        Libfabric.Strings.at(Memory.getLong(domain + Libfabric.DOMAIN_NAME)),
        bounded(Memory.getLong(tx + Libfabric.TX_INJECT_SIZE), Integer.MAX_VALUE),
        inOrder(tx, rx),
        bounded(Memory.getLong(ep + Libfabric.EP_MAX_MSG_SIZE), Long.MAX_VALUE),
        (int) bounded(Memory.getLong(rx + Libfabric.RX_SIZE), Integer.MAX_VALUE),
        Memory.getInt(domain + Libfabric.DOMAIN_MR_MODE),
        rma,
        rma && Memory.getLong(domain + Libfabric.DOMAIN_CQ_DATA_SIZE) >= DATA_BYTES,
        false);
  }

  /** The same, and known whether it confirms. */
  private Provider asked() {
    return new Provider(
        info,
        name,
        domain,
        injectSize,
        inOrder,
        maxMessage,
        receiveDepth,
        mrMode,
        reads,
        writes,
        writes && confirms(info));
  }

  /** Asks for the same once more, with operations that are complete when all is delivered. */
  private static synchronized boolean confirms(long info) {
    long tx = Memory.getLong(info + Libfabric.INFO_TX_ATTR);
    long flags = Memory.getLong(tx + Libfabric.TX_OP_FLAGS);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment first = arena.allocate(Long.BYTES, Long.BYTES);
      Memory.putLong(tx + Libfabric.TX_OP_FLAGS, flags | Libfabric.DELIVERY_COMPLETE);
      int result =
          Libfabric.callInt("fi_getinfo", Libfabric.VERSION, 0, 0, 0, info, first.address());
      long found = result < 0 ? 0 : Memory.getLong(first.address());
      if (found != 0) {
        Libfabric.callVoid("fi_freeinfo", found);
      }
      return found != 0;
    } finally {
      Memory.putLong(tx + Libfabric.TX_OP_FLAGS, flags);
    }
  }

  private static boolean inOrder(long tx, long rx) {
    long received = Memory.getLong(rx + Libfabric.RX_COMP_ORDER);
    return (Memory.getLong(tx + Libfabric.TX_MSG_ORDER) & Libfabric.ORDER_SAS) != 0
        && (received & Libfabric.ORDER_STRICT) == Libfabric.ORDER_STRICT;
  }

  /** A size_t, of which the largest means that there is no limit. */
  private static long bounded(long value, long limit) {
    return value < 0 ? limit : Math.min(value, limit);
  }

  boolean has(int mode) {
    return (mrMode & mode) != 0;
  }
}
