/**
 * Any machines, in plain Java: frames on non-blocking connections. Opened by {@link
 * org.lacis.net.tcp.TcpNetwork}.
 */
@NullMarked
package org.lacis.net.tcp;

import org.jspecify.annotations.NullMarked;
