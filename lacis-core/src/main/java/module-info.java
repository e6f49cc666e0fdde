/** Communication between many threads of many processes. */
@SuppressWarnings("module") // the command is built later
module org.lacis {
  requires static jdk.jfr;
  requires static org.jspecify;

  exports org.lacis;
  exports org.lacis.boot;
  exports org.lacis.collective;
  exports org.lacis.match;
  exports org.lacis.net;
  exports org.lacis.net.sim;
  exports org.lacis.settings to
      org.lacis.cli;

  uses org.lacis.net.Network;

  provides org.lacis.net.Network with
      org.lacis.net.shm.ShmNetwork;
}
