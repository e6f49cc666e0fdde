package org.lacis.net.tcp;

import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InterfaceAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.lacis.net.NetException;

/**
 * Which address a rank listens at. If all ranks share one machine, or rather one set of interfaces,
 * that of the loopback, so that nothing listens outside; otherwise one in a subnet that all ranks
 * are in; otherwise the best there is.
 */
final class Interfaces {

  /** Bridges and the like to what runs on this machine: others are not reached by them. */
  private static final List<String> INSIDE =
      List.of("docker", "br-", "virbr", "veth", "cni", "flannel", "cali", "lxc", "tun", "tap");

  /**
   * An address of this rank, and how many bits of it are those of its subnet.
   *
   * @param address that can be bound
   */
  record Place(InetAddress address, int prefix) {

    @Override
    public String toString() {
      return text(address) + "/" + prefix;
    }

    static Place of(String text) {
      int slash = text.lastIndexOf('/');
      return new Place(
          InetAddress.ofLiteral(text.substring(0, slash)),
          Integer.parseInt(text.substring(slash + 1)));
    }

    /** Whether another address is in the same subnet. */
    boolean shares(InetAddress other) {
      byte[] a = address.getAddress();
      byte[] b = other.getAddress();
      if (a.length != b.length) {
        return false;
      }
      for (int bit = 0; bit < prefix; bit++) {
        int mask = 0x80 >> bit % 8;
        if ((a[bit / 8] & mask) != (b[bit / 8] & mask)) {
          return false;
        }
      }
      return true;
    }
  }

  private Interfaces() {}

  static String text(InetAddress address) {
    String text = address.getHostAddress();
    int scope = text.indexOf('%');
    return scope < 0 ? text : text.substring(0, scope);
  }

  /**
   * The addresses of this rank that may be used, best first.
   *
   * @param where what was asked for: auto, an interface, an address or a subnet
   * @throws NetException if nothing fits
   */
  static List<Place> candidates(String where) {
    List<Place> places = new ArrayList<>();
    List<String> others = new ArrayList<>();
    try {
      for (NetworkInterface one : NetworkInterface.networkInterfaces().toList()) {
        for (InterfaceAddress address : one.getInterfaceAddresses()) {
          var place = new Place(address.getAddress(), address.getNetworkPrefixLength());
          if (one.isUp() && fits(one, place, where)) {
            places.add(place);
          } else if (one.isUp()) {
            others.add(one.getName() + " " + text(address.getAddress()));
          }
        }
      }
    } catch (SocketException e) {
      throw new NetException("cannot list the network interfaces", e);
    }
    if (places.isEmpty() && !where.equals("auto")) {
      throw new NetException(
          "no address of this machine fits lacis.tcp.interface="
              + where
              + "; there are: "
              + String.join(", ", others));
    }
    // IPv4 first where there are both; a stable sort keeps the system's order otherwise.
    places.sort(Comparator.comparing(place -> !(place.address() instanceof Inet4Address)));
    return places;
  }

  private static boolean fits(NetworkInterface one, Place place, String where)
      throws SocketException {
    if (where.equals("auto")) {
      return !one.isLoopback()
          && !place.address().isLinkLocalAddress()
          && INSIDE.stream().noneMatch(one.getName()::startsWith);
    }
    if (one.getName().equals(where)) {
      return !place.address().isLinkLocalAddress();
    }
    try {
      if (where.indexOf('/') > 0) {
        return Place.of(where).shares(place.address());
      }
      return InetAddress.ofLiteral(where).equals(withoutScope(place.address()));
    } catch (IllegalArgumentException e) {
      return false; // the name of another interface
    }
  }

  private static InetAddress withoutScope(InetAddress address) {
    return address instanceof Inet6Address ? InetAddress.ofLiteral(text(address)) : address;
  }

  /**
   * Chooses the address of a rank.
   *
   * @param all the candidates of all ranks
   */
  static InetAddress choose(List<List<Place>> all, int rank) {
    if (all.get(rank).isEmpty()) {
      throw new NetException(
          "this machine has no address that others could reach: say one with lacis.tcp.interface");
    }
    for (Place common : all.get(0)) {
      if (all.stream().allMatch(one -> one.stream().anyMatch(p -> common.shares(p.address())))) {
        return all.get(rank).stream()
            .filter(p -> common.shares(p.address()))
            .findFirst()
            .orElseThrow()
            .address();
      }
    }
    return all.get(rank).getFirst().address();
  }
}
