/** Files of traces, compressed or not. */
@NullMarked
package org.lacis.trace.io;

import org.jspecify.annotations.NullMarked;
