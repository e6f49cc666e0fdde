package org.lacis.net.tcp;

import org.lacis.settings.PortRange;
import org.lacis.settings.Settings;

/**
 * What can be set from outside.
 *
 * @param where the interface, address or subnet to use, or auto
 * @param ports the ports to listen at
 * @param bufferBytes what is collected for one system call, per connection and direction
 * @param unreadBytes packets of one peer that are unread or lent, at most
 * @param tls whether connections are encrypted
 */
record TcpOptions(String where, PortRange ports, int bufferBytes, long unreadBytes, boolean tls) {

  /** What is set now. */
  static TcpOptions current() {
    return new TcpOptions(
        Settings.TCP_INTERFACE.value(),
        Settings.TCP_PORTS.value(),
        Settings.TCP_BUFFER_BYTES.value(),
        Settings.TCP_UNREAD_BYTES.value(),
        Settings.TCP_TLS.value());
  }
}
