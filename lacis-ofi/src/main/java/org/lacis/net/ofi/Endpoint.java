package org.lacis.net.ofi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HexFormat;
import org.lacis.net.Memory;
import org.lacis.net.NetException;

/**
 * The objects of libfabric that a device is made of, in a domain of their own: whoever holds the
 * device's lock may use them, and nobody else. Pointers are longs. What answers a long answers 0 or
 * a negative error, of which {@link Libfabric#EAGAIN} means try again.
 */
final class Endpoint implements AutoCloseable {

  /** Completions that are read at a time. */
  static final int BATCH = 16;

  /** Completions that are kept at most. */
  static final int ENTRIES = 256;

  private static final int NAME_LIMIT = 256;
  private static final long NEWS = Libfabric.REMOTE_CQ_DATA | Libfabric.REMOTE_WRITE;
  private static final long CONFIRMED =
      Libfabric.REMOTE_CQ_DATA | Libfabric.COMPLETION | Libfabric.DELIVERY_COMPLETE;
  private static final System.Logger LOG = System.getLogger("org.lacis.net.ofi");

  private final Provider provider;

  /** Completions, an error, a pointer that a call answers, and what a message is told with. */
  private final MemorySegment scratch =
      Arena.ofAuto()
          .allocate(
              ENTRIES * Libfabric.ENTRY_BYTES
                  + Libfabric.ERROR_BYTES
                  + NAME_LIMIT
                  + Long.BYTES
                  + Libfabric.IOV_BYTES
                  + Libfabric.RMA_IOV_BYTES
                  + Libfabric.MSG_RMA_BYTES,
              Long.BYTES);

  private final long entries = scratch.address();
  private final long error = entries + (long) ENTRIES * Libfabric.ENTRY_BYTES;
  private final long name = error + Libfabric.ERROR_BYTES;
  private final long out = name + NAME_LIMIT;
  private final long iov = out + Long.BYTES;
  private final long remoteIov = iov + Libfabric.IOV_BYTES;
  private final long message = remoteIov + Libfabric.RMA_IOV_BYTES;

  /** In the order they were opened; 0 if not. */
  private long fabric;

  private long domain;
  private long queue;
  private long vector;
  private long endpoint;
  private boolean closed;

  private final MemorySegment read;
  private final MemorySegment readError;
  private final MemorySegment send;
  private final MemorySegment receive;
  private final MemorySegment inject;
  private final MemorySegment fetch;
  private final MemorySegment writeData;
  private final MemorySegment writeMessage;
  private final MemorySegment register;

  /** What ends a registration; known once there was one. */
  private MemorySegment deregister = MemorySegment.NULL;

  private long nextKey = 1;

  /**
   * Opens them.
   *
   * @param ranks how many peers there will be
   * @param completions how many requests may end before they are read
   */
  Endpoint(Provider provider, int ranks, int completions) {
    this.provider = provider;
    try {
      open(ranks, completions);
    } catch (NetException e) {
      close();
      throw e;
    }
    read = Libfabric.function(queue, Libfabric.CQ_OPS, Libfabric.CQ_READ);
    readError = Libfabric.function(queue, Libfabric.CQ_OPS, Libfabric.CQ_READERR);
    send = Libfabric.function(endpoint, Libfabric.EP_MSG, Libfabric.MSG_SEND);
    receive = Libfabric.function(endpoint, Libfabric.EP_MSG, Libfabric.MSG_RECV);
    inject = Libfabric.function(endpoint, Libfabric.EP_MSG, Libfabric.MSG_INJECT);
    register = Libfabric.function(domain, Libfabric.DOMAIN_MR, Libfabric.MR_REG);
    boolean rma = provider.reads() || provider.writes();
    fetch = rma ? Libfabric.function(endpoint, Libfabric.EP_RMA, Libfabric.RMA_READ) : send;
    writeData =
        rma ? Libfabric.function(endpoint, Libfabric.EP_RMA, Libfabric.RMA_WRITEDATA) : send;
    writeMessage =
        rma ? Libfabric.function(endpoint, Libfabric.EP_RMA, Libfabric.RMA_WRITEMSG) : send;
  }

