/** Processes of any machines, through libfabric: InfiniBand, Slingshot, EFA, TCP and others. */
@NullMarked
package org.lacis.net.ofi;

import org.jspecify.annotations.NullMarked;
