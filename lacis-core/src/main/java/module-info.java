/** Communication between many threads of many processes. */
@SuppressWarnings("module") // those that settings are exported to are built later
module org.lacis {
  requires static jdk.jfr;
  requires static org.jspecify;

  exports org.lacis;
  exports org.lacis.boot;
  exports org.lacis.collective;
  exports org.lacis.match;
  exports org.lacis.net;
  exports org.lacis.net.mixed;
  exports org.lacis.net.sim;
  exports org.lacis.settings to
      org.lacis.cli,
      org.lacis.net.ofi;

  uses org.lacis.net.Network;

  provides org.lacis.net.Network with
      org.lacis.net.shm.ShmNetwork,
      org.lacis.net.tcp.TcpNetwork;
}
