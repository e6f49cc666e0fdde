/** The network SPI: what the engine asks of a network, and the pieces that networks share. */
@NullMarked
package org.lacis.net;

import org.jspecify.annotations.NullMarked;