  private void open(int ranks, int completions) {
    long info = provider.info();
    long fabricAttr = Memory.getLong(info + Libfabric.INFO_FABRIC_ATTR);
    Libfabric.require("fi_fabric", Libfabric.callInt("fi_fabric", fabricAttr, out, 0));
    fabric = Memory.getLong(out);
    Libfabric.require(
        "fi_domain",
        Libfabric.invoke(fabric, Libfabric.FABRIC_OPS, Libfabric.FABRIC_DOMAIN, info, out, 0));
    domain = Memory.getLong(out);
    try (Arena arena = Arena.ofConfined()) {
      long attr = arena.allocate(Libfabric.CQ_ATTR_BYTES, Long.BYTES).address();
      Memory.putLong(attr + Libfabric.CQ_ATTR_SIZE, completions);
      Memory.putInt(attr + Libfabric.CQ_ATTR_FORMAT, Libfabric.CQ_FORMAT_DATA);
      Memory.putInt(attr + Libfabric.CQ_ATTR_WAIT_OBJ, Libfabric.WAIT_NONE);
      queue = make("fi_cq_open", Libfabric.DOMAIN_CQ_OPEN, attr);
      attr = arena.allocate(Libfabric.AV_ATTR_BYTES, Long.BYTES).address();
      int type =
          Memory.getInt(
              Memory.getLong(info + Libfabric.INFO_DOMAIN_ATTR) + Libfabric.DOMAIN_AV_TYPE);
      Memory.putInt(attr + Libfabric.AV_ATTR_TYPE, type == 0 ? Libfabric.AV_TABLE : type);
      Memory.putLong(attr + Libfabric.AV_ATTR_COUNT, ranks);
      vector = make("fi_av_open", Libfabric.DOMAIN_AV_OPEN, attr);
    }
    endpoint = make("fi_endpoint", Libfabric.DOMAIN_ENDPOINT, info);
    bind(endpoint, vector, 0);
    bind(endpoint, queue, Libfabric.SEND | Libfabric.RECV);
    enable(endpoint);
  }

  private long make(String what, int function, long argument) {
    Libfabric.require(
        what, Libfabric.invoke(domain, Libfabric.DOMAIN_OPS, function, argument, out, 0));
    return Memory.getLong(out);
  }

  private static void bind(long object, long to, long flags) {
    Libfabric.require(
        "fi_ep_bind", Libfabric.invoke(object, Libfabric.FID_OPS, Libfabric.OPS_BIND, to, flags));
  }

  private static void enable(long object) {
    Libfabric.require(
        "fi_enable",
        Libfabric.invoke(
            object, Libfabric.FID_OPS, Libfabric.OPS_CONTROL, Libfabric.CONTROL_ENABLE, 0));
  }

  Provider provider() {
    return provider;
  }

  /** The address others reach it by, as text. */
  String name() {
    Memory.putLong(out, NAME_LIMIT);
    Libfabric.require(
        "fi_getname", Libfabric.invoke(endpoint, Libfabric.EP_CM, Libfabric.CM_GETNAME, name, out));
    byte[] bytes = new byte[(int) Math.min(NAME_LIMIT, Memory.getLong(out))];
    Memory.copyOut(name, MemorySegment.ofArray(bytes), 0, bytes.length);
    return HexFormat.of().formatHex(bytes);
  }

