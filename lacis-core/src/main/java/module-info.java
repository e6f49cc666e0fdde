/** Communication between many threads of many processes. */
module org.lacis {
  requires static org.jspecify;

  exports org.lacis;
  exports org.lacis.boot;
  exports org.lacis.match;
  exports org.lacis.net;
  exports org.lacis.net.sim;

  uses org.lacis.net.Network;

  provides org.lacis.net.Network with
      org.lacis.net.shm.ShmNetwork;
}
