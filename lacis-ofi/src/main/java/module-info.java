/** The network of libfabric. */
module org.lacis.net.ofi {
  requires org.lacis;
  requires static org.jspecify;

  provides org.lacis.net.Network with
      org.lacis.net.ofi.OfiNetwork;
}