  /** Adds a peer, by what {@link #name} said there; answers the number it is reached by. */
  long insert(String peer) {
    byte[] bytes = HexFormat.of().parseHex(peer);
    // Room behind it: some providers look further than a short name goes.
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment address = arena.allocate(Math.max(NAME_LIMIT, bytes.length), Long.BYTES);
      MemorySegment.copy(MemorySegment.ofArray(bytes), 0, address, 0, bytes.length);
      int inserted =
          Libfabric.invoke(
              vector, Libfabric.AV_OPS, Libfabric.AV_INSERT, address.address(), 1, out, 0, 0);
      if (inserted != 1) {
        throw new NetException(
            "libfabric: fi_av_insert fails for a peer of provider " + provider.name());
      }
    }
    return Memory.getLong(out);
  }

  /**
   * Reads what has ended.
   *
   * @param from how many entries are to be left as they are
   * @return how many entries were read, or an error
   */
  int read(int from) {
    return (int) Libfabric.call(read, queue, entries + (long) from * Libfabric.ENTRY_BYTES, BATCH);
  }

  /** Reads an error, of which the code is answered, as a negative number, or 0 if there is none. */
  int readError() {
    long count = Libfabric.call(readError, queue, error, 0);
    return count == 1 ? -Memory.getInt(error + Libfabric.ERROR_CODE) : 0;
  }

  /** The slot that the error is about. */
  long errorSlot() {
    return Memory.getLong(error + Libfabric.ENTRY_CONTEXT);
  }

  long entrySlot(int entry) {
    return Memory.getLong(entries + (long) entry * Libfabric.ENTRY_BYTES + Libfabric.ENTRY_CONTEXT);
  }

  /**
   * Whether a peer has written to memory of this rank, and not this rank has done something: some
   * providers mark the end of a rank's own writes with the number they bring along too.
   */
  boolean entryIsNews(int entry) {
    long flags =
        Memory.getLong(entries + (long) entry * Libfabric.ENTRY_BYTES + Libfabric.ENTRY_FLAGS);
    return (flags & NEWS) == NEWS;
  }

  int entryLength(int entry) {
    return (int)
        Memory.getLong(entries + (long) entry * Libfabric.ENTRY_BYTES + Libfabric.ENTRY_LENGTH);
  }

  int entryData(int entry) {
    return (int)
        Memory.getLong(entries + (long) entry * Libfabric.ENTRY_BYTES + Libfabric.ENTRY_DATA);
  }

  /** Sends and is done with the memory. */
  long inject(long address, long length, long to) {
    return Libfabric.call(inject, endpoint, address, length, to);
  }

  long send(long address, long length, long descriptor, long to, long slot) {
    return Libfabric.call(send, endpoint, address, length, descriptor, to, slot);
  }

  long receive(long address, long length, long descriptor, long slot) {
    return Libfabric.call(receive, endpoint, address, length, descriptor, -1L, slot);
  }

  /** Reads a peer's memory. */
  long fetch(
      long address, long length, long descriptor, long from, long remote, long key, long slot) {
    return Libfabric.call(fetch, endpoint, address, length, descriptor, from, remote, key, slot);
  }

  /**
   * Writes a peer's memory, and tells it a number when the data is there.
   *
   * @param confirmed whether it is to be over here only when the data is there, if {@linkplain
   *     Provider#confirms that can be}
   */
  long writeData(
      long address,
      long length,
      long descriptor,
      int data,
      long to,
      long remote,
      long key,
      boolean confirmed,
      long slot) {
    long number = Integer.toUnsignedLong(data);
    if (!confirmed || !provider.confirms()) {
      return Libfabric.call(
          writeData, endpoint, address, length, descriptor, number, to, remote, key, slot);
    }
    Memory.putLong(iov, address);
    Memory.putLong(iov + Libfabric.IOV_LENGTH, length);
    Memory.putLong(remoteIov, remote);
    Memory.putLong(remoteIov + Libfabric.RMA_IOV_LENGTH, length);
    Memory.putLong(remoteIov + Libfabric.RMA_IOV_KEY, key);
    Memory.putLong(out, descriptor);
    Memory.putLong(message, iov);
    Memory.putLong(message + Libfabric.MSG_RMA_DESC, out);
    Memory.putLong(message + Libfabric.MSG_RMA_COUNT, 1);
    Memory.putLong(message + Libfabric.MSG_RMA_ADDR, to);
    Memory.putLong(message + Libfabric.MSG_RMA_RMA_IOV, remoteIov);
    Memory.putLong(message + Libfabric.MSG_RMA_RMA_COUNT, 1);
    Memory.putLong(message + Libfabric.MSG_RMA_CONTEXT, slot);
    Memory.putLong(message + Libfabric.MSG_RMA_DATA, number);
    return Libfabric.call(writeMessage, endpoint, message, CONFIRMED);
  }

  /**
   * Registers memory.
   *
   * @param access what is done with it, here and by peers
   * @return the registration, or 0 if it cannot be had
   */
  long register(long address, long length, long access) {
    long wanted = provider.has(Libfabric.MR_PROV_KEY) ? 0 : nextKey++;
    int result = Libfabric.callInt(register, domain, address, length, access, 0, wanted, 0, out, 0);
    if (result < 0) {
      return 0;
    }
    long registration = Memory.getLong(out);
    if (deregister.address() == 0) {
      deregister = Libfabric.function(registration, Libfabric.FID_OPS, Libfabric.OPS_CLOSE);
    }
    if (provider.has(Libfabric.MR_ENDPOINT | Libfabric.MR_RMA_EVENT)) {
      bind(registration, endpoint, 0);
      enable(registration);
    }
    return registration;
  }

  /** What goes with requests on memory that is registered. */
  static long descriptor(long registration) {
    return registration == 0 ? 0 : Memory.getLong(registration + Libfabric.MR_MEM_DESC);
  }

  /** What a peer has to know of a registration, besides where. */
  static long key(long registration) {
    return Memory.getLong(registration + Libfabric.MR_KEY);
  }

  /** Where peers find memory that was registered at an address. */
  long remoteAddress(long address) {
    return provider.has(Libfabric.MR_VIRT_ADDR) ? address : 0;
  }

  void deregister(long registration) {
    if (registration != 0 && !closed) {
      Libfabric.callInt(deregister, registration);
    }
  }

  @Override
  public void close() {
    closed = true;
    close("an endpoint", endpoint);
    close("an address vector", vector);
    close("a completion queue", queue);
    close("a domain", domain);
    close("a fabric", fabric);
  }

  private static void close(String what, long object) {
    if (object != 0) {
      int result = Libfabric.invoke(object, Libfabric.FID_OPS, Libfabric.OPS_CLOSE);
      if (result < 0) {
        LOG.log(System.Logger.Level.DEBUG, "cannot close {0}: {1}", what, Libfabric.error(result));
      }
    }
  }
}
