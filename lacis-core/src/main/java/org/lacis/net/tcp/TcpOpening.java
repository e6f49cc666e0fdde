package org.lacis.net.tcp;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lacis.net.Gather;
import org.lacis.net.Machine;
import org.lacis.net.NetException;
import org.lacis.net.Network.Exchange;
import org.lacis.net.Network.Setup;
import org.lacis.net.ProcessName;
import org.lacis.settings.PortRange;
import org.lacis.settings.Settings;

/** The steps in which ranks find an address each, listen there, and tell each other. */
final class TcpOpening {

  private static final String SEPARATOR = " ";

  /** Between the values that ranks must agree on. */
  private static final String AND = "/";

  private final Setup setup;
  private final Exchange exchange;
  private final int rank;
  private final int size;

  TcpOpening(Setup setup) {
    this.setup = setup;
    this.exchange = setup.exchange();
    this.rank = exchange.rank();
    this.size = exchange.size();
  }

  TcpContext open() {
    if (setup.sharedBytes() <= 0 || Integer.bitCount(setup.ringCells()) != 1) {
      throw new NetException(
          setup.sharedBytes()
              + " bytes of memory and "
              + setup.ringCells()
              + " messages under way: the latter must be a power of two");
    }
    TcpOptions options = TcpOptions.current();
    if (size == 1) {
      return new TcpContext(
          setup, options, null, List.of(ProcessName.self()), "tcp, alone: nothing listens");
    }
    InetAddress address = chooseAddress(options);
    var proof = new Proof(exchange.secret(), exchange.jobId());
    var gather = new Gather(exchange, "tcp-doors");
    @Nullable Tls tls;
    ServerSocketChannel listener;
    try {
      tls = options.tls() ? new Tls(options.bufferBytes()) : null;
      listener = listen(address, options.ports());
    } catch (RuntimeException e) {
      gather.fail(e);
      throw e;
    }
    var log = System.getLogger("org.lacis.net.tcp");
    var door = new Door(listener, log, proof, tls, rank, size, setup.timeout());
    try {
      int port = ((InetSocketAddress) listener.getLocalAddress()).getPort();
      String own =
          String.join(
              SEPARATOR,
              Interfaces.text(address),
              Integer.toString(port),
              agreement(options),
              ProcessName.self().toString());
      String[] doors = gather.all(own);
      InetSocketAddress[] addresses = addresses(doors, agreement(options));
      door.open();
      var meeting = new Meeting(rank, addresses, proof, tls, door, setup.timeout());
      return new TcpContext(
          setup, options, meeting, processes(doors), describe(addresses[rank], options));
    } catch (IOException e) {
      door.close();
      throw new NetException("cannot listen: " + e.getMessage(), e);
    } catch (RuntimeException e) {
      door.close();
      throw e;
    }
  }

  /** What all ranks must have in common: values with their names. */
  private String agreement(TcpOptions options) {
    return String.join(
        AND,
        "version:" + Handshake.VERSION,
        Settings.RING_CELLS.property() + ":" + setup.ringCells(),
        Settings.TCP_TLS.property() + ":" + options.tls(),
        Settings.TCP_UNREAD_BYTES.property() + ":" + options.unreadBytes());
  }

  private InetAddress chooseAddress(TcpOptions options) {
    var gather = new Gather(exchange, "tcp-hosts");
    List<Interfaces.Place> own;
    try {
      own = Interfaces.candidates(options.where());
    } catch (RuntimeException e) {
      gather.fail(e);
      throw e;
    }
    String host = options.where().equals("auto") ? Machine.network() : "as said";
    StringBuilder text = new StringBuilder(host.replace(SEPARATOR, "_"));
    own.forEach(place -> text.append(SEPARATOR).append(place));
    String[] all = gather.all(text.toString());
    if (options.where().equals("auto")
        && Stream.of(all).map(TcpOpening::host).distinct().count() == 1) {
      return InetAddress.getLoopbackAddress();
    }
    List<List<Interfaces.Place>> places = new ArrayList<>();
    for (String one : all) {
      places.add(Arrays.stream(one.split(SEPARATOR)).skip(1).map(Interfaces.Place::of).toList());
    }
    return Interfaces.choose(places, rank);
  }

  private static String host(String value) {
    int end = value.indexOf(SEPARATOR);
    return end < 0 ? value : value.substring(0, end);
  }

  private ServerSocketChannel listen(InetAddress address, PortRange ports) {
    IOException last = new BindException("no port");
    for (int port = ports.first(); port <= ports.last(); port++) {
      try {
        ServerSocketChannel listener = ServerSocketChannel.open();
        try {
          return listener.bind(new InetSocketAddress(address, port), Math.max(128, size));
        } catch (IOException e) {
          listener.close();
          throw e;
        }
      } catch (IOException e) {
        last = e;
      }
    }
    throw new NetException(
        "cannot listen at "
            + Interfaces.text(address)
            + ", "
            + Settings.TCP_PORTS.property()
            + "="
            + ports.first()
            + "-"
            + ports.last()
            + ": "
            + last.getMessage()
            + "; each rank of a host needs a port",
        last);
  }

  private InetSocketAddress[] addresses(String[] values, String agreement) {
    InetSocketAddress[] addresses = new InetSocketAddress[size];
    for (int peer = 0; peer < size; peer++) {
      String[] parts = values[peer].split(SEPARATOR);
      if (!parts[2].equals(agreement)) {
        throw new NetException(
            "rank %d has %s, this rank %s: give all ranks the same options"
                .formatted(peer, surplus(parts[2], agreement), surplus(agreement, parts[2])));
      }
      addresses[peer] =
          new InetSocketAddress(InetAddress.ofLiteral(parts[0]), Integer.parseInt(parts[1]));
    }
    return addresses;
  }

  private static List<ProcessName> processes(String[] doors) {
    return Stream.of(doors).map(door -> ProcessName.parse(door.split(SEPARATOR)[3])).toList();
  }

  /** What one agreement has and the other has not. */
  private static String surplus(String one, String other) {
    return Stream.of(one.split(AND))
        .filter(value -> !List.of(other.split(AND)).contains(value))
        .map(value -> value.replaceFirst(":", " "))
        .collect(Collectors.joining(", "));
  }

  private static String describe(InetSocketAddress address, TcpOptions options) {
    return "tcp at "
        + Interfaces.text(address.getAddress())
        + ", port "
        + address.getPort()
        + "; buffers of "
        + (options.bufferBytes() >> 10)
        + " KiB a connection and direction; "
        + (options.tls()
            ? "everything in TLS 1.3"
            : "bulk data straight from and to native memory, by way of the buffers from and to Java"
                + " arrays");
  }
}
